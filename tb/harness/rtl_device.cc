#include "tb/harness/rtl_device.h"

#include "t3_rtl_configs.h"

namespace t3::tb {

// Each in a file of its own, made from device_config.cc.in.
#define T3_DECLARE_FACTORY(name)                                 \
  std::unique_ptr<RtlDevice> MakeDevice_##name(uint32_t number); \
  std::unique_ptr<RtlDevice> MakeDevice_##name##_trace(uint32_t number);
T3_FOR_EACH_RTL_CONFIG(T3_DECLARE_FACTORY)
#undef T3_DECLARE_FACTORY

std::unique_ptr<RtlDevice> MakeRtlDevice(const std::string& config, bool traced, uint32_t number) {
#define T3_TRY_FACTORY(name) \
  if (config == #name)       \
    return traced ? MakeDevice_##name##_trace(number) : MakeDevice_##name(number);
  T3_FOR_EACH_RTL_CONFIG(T3_TRY_FACTORY)
#undef T3_TRY_FACTORY
  return nullptr;
}

const RtlConfig* FindRtlParameters(const std::string& config) {
  for (const RtlConfig& row : kRtlConfigs) {
    if (config == row.name) return &row;
  }
  return nullptr;
}

}  // namespace t3::tb
