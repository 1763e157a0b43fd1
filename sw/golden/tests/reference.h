// Second opinions on the arithmetic, made of nothing that the golden model uses:
// the compiler's floating point, Eigen's half and bfloat16, and real numbers.
#pragma once

#include <cstdint>

#include "sw/golden/format.h"

namespace t3::golden {

// a + b through Eigen (fp16, bf16) or the processor (fp32). Eigen adds in fp32
// and rounds again, which is harmless: 24 bits are at least twice 11, and two more.
uint32_t ReferenceAdd(Format f, uint32_t a, uint32_t b);

// The value of a finite pattern.
double ValueOf(Format f, uint32_t bits);

// Rounds a real number to fp16 or bf16 by its definition: to the nearest multiple of
// the last place's value, the even one of two. Sums of two bf16 numbers reach it
// rounded to 53 bits, which is harmless for the reason above.
uint32_t RoundReal(Format f, double value);

// Nearest-even conversion by Eigen (fp16, bf16).
uint32_t ReferenceFromFloat(Format f, float value);

bool IsNan(Format f, uint32_t bits);
bool IsInfinite(Format f, uint32_t bits);
bool IsSubnormal(Format f, uint32_t bits);

// Element `index` of a row of little-endian elements.
uint32_t ElementAt(Format f, const void* row, uint32_t index);

// A number from the environment, or the value that stands for it.
uint64_t FromEnvironment(const char* name, uint64_t otherwise);

}  // namespace t3::golden
