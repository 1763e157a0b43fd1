#include "sim/dram/memory.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace t3::sim {

Memory::Memory(uint64_t size_bytes)
    : pages_((size_bytes + kPageBytes - 1) / kPageBytes) {}

uint8_t* Memory::At(uint64_t addr) {
  assert(addr / kPageBytes < pages_.size());
  auto& page = pages_[addr / kPageBytes];
  if (!page) page = std::make_unique<uint8_t[]>(kPageBytes);
  return page.get() + addr % kPageBytes;
}

const uint8_t* Memory::Read(uint64_t addr) const {
  static const auto* const kZeros = new uint8_t[kPageBytes]();
  assert(addr / kPageBytes < pages_.size());
  const auto& page = pages_[addr / kPageBytes];
  return (page ? page.get() : kZeros) + addr % kPageBytes;
}

void Memory::Copy(uint64_t addr, uint64_t bytes, void* out) const {
  auto* to = static_cast<uint8_t*>(out);
  while (bytes > 0) {
    const uint64_t piece = std::min(bytes, kPageBytes - addr % kPageBytes);
    std::memcpy(to, Read(addr), piece);
    addr += piece;
    to += piece;
    bytes -= piece;
  }
}

void Memory::WriteLine(uint64_t addr, uint32_t line_bytes, const uint8_t* strobes,
                       const uint8_t* data) {
  uint8_t* line = At(addr);
  for (uint32_t byte = 0; byte < line_bytes; byte += 8) {
    const uint8_t mask = strobes[byte / 8];
    if (mask == 0xff) {
      std::memcpy(line + byte, data + byte, 8);
    } else if (mask != 0) {
      for (uint32_t b = 0; b < 8; ++b) {
        if (mask >> b & 1) line[byte + b] = data[byte + b];
      }
    }
  }
}

}  // namespace t3::sim
