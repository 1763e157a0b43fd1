#include "sim/gpu/panel_reads.h"

#include <algorithm>
#include <cassert>

#include "sim/gpu/channel_of.h"

namespace t3::sim {
namespace {

constexpr size_t kQueueLines = 256;   // listed per channel: enough to even out the channels
constexpr uint32_t kMaxSteps = 4096;  // read at the same time; more wait
constexpr uint32_t kStressGap = 8;

uint32_t Panels(const Operand& operand) {
  return static_cast<uint32_t>((uint64_t{operand.rows} + operand.panel_rows - 1) /
                               operand.panel_rows);
}

}  // namespace

PanelReads::PanelReads(const PanelReadsConfig& config, const Operand& a, const Operand& b)
    : config_(config),
      a_(a),
      b_(b),
      a_panels_(Panels(a)),
      panels_(a_panels_ + Panels(b)),
      steps_(std::min<size_t>(panels_.size(), std::min(kMaxSteps, 65536 / config.channels))),
      requests_(panels_.size()),
      arrivals_(steps_.size()),
      channels_(config.channels, Channel{FixedQueue<ReadAccess>(kQueueLines)}),
      random_(config.stress_seed) {
  for (size_t i = steps_.size(); i-- > 0;) free_steps_.push_back(static_cast<uint16_t>(i));
}

void PanelReads::Leave(uint32_t index) {
  Panel& panel = panels_[index];
  if (--panel.users != 0) return;
  assert(panel.requested == panel.arrived);
  panel.requested = panel.arrived = 0;
}

void PanelReads::Request(uint32_t index, uint32_t step) {
  Panel& panel = panels_[index];
  if (step < panel.requested) return;
  assert(step == panel.arrived && step == panel.requested);
  ++panel.requested;
  requests_.Append() = index;
}

bool PanelReads::NextArrival(uint32_t* panel) {
  if (arrivals_.empty()) return false;
  const uint16_t step = arrivals_.front();
  arrivals_.Pop();
  *panel = steps_[step].panel;
  ++panels_[*panel].arrived;
  free_steps_.push_back(step);
  return true;
}

void PanelReads::StartListing() {
  const uint32_t index = requests_.front();
  requests_.Pop();
  const uint16_t step = free_steps_.back();
  free_steps_.pop_back();
  steps_[step] = Step{index, 0, false};

  const bool is_a = index < a_panels_;
  const Operand& operand = is_a ? a_ : b_;
  const uint64_t first = uint64_t{is_a ? index : index - a_panels_} * operand.panel_rows;
  const uint64_t last = std::min<uint64_t>(first + operand.panel_rows, operand.rows);
  const uint64_t number = panels_[index].requested - 1;
  listing_.active = true;
  listing_.step = step;
  listing_.row = operand.base + first * config_.row_bytes;
  listing_.end = operand.base + last * config_.row_bytes;
  listing_.from = std::min(number * config_.step_bytes, config_.row_bytes);
  listing_.to = std::min(listing_.from + config_.step_bytes, config_.row_bytes);
  listing_.last = UINT64_MAX;
  StartRow();
}

void PanelReads::StartRow() {
  const uint64_t start = listing_.row + listing_.from;
  listing_.line = start & ~uint64_t{config_.line_bytes - 1};
  // The step before ended in this line, or the row before did.
  const bool here =
      (listing_.from != 0 && listing_.line != start) || listing_.line == listing_.last;
  if (here) listing_.line += config_.line_bytes;
  listing_.channel = ChannelOf(listing_.line, config_.channels);
}

// Moves on to a line that is to be listed; false: there is none.
bool PanelReads::NextLine() {
  while (listing_.row < listing_.end) {
    if (listing_.line < listing_.row + listing_.to) return true;
    listing_.row += config_.row_bytes;
    StartRow();
  }
  return false;
}

void PanelReads::Spread() {
  for (;;) {
    if (!listing_.active) {
      if (requests_.empty() || free_steps_.empty()) return;
      StartListing();
    }
    Step& step = steps_[listing_.step];
    while (NextLine()) {
      Channel& channel = channels_[listing_.channel];
      if (channel.queue.full()) return;
      channel.queue.Append() = {
          listing_.line,
          static_cast<uint16_t>(listing_.step * config_.channels + listing_.channel)};
      ++step.lines;
      listing_.last = listing_.line;
      listing_.line += config_.line_bytes;
      listing_.channel = ChannelOf(listing_.line, config_.channels);
    }
    listing_.active = false;
    step.listed = true;
    if (step.lines == 0) arrivals_.Append() = listing_.step;
  }
}

const ReadAccess* PanelReads::Offered(uint32_t index) {
  Channel& channel = channels_[index];
  if (!channel.offered) {
    channel.offered = !channel.queue.empty() && channel.not_before <= cycle_ &&
                      channel.under_way < config_.per_channel;
  }
  return channel.offered ? &channel.queue.front() : nullptr;
}

void PanelReads::Taken(uint32_t index) {
  Channel& channel = channels_[index];
  assert(channel.offered);
  channel.offered = false;
  channel.queue.Pop();
  ++channel.under_way;
  ++lines_taken_;
  if (config_.stress) channel.not_before = cycle_ + 1 + random_() % kStressGap;
}

void PanelReads::Done(uint16_t id) {
  --channels_[id % config_.channels].under_way;
  const auto index = static_cast<uint16_t>(id / config_.channels);
  Step& step = steps_[index];
  if (--step.lines == 0 && step.listed) arrivals_.Append() = index;
}

uint64_t PanelReads::NextEvent() const {
  if (!arrivals_.empty()) return cycle_ + 1;
  const bool listing = listing_.active || (!requests_.empty() && !free_steps_.empty());
  uint64_t next = listing ? cycle_ + 1 : UINT64_MAX;
  for (const Channel& channel : channels_) {
    if (channel.queue.empty() || channel.under_way >= config_.per_channel) continue;
    next = std::min(next, std::max(cycle_ + 1, channel.not_before));
  }
  return next;
}

}  // namespace t3::sim
