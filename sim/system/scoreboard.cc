#include "sim/system/scoreboard.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <utility>

namespace t3::sim {

Scoreboard::Scoreboard(const RunRequest& request, const Layout& layout)
    : request_(request), layout_(layout), spec_(MakeRingSpec(request)) {}

void Scoreboard::Snapshot(uint32_t device, uint32_t kernel, const Memory& memory) {
  std::vector<uint8_t> rows(request_.m * layout_.row_bytes);
  const uint64_t base = layout_.buffer_base[kernel % 2];
  for (uint32_t row = 0; row < request_.m; ++row) {
    memory.Copy(base + row * layout_.pitch_bytes, layout_.row_bytes,
                rows.data() + row * layout_.row_bytes);
  }
  std::lock_guard<std::mutex> lock(mutex_);
  auto& devices = snapshots_[kernel];
  devices.resize(request_.devices);
  devices[device] = std::move(rows);
}

void Scoreboard::CheckComplete() {
  while (!snapshots_.empty()) {
    const auto first = snapshots_.begin();
    const auto& devices = first->second;
    if (first->first != next_kernel_ ||
        std::any_of(devices.begin(), devices.end(),
                    [](const auto& rows) { return rows.empty(); })) {
      return;
    }
    Check(next_kernel_++, [&](uint32_t device, uint32_t row) {
      return devices[device].data() + row * layout_.row_bytes;
    });
    snapshots_.erase(first);
  }
}

void Scoreboard::CheckInPlace(const std::vector<const Memory*>& memories) {
  Check(0, [&](uint32_t device, uint32_t row) -> const uint8_t* {
    const uint64_t at = layout_.buffer_base[0] + row * layout_.pitch_bytes;
    if (at / Memory::kPageBytes == (at + layout_.row_bytes - 1) / Memory::kPageBytes) {
      return memories[device]->Read(at);
    }
    thread_local std::vector<uint8_t> buffer;
    buffer.resize(layout_.row_bytes);
    memories[device]->Copy(at, layout_.row_bytes, buffer.data());
    return buffer.data();
  });
}

void Scoreboard::Check(uint32_t kernel, const golden::RowReader& row_of) {
  const golden::CheckResult result = golden::Check(spec_, kernel, row_of, request_.threads);
  checked_ += result.checked;
  if (result.wrong > 0 && wrong_ == 0) {
    first_ =
        request_.repeat > 1 ? fmt::format("kernel {}: {}", kernel, result.first) : result.first;
  }
  wrong_ += result.wrong;
  crc32_ = kernel == 0
               ? result.crc32
               : static_cast<uint32_t>(crc32_combine(
                     crc32_, result.crc32, static_cast<z_off_t>(request_.m * layout_.row_bytes)));
}

}  // namespace t3::sim
