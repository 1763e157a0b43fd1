#include "sim/gpu/gemm_producer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace t3::sim {
namespace {

// Panel steps read at once; a request beyond waits for an id.
constexpr uint32_t kStepReads = 4096;

// Chunk c of C holds tiles [floor(c*T/C), floor((c+1)*T/C)) of T.
uint32_t ChunkStart(uint32_t chunk, uint32_t chunks, uint32_t tiles) {
  return static_cast<uint32_t>(uint64_t{chunk} * tiles / chunks);
}

}  // namespace

uint32_t ChannelOf(uint64_t addr, uint32_t channels) {
  if (channels <= 1) return 0;
  const uint32_t width = static_cast<uint32_t>(__builtin_ctz(channels));
  uint32_t fold = 0;
  for (uint64_t block = addr >> 8; block != 0; block >>= width) fold ^= static_cast<uint32_t>(block);
  return fold & (channels - 1);
}

GemmProducer::GemmProducer(const GemmConfig& config, const GemmProblem& problem,
                           const golden::Payload* payload)
    : config_(config),
      problem_(problem),
      payload_(payload),
      grid_x_((problem.n + config.tile_n - 1) / config.tile_n),
      grid_y_((problem.m + config.tile_m - 1) / config.tile_m),
      steps_((problem.k + config.tile_k - 1) / config.tile_k),
      element_bytes_(golden::ElementBytes(problem.format)),
      slots_(config.compute_units * config.workgroups_per_cu),
      panels_(grid_x_ + grid_y_),
      step_reads_(kStepReads),
      ports_(config.channels),
      random_(config.stress_seed) {
  // Each slot has its share of the peak rate.
  cycles_per_flop_ = static_cast<double>(slots_.size()) * config.clock_ghz /
                     (config.peak_tflops * 1000.0);
  for (uint32_t i = static_cast<uint32_t>(slots_.size()); i-- > 0;) free_slots_.push_back(i);
  for (uint32_t i = kStepReads; i-- > 0;) free_ids_.push_back(static_cast<uint16_t>(i));
  for (Panel& panel : panels_) panel.arrived.resize(steps_);
}

void GemmProducer::Launch(uint64_t cycle, const GemmKernel& kernel) {
  cycle_ = std::max(cycle_, cycle);
  launched_.push_back(kernel);
  tiles_launched_ += uint64_t{grid_x_} * grid_y_;
  if (!running_) StartKernel();
}

void GemmProducer::StartKernel() {
  while (!launched_.empty()) {
    running_ = true;
    next_chunk_ = next_tile_ = 0;
    tiles_left_ = 0;
    const uint32_t tiles = grid_x_ * grid_y_;
    for (uint32_t chunk : launched_.front().chunk_order) {
      tiles_left_ += ChunkStart(chunk + 1, problem_.chunks, tiles) -
                     ChunkStart(chunk, problem_.chunks, tiles);
    }
    if (tiles_left_ != 0) {
      StartWorkgroups();
      return;
    }
    stored_kernel_.push_back(launched_.front().kernel);
    stored_cycle_.push_back(cycle_);
    launched_.pop_front();
    running_ = false;
  }
}

// The next tile in the kernel's order of chunks.
bool GemmProducer::NextTile(uint32_t* chunk, uint32_t* tile) {
  const auto& order = launched_.front().chunk_order;
  const uint32_t tiles = grid_x_ * grid_y_;
  while (next_chunk_ < order.size()) {
    const uint32_t c = order[next_chunk_];
    const uint32_t first = ChunkStart(c, problem_.chunks, tiles);
    if (first + next_tile_ < ChunkStart(c + 1, problem_.chunks, tiles)) {
      *chunk = c;
      *tile = first + next_tile_++;
      return true;
    }
    ++next_chunk_;
    next_tile_ = 0;
  }
  return false;
}

void GemmProducer::StartWorkgroups() {
  uint32_t chunk, tile;
  while (!free_slots_.empty() && NextTile(&chunk, &tile)) {
    const uint32_t index = free_slots_.back();
    free_slots_.pop_back();
    Slot& slot = slots_[index];
    slot.x = static_cast<uint16_t>(config_.column_major ? tile / grid_y_ : tile % grid_x_);
    slot.y = static_cast<uint16_t>(config_.column_major ? tile % grid_y_ : tile / grid_x_);
    slot.chunk = static_cast<uint16_t>(chunk);
    slot.step = 0;
    slot.time = static_cast<double>(cycle_);
    slot.state = State::kWaiting;
    ++panels_[slot.y].users;
    ++panels_[grid_y_ + slot.x].users;
    Request(slot.y, 0);
    Request(grid_y_ + slot.x, 0);
    if (HasStep(slot, 0)) StartStep(index, slot.time);
  }
}

bool GemmProducer::HasStep(const Slot& slot, uint32_t step) const {
  return panels_[slot.y].arrived[step] && panels_[grid_y_ + slot.x].arrived[step];
}

// Reads a panel's step unless some workgroup has asked for it already.
void GemmProducer::Request(uint32_t index, uint32_t step) {
  Panel& panel = panels_[index];
  if (step < panel.requested) return;
  if (free_ids_.empty()) {
    waiting_requests_.emplace_back(index, step);
    panel.requested = step + 1;
    return;
  }
  panel.requested = step + 1;
  const uint16_t id = free_ids_.back();
  free_ids_.pop_back();
  const bool is_a = index < grid_y_;
  const uint32_t tile = is_a ? config_.tile_m : config_.tile_n;
  const uint32_t first_row = (is_a ? index : index - grid_y_) * tile;
  const uint32_t last_row = std::min(first_row + tile, is_a ? problem_.m : problem_.n);
  const uint64_t row_bytes = uint64_t{problem_.k} * element_bytes_;
  const uint64_t from = uint64_t{step} * config_.tile_k * element_bytes_;
  const uint64_t to = std::min(row_bytes, from + uint64_t{config_.tile_k} * element_bytes_);
  const uint64_t mask = ~uint64_t{config_.line_bytes - 1};
  uint32_t lines = 0;
  for (uint32_t row = first_row; row < last_row; ++row) {
    const uint64_t base = (is_a ? config_.a_base : config_.b_base) + row * row_bytes;
    uint64_t line = (base + from) & mask;
    // The line that the step before ended in is here already.
    if (step > 0 && line != base + from) line += config_.line_bytes;
    for (; line < base + to; line += config_.line_bytes) {
      ports_[ChannelOf(line, config_.channels)].reads.Push({line, id});
      ++lines;
    }
  }
  step_reads_[id] = {index, step, lines};
  if (lines == 0) {
    step_reads_[id].lines = 1;
    ReadDone(id);
    return;
  }
  read_bytes_ += uint64_t{lines} * config_.line_bytes;
}

void GemmProducer::ReadDone(uint16_t id) {
  StepRead& read = step_reads_[id];
  if (--read.lines != 0) return;
  const uint32_t panel = read.panel, step = read.step;
  free_ids_.push_back(id);
  panels_[panel].arrived[step] = 1;
  for (uint32_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (slot.state == State::kWaiting && slot.step == step &&
        (slot.y == panel || grid_y_ + slot.x == panel) && HasStep(slot, step)) {
      StartStep(i, std::max(slot.time, static_cast<double>(cycle_)));
    }
  }
  if (!waiting_requests_.empty()) {
    const auto [next, next_step] = waiting_requests_.front();
    waiting_requests_.pop_front();
    const uint32_t requested = panels_[next].requested;
    panels_[next].requested = next_step;
    Request(next, next_step);
    panels_[next].requested = requested;
  }
}

// Computes slot.step from `time` on, and asks for the data of the next one.
void GemmProducer::StartStep(uint32_t index, double time) {
  Slot& slot = slots_[index];
  slot.state = State::kComputing;
  const uint32_t rows = std::min(config_.tile_m, problem_.m - slot.y * config_.tile_m);
  const uint32_t cols = std::min(config_.tile_n, problem_.n - slot.x * config_.tile_n);
  const uint32_t depth = std::min(config_.tile_k, problem_.k - slot.step * config_.tile_k);
  slot.time = time + 2.0 * rows * cols * depth * cycles_per_flop_;
  events_.push({slot.time, index});
  if (slot.step + 1 < steps_) {
    Request(slot.y, slot.step + 1);
    Request(grid_y_ + slot.x, slot.step + 1);
  }
}

void GemmProducer::EndStep(uint32_t index) {
  Slot& slot = slots_[index];
  if (++slot.step == steps_) {
    StartStores(index);
    return;
  }
  slot.state = State::kWaiting;
  if (HasStep(slot, slot.step)) StartStep(index, slot.time);
}

void GemmProducer::StartStores(uint32_t index) {
  Slot& slot = slots_[index];
  slot.state = State::kStoring;
  for (uint32_t panel : {uint32_t{slot.y}, grid_y_ + slot.x}) {
    if (--panels_[panel].users == 0) {
      panels_[panel].requested = 0;
      std::fill(panels_[panel].arrived.begin(), panels_[panel].arrived.end(), 0);
    }
  }
  const GemmKernel& kernel = launched_.front();
  const uint32_t row0 = slot.y * config_.tile_m, col0 = slot.x * config_.tile_n;
  const uint32_t rows = std::min(config_.tile_m, problem_.m - row0);
  const uint32_t cols = std::min(config_.tile_n, problem_.n - col0);
  const uint32_t tile_pitch = config_.tile_n * element_bytes_;
  const uint32_t row_bytes = cols * element_bytes_;
  const uint32_t band = config_.tile_m / config_.wavefronts;
  slot.tile.resize(size_t{config_.tile_m} * tile_pitch);
  slot.lines_left = 0;
  for (uint32_t r = 0; r < rows; ++r) {
    payload_->Row(problem_.device, kernel.kernel, row0 + r, col0, cols,
                  slot.tile.data() + size_t{r} * tile_pitch);
    const uint64_t start =
        kernel.out_base + (row0 + r) * kernel.pitch_bytes + uint64_t{col0} * element_bytes_;
    const uint64_t end = start + row_bytes;
    for (uint64_t line = start & ~uint64_t{config_.line_bytes - 1}; line < end;
         line += config_.line_bytes) {
      const uint64_t from = std::max(line, start);
      const uint64_t to = std::min(line + config_.line_bytes, end);
      ports_[ChannelOf(line, config_.channels)].stores.Push(
          {line, index, static_cast<uint32_t>(r * tile_pitch + (from - start)),
           static_cast<uint8_t>(r / band), static_cast<uint8_t>(from - line),
           static_cast<uint8_t>(to - line - 1)});
      ++slot.lines_left;
    }
  }
}

// The slot's last store was taken.
void GemmProducer::Release(uint32_t index) {
  slots_[index].state = State::kFree;
  free_slots_.push_back(index);
  ++tiles_done_;
  if (--tiles_left_ == 0) {
    stored_kernel_.push_back(launched_.front().kernel);
    stored_cycle_.push_back(cycle_);
    launched_.pop_front();
    running_ = false;
    StartKernel();
  } else {
    StartWorkgroups();
  }
}

void GemmProducer::Begin(uint64_t cycle) {
  cycle_ = cycle;
  while (!events_.empty() && events_.top().time <= static_cast<double>(cycle)) {
    const uint32_t index = events_.top().slot;
    events_.pop();
    EndStep(index);
  }
}

const StoreAccess* GemmProducer::Store(uint32_t channel) {
  Port& port = ports_[channel];
  if (port.stores.empty() || port.store_from > cycle_) return nullptr;
  if (!port.store_built) {
    const StoreLine& line = port.stores.front();
    const Slot& slot = slots_[line.slot];
    StoreAccess& store = port.store;
    store.ctx = launched_.front().ctx;
    store.chunk = slot.chunk;
    store.wgx = slot.x;
    store.wgy = slot.y;
    store.wf = line.wf;
    store.addr = line.addr;
    std::memset(store.strobes, 0, sizeof store.strobes);
    for (uint32_t b = line.first; b <= line.last; ++b) {
      store.strobes[b / 8] |= static_cast<uint8_t>(1u << (b % 8));
    }
    std::memcpy(store.data + line.first, slot.tile.data() + line.offset,
                line.last - line.first + 1u);
    port.store_built = true;
  }
  return &port.store;
}

void GemmProducer::StoreTaken(uint32_t channel) {
  Port& port = ports_[channel];
  const uint32_t index = port.stores.front().slot;
  port.stores.Pop();
  port.store_built = false;
  if (config_.stress) port.store_from = cycle_ + 1 + random_() % 8;
  if (--slots_[index].lines_left == 0) Release(index);
}

const ReadAccess* GemmProducer::Read(uint32_t channel) {
  Port& port = ports_[channel];
  if (port.reads.empty() || port.read_from > cycle_) return nullptr;
  return &port.reads.front();
}

void GemmProducer::ReadTaken(uint32_t channel) {
  Port& port = ports_[channel];
  port.reads.Pop();
  if (config_.stress) port.read_from = cycle_ + 1 + random_() % 8;
}

uint32_t GemmProducer::KernelsStored() const { return static_cast<uint32_t>(stored_kernel_.size()); }

uint64_t GemmProducer::StoredCycle(uint32_t kernel) const {
  for (size_t i = 0; i < stored_kernel_.size(); ++i) {
    if (stored_kernel_[i] == kernel) return stored_cycle_[i];
  }
  return UINT64_MAX;
}

uint64_t GemmProducer::ReadBytes() const { return read_bytes_; }

bool GemmProducer::Idle() const { return !running_; }

uint64_t GemmProducer::NextEvent() const {
  if (!running_) return UINT64_MAX;
  for (const Port& port : ports_) {
    if (!port.stores.empty() || !port.reads.empty()) {
      return cycle_ + 1;
    }
  }
  if (events_.empty()) return UINT64_MAX;
  return std::max(cycle_ + 1, static_cast<uint64_t>(std::ceil(events_.top().time)));
}

double GemmProducer::Fraction() const {
  return tiles_launched_ == 0 ? 0.0
                              : static_cast<double>(tiles_done_) / static_cast<double>(tiles_launched_);
}

}  // namespace t3::sim
