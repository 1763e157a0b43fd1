#include "sim/dram/memory.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

namespace t3::sim {
namespace {

// Every page that was never touched; not const, so that it takes no room in the
// program's file.
uint8_t zeros[Memory::kPageBytes];

}  // namespace

Memory::Memory(uint64_t size_bytes)
    : pages_(size_bytes / kPageBytes + (size_bytes % kPageBytes != 0)) {}

uint64_t Memory::PageOf(uint64_t addr) const {
  const uint64_t page = addr / kPageBytes;
  if (page >= pages_.size()) {
    throw std::out_of_range("memory address " + std::to_string(addr) + " is beyond the end, " +
                            std::to_string(pages_.size() * kPageBytes));
  }
  return page;
}

uint8_t* Memory::At(uint64_t addr) {
  auto& page = pages_[PageOf(addr)];
  if (!page) page = std::make_unique<uint8_t[]>(kPageBytes);
  return page.get() + addr % kPageBytes;
}

const uint8_t* Memory::Read(uint64_t addr) const {
  const auto& page = pages_[PageOf(addr)];
  return (page ? page.get() : zeros) + addr % kPageBytes;
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
