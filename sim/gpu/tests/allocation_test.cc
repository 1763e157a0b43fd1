// Replaces the program's operator new: in steady state nothing is allocated.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "sim/gpu/gemm_producer.h"

namespace {
uint64_t allocations = 0;
}  // namespace

void* operator new(size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace t3::sim {
namespace {

TEST(GemmProducerMemory, AllocatesNothingBetweenLaunchAndEnd) {
  GemmConfig config;
  config.compute_units = 3;
  const GemmProblem problem{700, 900, 200, 4, golden::Format::kFp16, 0};
  const golden::Payload payload(
      {golden::DataKind::kRandom, problem.format, 1, problem.m, problem.n, problem.k});
  GemmProducer producer(config, problem, &payload);
  GemmKernel kernel;
  kernel.out_base = 1 << 20;
  kernel.pitch_bytes = problem.n * 2;
  kernel.chunk_order = {3, 2, 1, 0};
  // The answers of the memory, without a container that allocates.
  std::vector<uint16_t> answers(1 << 16);
  uint64_t head = 0, tail = 0, cycle = 0, stores = 0;
  const auto step = [&] {
    for (; head != tail; ++head) producer.ReadDone(answers[head % answers.size()]);
    producer.Begin(cycle++);
    for (uint32_t c = 0; c < config.channels; ++c) {
      if (producer.Store(c) != nullptr) {
        producer.StoreTaken(c);
        ++stores;
      }
      if (const ReadAccess* read = producer.Read(c)) {
        answers[tail++ % answers.size()] = read->id;
        producer.ReadTaken(c);
      }
    }
  };
  // The first kernel may warm up what it needs, the second finds it there.
  for (const double end : {0.5, 1.0}) {
    producer.Launch(cycle, kernel);
    for (int i = 0; i < 100; ++i) step();
    const uint64_t before = allocations;
    while (producer.Fraction() < end - 0.05) step();
    if (end == 1.0) {
      EXPECT_EQ(allocations, before);
    }
    while (!producer.Idle()) step();
  }
  EXPECT_GT(stores, 2u * problem.m * problem.n * 2 / config.line_bytes);
}

}  // namespace
}  // namespace t3::sim
