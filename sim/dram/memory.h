// The data of one device's memory: sparse, by pages, zero until written.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace t3::sim {

class Memory {
 public:
  // Addresses run from 0 to size_bytes - 1, rounded up to a page; pages are
  // allocated on first touch. An address beyond throws std::out_of_range.
  explicit Memory(uint64_t size_bytes);

  // Pointer to the bytes from `addr` to the end of its page (a line never crosses
  // one). Allocates the page; the pointer stays valid.
  uint8_t* At(uint64_t addr);
  // The same for reading, without allocating: bytes of zero where the page was
  // never touched. Valid until the page is.
  const uint8_t* Read(uint64_t addr) const;

  // Copies any range, across pages.
  void Copy(uint64_t addr, uint64_t bytes, void* out) const;

  // Writes the bytes of a line whose strobe bit is set. `line_bytes` is a multiple
  // of 8, `addr` of line_bytes.
  void WriteLine(uint64_t addr, uint32_t line_bytes, const uint8_t* strobes, const uint8_t* data);

  static constexpr uint64_t kPageBytes = uint64_t{1} << 20;

 private:
  uint64_t PageOf(uint64_t addr) const;

  std::vector<std::unique_ptr<uint8_t[]>> pages_;
};

}  // namespace t3::sim
