#include "sim/gpu/gemm_producer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace t3::sim {
namespace {

uint32_t CeilDiv(uint64_t a, uint32_t b) { return static_cast<uint32_t>((a + b - 1) / b); }

uint32_t Slots(const GemmConfig& config) { return config.compute_units * config.workgroups_per_cu; }

// Cycles per operation of one slot: slots x clock / peak, both in thousands per second.
WorkRate RateOf(const GemmConfig& config) {
  const auto kilo = [](double value, double per) {
    return std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(value * per)));
  };
  const uint64_t num = Slots(config) * kilo(config.clock_ghz, 1e6);
  const uint64_t den = kilo(config.peak_tflops, 1e9);
  const uint64_t common = std::gcd(num, den);
  return WorkRate(num / common, den / common);
}

PanelReads MakeReads(const GemmConfig& config, const GemmProblem& problem) {
  const uint64_t element = golden::ElementBytes(problem.format);
  PanelReadsConfig reads;
  reads.channels = config.channels;
  reads.line_bytes = config.line_bytes;
  reads.per_channel = config.reads_per_channel;
  reads.row_bytes = problem.k * element;
  reads.step_bytes = config.tile_k * element;
  reads.stress = config.stress;
  reads.stress_seed = config.stress_seed * 2;
  return PanelReads(reads, {config.a_base, problem.m, config.tile_m},
                    {config.b_base, problem.n, config.tile_n});
}

TileStores MakeStores(const GemmConfig& config, const GemmProblem& problem,
                      const golden::Payload* payload) {
  TileStoresConfig stores;
  stores.channels = config.channels;
  stores.line_bytes = config.line_bytes;
  stores.device = problem.device;
  stores.m = problem.m;
  stores.n = problem.n;
  stores.tile_m = config.tile_m;
  stores.tile_n = config.tile_n;
  stores.wavefronts = config.wavefronts;
  stores.element_bytes = golden::ElementBytes(problem.format);
  stores.stress = config.stress;
  stores.stress_seed = config.stress_seed * 2 + 1;
  return TileStores(stores, Slots(config), payload);
}

}  // namespace

GemmProducer::GemmProducer(const GemmConfig& config, const GemmProblem& problem,
                           const golden::Payload* payload)
    : config_(config),
      problem_(problem),
      grid_x_(CeilDiv(problem.n, config.tile_n)),
      grid_y_(CeilDiv(problem.m, config.tile_m)),
      steps_(std::max(1u, CeilDiv(problem.k, config.tile_k))),
      rate_(RateOf(config)),
      reads_(MakeReads(config, problem)),
      stores_(MakeStores(config, problem, payload)),
      slots_(Slots(config)) {
  for (uint32_t i = Slots(config); i-- > 0;) free_slots_.push_back(i);
}

uint32_t GemmProducer::ChunkStart(uint32_t chunk) const {
  return static_cast<uint32_t>(uint64_t{chunk} * grid_x_ * grid_y_ / problem_.chunks);
}

uint32_t GemmProducer::TilesOf(const GemmKernel& kernel) const {
  uint32_t tiles = 0;
  for (const uint32_t chunk : kernel.chunk_order)
    tiles += ChunkStart(chunk + 1) - ChunkStart(chunk);
  return tiles;
}

void GemmProducer::Launch(uint64_t cycle, const GemmKernel& kernel) {
  cycle_ = std::max(cycle_, cycle);
  launched_.push_back(kernel);
  tiles_launched_ += TilesOf(kernel);
  if (!running_) StartKernel();
}

// Begins with the next kernel that stores something.
void GemmProducer::StartKernel() {
  while (!launched_.empty()) {
    next_chunk_ = next_tile_ = 0;
    tiles_left_ = TilesOf(launched_.front());
    running_ = tiles_left_ != 0;
    if (running_) {
      StartWorkgroups();
      return;
    }
    EndKernel();
  }
}

void GemmProducer::EndKernel() {
  stored_kernel_.push_back(launched_.front().kernel);
  stored_cycle_.push_back(cycle_);
  launched_.pop_front();
  running_ = false;
}

// The next tile in the kernel's order of chunks.
bool GemmProducer::NextTile(uint32_t* chunk, uint32_t* tile) {
  const auto& order = launched_.front().chunk_order;
  for (; next_chunk_ < order.size(); ++next_chunk_, next_tile_ = 0) {
    *chunk = order[next_chunk_];
    *tile = ChunkStart(*chunk) + next_tile_;
    if (*tile < ChunkStart(*chunk + 1)) {
      ++next_tile_;
      return true;
    }
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
    slot.state = State::kWaiting;
    reads_.Join(PanelA(slot));
    reads_.Join(PanelB(slot));
    Request(slot, 0);
    if (HasStep(slot)) StartStep(index, {cycle_, 0});
  }
}

void GemmProducer::Request(const Slot& slot, uint32_t step) {
  reads_.Request(PanelA(slot), step);
  reads_.Request(PanelB(slot), step);
}

// The data of the slot's next step is there.
bool GemmProducer::HasStep(const Slot& slot) const {
  return reads_.ArrivedSteps(PanelA(slot)) > slot.step &&
         reads_.ArrivedSteps(PanelB(slot)) > slot.step;
}

// Computes slot.step from `time` on, and asks for the data of the next one.
void GemmProducer::StartStep(uint32_t index, WorkTime time) {
  Slot& slot = slots_[index];
  slot.state = State::kComputing;
  const uint64_t rows = std::min(config_.tile_m, problem_.m - slot.y * config_.tile_m);
  const uint64_t cols = std::min(config_.tile_n, problem_.n - slot.x * config_.tile_n);
  const uint64_t depth = std::min(config_.tile_k, problem_.k - slot.step * config_.tile_k);
  slot.time = rate_.After(time, 2 * rows * cols * depth);
  events_.push({slot.time, index});
  if (slot.step + 1 < steps_) Request(slot, slot.step + 1);
}

void GemmProducer::EndStep(uint32_t index) {
  Slot& slot = slots_[index];
  if (++slot.step == steps_) {
    StartStores(index);
    return;
  }
  slot.state = State::kWaiting;
  if (HasStep(slot)) StartStep(index, slot.time);
}

// Starts the slots that waited for the panel alone.
void GemmProducer::Wake(uint32_t panel) {
  for (uint32_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (slot.state == State::kWaiting && (PanelA(slot) == panel || PanelB(slot) == panel) &&
        HasStep(slot)) {
      StartStep(i, {cycle_, 0});
    }
  }
}

void GemmProducer::StartStores(uint32_t index) {
  Slot& slot = slots_[index];
  slot.state = State::kStoring;
  reads_.Leave(PanelA(slot));
  reads_.Leave(PanelB(slot));
  const GemmKernel& kernel = launched_.front();
  stores_.Start(index, {kernel.kernel, kernel.ctx, slot.chunk, slot.x, slot.y, kernel.out_base,
                        kernel.pitch_bytes});
}

void GemmProducer::Begin(uint64_t cycle) {
  cycle_ = cycle;
  reads_.Begin(cycle);
  for (uint32_t panel; reads_.NextArrival(&panel);) Wake(panel);
  const WorkTime now{cycle, 0};
  while (!events_.empty() && !(now < events_.top().time)) {
    const uint32_t index = events_.top().slot;
    events_.pop();
    EndStep(index);
  }
  reads_.Spread();
  stores_.Begin(cycle);
}

const StoreAccess* GemmProducer::Store(uint32_t channel) { return stores_.Offered(channel); }

void GemmProducer::StoreTaken(uint32_t channel) {
  const uint32_t index = stores_.Taken(channel);
  if (index == TileStores::kNone) return;
  slots_[index].state = State::kFree;
  free_slots_.push_back(index);
  ++tiles_done_;
  if (--tiles_left_ != 0) {
    StartWorkgroups();
  } else {
    EndKernel();
    StartKernel();
  }
}

const ReadAccess* GemmProducer::Read(uint32_t channel) { return reads_.Offered(channel); }

void GemmProducer::ReadTaken(uint32_t channel) { reads_.Taken(channel); }

void GemmProducer::ReadDone(uint16_t id) { reads_.Done(id); }

uint32_t GemmProducer::KernelsStored() const {
  return static_cast<uint32_t>(stored_kernel_.size());
}

uint64_t GemmProducer::StoredCycle(uint32_t kernel) const {
  for (size_t i = 0; i < stored_kernel_.size(); ++i) {
    if (stored_kernel_[i] == kernel) return stored_cycle_[i];
  }
  return UINT64_MAX;
}

uint64_t GemmProducer::ReadBytes() const { return reads_.bytes(); }

bool GemmProducer::Idle() const { return !running_; }

uint64_t GemmProducer::NextEvent() const {
  if (!running_) return UINT64_MAX;
  uint64_t next = std::min(reads_.NextEvent(), stores_.NextEvent());
  if (!events_.empty()) next = std::min(next, std::max(cycle_ + 1, events_.top().time.Ceil()));
  return next;
}

double GemmProducer::Fraction() const {
  return tiles_launched_ == 0
             ? 0.0
             : static_cast<double>(tiles_done_) / static_cast<double>(tiles_launched_);
}

}  // namespace t3::sim
