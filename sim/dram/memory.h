// The data of one device's memory: sparse, by pages, zero until written.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace t3::sim {

class Memory {
 public:
  // Addresses run from 0 to size_bytes - 1; pages are allocated on first touch.
  explicit Memory(uint64_t size_bytes);

  // Pointer to `bytes` bytes at `addr` that do not cross a page (lines never
  // do). Allocates the page.
  uint8_t* At(uint64_t addr);
  const uint8_t* Read(uint64_t addr) const;  // a page of zeros where never touched

  // Copies any range, across pages.
  void Copy(uint64_t addr, uint64_t bytes, void* out) const;

  // Writes the bytes of a line whose strobe bit is set.
  void WriteLine(uint64_t addr, uint32_t line_bytes, const uint8_t* strobes,
                 const uint8_t* data);

  static constexpr uint64_t kPageBytes = uint64_t{1} << 20;

 private:
  std::vector<std::unique_ptr<uint8_t[]>> pages_;
};

}  // namespace t3::sim
