// Bit fields of packed vectors, as Verilator stores them: little-endian 32-bit
// words, bit 0 first.
#pragma once

#include <cstdint>
#include <cstring>

namespace t3::tb {

// The field of `width` bits (1..64) whose lowest bit is `lsb`. The vector is
// wider than 32 bits, or the field does not reach over its first word; nothing
// beyond the words that hold the field is read.
inline uint64_t LoadBits(const uint8_t* vector, uint32_t lsb, uint32_t width) {
  const uint8_t* at = vector + (lsb >> 5) * 4;
  const uint32_t shift = lsb & 31;
  const uint32_t reach = shift + width;
  uint32_t word;
  std::memcpy(&word, at, 4);
  uint64_t value = word >> shift;
  if (reach > 32) {
    std::memcpy(&word, at + 4, 4);
    value |= uint64_t{word} << (32 - shift);
    if (reach > 64) {
      std::memcpy(&word, at + 8, 4);
      value |= uint64_t{word} << (64 - shift);
    }
  }
  return width == 64 ? value : value & ((uint64_t{1} << width) - 1);
}

// Replaces that field; the bits above `width` of `value` must be zero.
inline void StoreBits(uint8_t* vector, uint32_t lsb, uint32_t width, uint64_t value) {
  uint8_t* at = vector + (lsb >> 5) * 4;
  uint32_t shift = lsb & 31;
  while (width > 0) {
    const uint32_t part = width < 32 - shift ? width : 32 - shift;
    const uint32_t mask = (part == 32 ? ~uint32_t{0} : (uint32_t{1} << part) - 1) << shift;
    uint32_t word;
    std::memcpy(&word, at, 4);
    word = (word & ~mask) | ((static_cast<uint32_t>(value) << shift) & mask);
    std::memcpy(at, &word, 4);
    value = part == 32 ? value >> 32 : value >> part;
    width -= part;
    shift = 0;
    at += 4;
  }
}

// Copies `width` bits from one vector to another. Both are wider than 32 bits.
inline void CopyBits(uint8_t* to, uint32_t to_lsb, const uint8_t* from, uint32_t from_lsb,
                     uint32_t width) {
  if (((to_lsb | from_lsb) & 7) == 0) {
    const uint32_t bytes = width / 8;
    std::memcpy(to + to_lsb / 8, from + from_lsb / 8, bytes);
    to_lsb += bytes * 8;
    from_lsb += bytes * 8;
    width -= bytes * 8;
  }
  while (width > 0) {
    const uint32_t part = width < 64 ? width : 64;
    StoreBits(to, to_lsb, part, LoadBits(from, from_lsb, part));
    to_lsb += part;
    from_lsb += part;
    width -= part;
  }
}

// A vector of at most 32 bits, in 1, 2 or 4 bytes.
inline uint32_t LoadMask(const uint8_t* vector, uint32_t bytes) {
  if (bytes == 1) return *vector;
  if (bytes == 2) {
    uint16_t value;
    std::memcpy(&value, vector, 2);
    return value;
  }
  uint32_t value;
  std::memcpy(&value, vector, 4);
  return value;
}

inline void StoreMask(uint8_t* vector, uint32_t bytes, uint32_t value) {
  std::memcpy(vector, &value, bytes);  // little-endian, as everything here
}

// Number of strobed bytes of a line.
inline uint32_t CountStrobes(const uint8_t* strobes, uint32_t line_bytes) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < line_bytes / 8; i += 8) {
    uint64_t word;
    std::memcpy(&word, strobes + i, 8);
    count += static_cast<uint32_t>(__builtin_popcountll(word));
  }
  return count;
}

}  // namespace t3::tb
