// RtlDevice over the class that Verilator made of one configuration.
#pragma once

#include <verilated.h>

#include <string>

#include "tb/harness/rtl_device.h"

namespace t3::tb {

// `Trace` is VerilatedFstC for a model built with --trace-fst, else NoTrace.
struct NoTrace {};

template <class Top, class Trace>
class VerilatedDevice final : public RtlDevice {
  static constexpr bool kTraced = !std::is_same_v<Trace, NoTrace>;

 public:
  explicit VerilatedDevice(uint32_t number) {
    context_.threads(1);
    context_.fatalOnError(false);
    context_.randReset(0);
    if (kTraced) context_.traceEverOn(true);
    top_ = std::make_unique<Top>(&context_, ("dev" + std::to_string(number)).c_str());
#define T3_BIND_PORT(name) \
  this->name =             \
      Port{reinterpret_cast<uint8_t*>(&top_->name), static_cast<uint32_t>(sizeof(top_->name))};
    T3_TOP_PORTS(T3_BIND_PORT)
#undef T3_BIND_PORT
  }
  ~VerilatedDevice() override {
    CloseTrace();
    top_->final();
  }

  void Eval(bool high) override {
    top_->clk_i = high;
    top_->eval();
  }
  bool Failed() const override { return context_.gotError(); }

  void OpenTrace(const std::string& path) override {
    if constexpr (kTraced) {
      trace_ = std::make_unique<Trace>();
      trace_->set_time_unit("1ns");
      trace_->set_time_resolution("1ns");
      top_->trace(trace_.get(), 99);
      trace_->open(path.c_str());
    }
  }
  void DumpTrace(uint64_t time) override {
    if constexpr (kTraced) trace_->dump(time);
  }
  void CloseTrace() override {
    if constexpr (kTraced) {
      if (trace_) trace_->close();
      trace_.reset();
    }
  }

 private:
  VerilatedContext context_;
  std::unique_ptr<Top> top_;
  std::unique_ptr<Trace> trace_;
};

}  // namespace t3::tb
