// Number formats and their addition in integer arithmetic: the reference that
// the hardware's adders are compared with. Shares nothing with RTL or simulator.
#pragma once

#include <cstddef>
#include <cstdint>

namespace t3::golden {

enum class Format : uint8_t { kFp16 = 0, kBf16 = 1, kFp32 = 2 };

// Bytes of one element: 2, 2, 4.
constexpr uint32_t ElementBytes(Format f) { return f == Format::kFp32 ? 4 : 2; }

// The bit pattern of -0.0 (8000, 8000, 80000000) and of the canonical NaN
// (7E00, 7FC0, 7FC00000).
uint32_t MinusZero(Format f);
uint32_t CanonicalNan(Format f);

// a + b, rounded to nearest even, subnormals exact, canonical NaN for every
// NaN operand and for inf - inf. x + (-0) is x bit for bit for every non-NaN x.
// The operands' bits above the format's width must be zero.
uint32_t Add(Format f, uint32_t a, uint32_t b);

// sum[i] := Add(f, sum[i], x[i]) for `count` little-endian elements. The arrays
// need no alignment and must not overlap.
void AddInto(Format f, const void* x, size_t count, void* sum);

// Nearest-even rounding of a finite float to the format (used by --data gemm);
// what is too large for the format becomes infinity.
uint32_t FromFloat(Format f, float value);

}  // namespace t3::golden
