// What the benches of clocked modules share: the model, its clock, its seed. A
// cycle is: drive inputs, Settle(), look at outputs, Edge().
#pragma once

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <memory>
#include <random>

namespace t3::tb {

template <class Model>
class ClockBench {
 public:
  explicit ClockBench(uint64_t seed) : random_(seed), seed_(seed) {
    context_.threads(1);
    context_.fatalOnError(false);
    dut_ = std::make_unique<Model>(&context_);
  }
  // An assertion of the RTL that was hit fails the test, unless TakeError() took it.
  virtual ~ClockBench() { EXPECT_FALSE(context_.gotError()) << "seed " << seed_; }
  ClockBench(const ClockBench&) = delete;
  ClockBench& operator=(const ClockBench&) = delete;

  Model* operator->() { return dut_.get(); }
  uint64_t cycle() const { return cycle_; }

  void Settle() {
    dut_->clk_i = 0;
    dut_->eval();
  }
  void Edge() {
    dut_->clk_i = 1;
    dut_->eval();
    ++cycle_;
  }
  // Two cycles of reset; the inputs are as they are.
  void Reset() {
    dut_->rst_ni = 0;
    for (int i = 0; i < 2; ++i) {
      Settle();
      Edge();
    }
    dut_->rst_ni = 1;
  }
  // Whether an assertion was hit since the last call.
  bool TakeError() {
    const bool error = context_.gotError();
    context_.gotError(false);
    return error;
  }

  uint64_t Draw() { return random_(); }
  // Uniform in [low, high].
  uint64_t Draw(uint64_t low, uint64_t high) {
    return std::uniform_int_distribution<uint64_t>(low, high)(random_);
  }
  bool Chance(uint32_t percent) { return Draw(0, 99) < percent; }
  std::mt19937_64& random() { return random_; }

 private:
  VerilatedContext context_;
  std::unique_ptr<Model> dut_;
  std::mt19937_64 random_;
  uint64_t seed_;
  uint64_t cycle_ = 0;
};

// The bytes of a port, in the layout that bits.h reads.
template <class Port>
uint8_t* Bytes(Port& port) {
  return reinterpret_cast<uint8_t*>(&port);
}
template <class Port>
const uint8_t* Bytes(const Port& port) {
  return reinterpret_cast<const uint8_t*>(&port);
}

}  // namespace t3::tb
