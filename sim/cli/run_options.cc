#include "sim/cli/run_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "sim/cli/arguments.h"
#include "sim/cli/text.h"
#include "sim/cli/workloads.h"
#include "sim/report/usage_error.h"

namespace t3::sim {
namespace {

constexpr uint32_t kMaxDimension = (1u << 24) - 1;       // t3_pkg::DimW
constexpr uint32_t kMaxGrid = 1u << 16;                  // t3_pkg::GridW
constexpr uint64_t kMaxSubtiles = 1u << 24;              // t3_pkg::SubW
constexpr uint64_t kMaxBufferBytes = uint64_t{1} << 38;  // a quarter of t3_pkg::AddrW
constexpr uint32_t kMaxDevices = 64;

const std::vector<OptionGroup>& Groups() {
  static const std::vector<OptionGroup> groups = {
      {"Workload",
       {{"model", "NAME", "a named model; with --layer and --tp (t3sim list shows them)"},
        {"layer", "NAME", "op, fc2, fc1 or ip of the model"},
        {"m", "ROWS", "rows of the output; with --n, --k and --tp instead of a model"},
        {"n", "COLUMNS", "columns of the output"},
        {"k", "DEPTH", "local (sliced) K of each device"},
        {"tp", "N", "devices that share the layer, 1 to 64"},
        {"dtype", "FORMAT", "fp16 (default), bf16 or fp32"},
        {"data", "KIND",
         "random (default): hashed values; specials: subnormals, infinities, NaN, signed zeros, "
         "cancellation; gemm: the product of real sliced matrices"},
        {"seed", "S", "of the data (default 1)"},
        {"repeat", "R", "kernels back to back without a barrier (default 1), 1 to 10000"}}},
      {"What runs",
       {{"collective", "KIND",
         "ar (default): reduce-scatter, then all-gather; rs: the first alone"},
        {"direction", "WAY", "the ring's successor: up (default) is d+1, down is d-1"},
        {"mode", "LIST", "t3, t3-mca (default), a list of them, or all: a run each"},
        {"devices", "KIND", "full (default): every device is RTL"},
        {"rtl-config", "NAME", "configuration of the RTL (default: default)"},
        {"stress", "SEED", "random stalls on every interface and skew between the devices"},
        {"threads", "T",
         "threads that simulate (default: the cores); results do not depend on it"}}},
      {"System",
       {{"system", "FILE.ini", "system keys from a file (t3sim list --keys shows them)"},
        {"set", "SECTION.KEY=VALUE", "one system key, over the file; repeatable", true}}},
      {"Reports",
       {{"json", "FILE", "the report as JSON; - is standard output"},
        {"csv", "FILE", "the report as CSV; - is standard output"},
        {"trace", "FILE.fst", "waves of one device"},
        {"trace-from", "CYCLE", "first cycle of the waves (default 0)"},
        {"trace-to", "CYCLE", "last cycle of the waves (default: the end)"},
        {"trace-device", "D", "the device (default 0)"},
        {"progress", "WHEN", "auto (default: on a terminal), on or off; on standard error"},
        {"help", "", "this text"}}},
      {"",
       {{"timeline", "FILE", "", false, true},
        {"test-hook", "FAULT[@DEVICE[:AFTER]]", "", false, true}}},
  };
  return groups;
}

[[noreturn]] void NotThereYet(const std::string& what) {
  throw UsageError(fmt::format("{} is not there yet", what));
}

// The value of an option among `now`; `later` are values that are announced only.
size_t ChoiceOf(const std::string& what, const std::string& text,
                const std::vector<std::string>& now, const std::vector<std::string>& later = {}) {
  if (std::find(later.begin(), later.end(), text) != later.end()) NotThereYet(what + " " + text);
  return ParseChoice(what, text, now);
}

uint64_t IntegerOf(const Arguments& args, const std::string& name, uint64_t fallback, uint64_t min,
                   uint64_t max) {
  const auto text = args.Get(name);
  return text ? ParseInteger("--" + name, *text, min, max) : fallback;
}

// The shape: a named workload or --m, --n, --k.
void ReadShape(const Arguments& args, RunOptions* options) {
  const bool named = args.Has("model") || args.Has("layer");
  std::vector<std::string> needed = named ? std::vector<std::string>{"model", "layer", "tp"}
                                          : std::vector<std::string>{"m", "n", "k", "tp"};
  if (named) {
    for (const char* other : {"m", "n", "k"}) {
      if (args.Has(other)) {
        throw UsageError(
            fmt::format("--{} and --model exclude each other: a named layer has its shape", other));
      }
    }
  }
  for (const std::string& name : needed) {
    if (!args.Has(name)) {
      throw UsageError(fmt::format(
          "--{} is missing: run needs either --model, --layer and --tp, or --m, --n, --k and --tp",
          name));
    }
  }

  RunRequest& request = options->request;
  request.devices = static_cast<uint32_t>(IntegerOf(args, "tp", 0, 1, kMaxDevices));
  if (named) {
    const Workload& workload = FindWorkload(*args.Get("model"), *args.Get("layer"));
    options->model = workload.model;
    options->layer = workload.layer;
    request.m = workload.m;
    request.n = workload.n;
    request.k = LocalK(workload, request.devices);
  } else {
    request.m = static_cast<uint32_t>(IntegerOf(args, "m", 0, 1, kMaxDimension));
    request.n = static_cast<uint32_t>(IntegerOf(args, "n", 0, 1, kMaxDimension));
    request.k = static_cast<uint32_t>(IntegerOf(args, "k", 0, 1, kMaxDimension));
  }
}

std::vector<Mode> ReadModes(const std::string& text) {
  if (text == "all") return {Mode::kT3, Mode::kT3Mca};
  std::vector<Mode> modes;
  for (const std::string& name : SplitList(text)) {
    const size_t choice = ChoiceOf("--mode", name, {"t3", "t3-mca", "all"},
                                   {"sequential", "ideal-overlap", "ideal-rs-nmc"});
    if (choice == 2) throw UsageError("--mode all stands alone, not in a list");
    const Mode mode = choice == 0 ? Mode::kT3 : Mode::kT3Mca;
    if (std::find(modes.begin(), modes.end(), mode) != modes.end()) {
      throw UsageError(fmt::format("--mode {} is given twice", name));
    }
    modes.push_back(mode);
  }
  return modes;
}

void ReadWhatRuns(const Arguments& args, RunOptions* options) {
  RunRequest& request = options->request;
  const auto choice = [&](const char* name, const char* fallback,
                          const std::vector<std::string>& now,
                          const std::vector<std::string>& later = {}) {
    return ChoiceOf(std::string("--") + name, args.Get(name).value_or(fallback), now, later);
  };
  request.format = static_cast<golden::Format>(choice("dtype", "fp16", {"fp16", "bf16", "fp32"}));
  request.data =
      static_cast<golden::DataKind>(choice("data", "random", {"random", "specials", "gemm"}));
  request.collective = choice("collective", "ar", {"ar", "rs"}, {"ag", "direct-rs", "a2a"}) == 0
                           ? Collective::kAllReduce
                           : Collective::kReduceScatter;
  request.direction =
      choice("direction", "up", {"up", "down"}) == 0 ? Direction::kUp : Direction::kDown;
  choice("devices", "full", {"full"}, {"mirror"});
  options->progress = static_cast<ProgressMode>(choice("progress", "auto", {"auto", "on", "off"}));
  options->modes = ReadModes(args.Get("mode").value_or("t3-mca"));

  request.seed = IntegerOf(args, "seed", 1, 0, UINT64_MAX);
  if (args.Has("stress")) request.stress = IntegerOf(args, "stress", 0, 0, UINT64_MAX);
  request.repeat = static_cast<uint32_t>(IntegerOf(args, "repeat", 1, 1, 10000));
  const uint64_t cores = std::max(1u, std::thread::hardware_concurrency());
  request.threads = static_cast<uint32_t>(IntegerOf(args, "threads", cores, 1, 1024));
}

void ReadOutputs(const Arguments& args, RunOptions* options) {
  options->json = args.Get("json").value_or("");
  options->csv = args.Get("csv").value_or("");
  TraceRequest& trace = options->request.trace;
  trace.path = args.Get("trace").value_or("");
  for (const char* name : {"json", "csv", "trace"}) {
    if (args.Has(name) && args.Get(name)->empty()) {
      throw UsageError(fmt::format("--{} needs the name of a file", name));
    }
  }
  if (options->json == "-" && options->csv == "-") {
    throw UsageError("--json - and --csv - exclude each other: there is one standard output");
  }
  for (const auto& [one, other, path] :
       {std::tuple{"--csv", "--json", options->csv == "-" ? "" : options->csv},
        std::tuple{"--trace", "--json", trace.path}}) {
    if (!path.empty() && path == options->json) {
      throw UsageError(fmt::format("{} and {} name the same file {}", one, other, path));
    }
  }
  if (!trace.path.empty() && trace.path == options->csv) {
    throw UsageError(fmt::format("--trace and --csv name the same file {}", trace.path));
  }

  for (const char* name : {"trace-from", "trace-to", "trace-device"}) {
    if (args.Has(name) && trace.path.empty()) {
      throw UsageError(fmt::format("--{} has no effect without --trace", name));
    }
  }
  if (trace.path == "-") throw UsageError("--trace needs the name of a file, not -");
  trace.from_cycle = IntegerOf(args, "trace-from", 0, 0, UINT64_MAX);
  trace.to_cycle = IntegerOf(args, "trace-to", UINT64_MAX, 0, UINT64_MAX);
  if (trace.from_cycle > trace.to_cycle) {
    throw UsageError(
        fmt::format("--trace-to {} is before --trace-from {}", trace.to_cycle, trace.from_cycle));
  }
  trace.device =
      static_cast<uint32_t>(IntegerOf(args, "trace-device", 0, 0, options->request.devices - 1));
  if (!trace.path.empty() && options->modes.size() > 1) {
    throw UsageError("--trace takes one mode, and --mode names several");
  }
}

void ReadTestHook(const std::string& text, TestHooks* hooks) {
  const size_t at = text.find('@');
  const std::string fault = text.substr(0, at);
  ParseChoice("--test-hook", fault,
              {"lose-credits", "swallow-packet", "corrupt-packet", "wrong-context", "stale-epoch",
               "outside-grid", "cut-element"});
  hooks->fault = fault;
  if (at == std::string::npos) return;
  const std::string place = text.substr(at + 1);
  const size_t colon = place.find(':');
  hooks->fault_device = static_cast<uint32_t>(
      ParseInteger("--test-hook device", place.substr(0, colon), 0, kMaxDevices - 1));
  if (colon != std::string::npos) {
    hooks->fault_after = ParseInteger("--test-hook count", place.substr(colon + 1), 0, UINT64_MAX);
  }
}

double LinkCapacity(const RtlLimits& rtl, double clock_ghz) {
  return rtl.link_lines * rtl.line_bytes * clock_ghz;
}

double DramCapacity(const RtlLimits& rtl, double clock_ghz) {
  return rtl.channels * rtl.line_bytes * clock_ghz;
}

// A bandwidth beyond the ports of the RTL: an error where it was asked for, a
// warning where it is the default.
void FitBandwidth(const Simulator& simulator, const char* key, const char* ports,
                  double (*capacity)(const RtlLimits&, double), double SystemConfig::*field,
                  Settings* settings, RunOptions* options) {
  const double clock = settings->config.clock_ghz;
  const double wanted = settings->config.*field;
  const double carried = capacity(options->rtl, clock);
  if (wanted <= carried * (1 + 1e-9)) return;
  const std::string limit =
      fmt::format("{} of the RTL configuration {} carry {:.6g} GB/s at {} GHz", ports,
                  options->rtl.name, carried, clock);
  if (!settings->IsSet(key)) {
    settings->config.*field = carried;
    options->warnings.push_back(
        fmt::format("{}: {}, less than the default {}", key, limit, wanted));
    return;
  }
  std::string other = "no configuration carries it";
  double smallest = INFINITY;
  for (const std::string& name : simulator.rtl_config_names()) {
    const double candidate = capacity(simulator.find_rtl_config(name).value(), clock);
    if (wanted <= candidate * (1 + 1e-9) && candidate < smallest) {
      smallest = candidate;
      other = fmt::format("--rtl-config {} carries it", name);
    }
  }
  throw UsageError(fmt::format("{} is {}, and {}; {}", settings->Where(key), wanted, limit, other));
}

void FitCredits(Settings* settings, RunOptions* options) {
  uint32_t& credits = settings->config.link_credits;
  if (credits > options->rtl.credits) {
    if (settings->IsSet("link.credits")) {
      throw UsageError(fmt::format("{} is {}, and the RTL configuration {} has {}",
                                   settings->Where("link.credits"), credits, options->rtl.name,
                                   options->rtl.credits));
    }
    options->warnings.push_back(
        fmt::format("link.credits: the RTL configuration {} has {}, less than the default {}",
                    options->rtl.name, options->rtl.credits, credits));
    credits = options->rtl.credits;
  }
  if (options->request.devices == 1) return;
  const double round_trip_ns = 2 * settings->config.link_latency_ns;
  const double sustained = 1.0 * credits * options->rtl.line_bytes / round_trip_ns;
  if (sustained < settings->config.link_bandwidth_gb_s) {
    options->warnings.push_back(fmt::format(
        "link.credits: {} lines of {} bytes per round trip of {} ns carry {:.4g} GB/s, less than "
        "link.bandwidth_gb_s = {}",
        credits, options->rtl.line_bytes, round_trip_ns, sustained,
        settings->config.link_bandwidth_gb_s));
  }
}

// What the grid of workgroups and the output buffer must fit into.
void CheckShape(const Settings& settings, const RunOptions& options) {
  const RunRequest& request = options.request;
  const SystemConfig& system = settings.config;
  if (system.tile_m % system.wavefronts_per_workgroup != 0) {
    throw UsageError(fmt::format("{} is {}, not a multiple of gpu.wavefronts_per_workgroup {}",
                                 settings.Where("gpu.tile_m"), system.tile_m,
                                 system.wavefronts_per_workgroup));
  }
  const auto tiles = [](const char* what, uint32_t size, const char* key, uint32_t tile) {
    const uint64_t count = (uint64_t{size} + tile - 1) / tile;
    if (count > kMaxGrid) {
      throw UsageError(fmt::format("{} {} makes {} tiles of {} {}; {} fit", what, size, count, key,
                                   tile, kMaxGrid));
    }
    return count;
  };
  const uint64_t subtiles = tiles("--m", request.m, "gpu.tile_m", system.tile_m) *
                            tiles("--n", request.n, "gpu.tile_n", system.tile_n) *
                            system.wavefronts_per_workgroup;
  if (subtiles > kMaxSubtiles) {
    throw UsageError(fmt::format("--m {} and --n {} make {} subtiles; {} fit", request.m, request.n,
                                 subtiles, kMaxSubtiles));
  }
  const uint64_t bytes = uint64_t{request.m} * (uint64_t{request.n} + system.pitch_padding) *
                         golden::ElementBytes(request.format);
  if (bytes > kMaxBufferBytes) {
    throw UsageError(fmt::format("--m {} and --n {} make an output of {} bytes; {} fit", request.m,
                                 request.n, bytes, kMaxBufferBytes));
  }
  if (request.devices > options.rtl.chunks) {
    throw UsageError(
        fmt::format("--tp {} needs as many chunks, and the RTL configuration {} has {}",
                    request.devices, options.rtl.name, options.rtl.chunks));
  }
  if (request.hooks.fault_device >= request.devices) {
    throw UsageError(fmt::format("--test-hook device {} is none of --tp {}",
                                 request.hooks.fault_device, request.devices));
  }
}

}  // namespace

RunOptions ParseRun(const std::vector<std::string>& arguments, const Simulator& simulator) {
  const Arguments args(Groups(), arguments);
  RunOptions options;
  if (args.Has("help")) {
    options.help = true;
    return options;
  }
  if (args.Has("timeline")) NotThereYet("--timeline");

  ReadShape(args, &options);
  ReadWhatRuns(args, &options);
  ReadOutputs(args, &options);
  if (const auto hook = args.Get("test-hook")) ReadTestHook(*hook, &options.request.hooks);

  RunRequest& request = options.request;
  request.rtl_config = args.Get("rtl-config").value_or("default");
  ParseChoice("--rtl-config", request.rtl_config, simulator.rtl_config_names());
  options.rtl = simulator.find_rtl_config(request.rtl_config).value();

  Settings settings;
  if (const auto path = args.Get("system")) ReadIniFile(*path, &settings);
  ApplySets(args.GetAll("set"), &settings);
  FitBandwidth(simulator, "link.bandwidth_gb_s", "the link ports", LinkCapacity,
               &SystemConfig::link_bandwidth_gb_s, &settings, &options);
  FitBandwidth(simulator, "dram.bandwidth_gb_s", "the memory channels", DramCapacity,
               &SystemConfig::dram_bandwidth_gb_s, &settings, &options);
  FitCredits(&settings, &options);
  CheckShape(settings, options);
  request.system = settings.config;
  return options;
}

std::string RunHelp() {
  return fmt::format(
      "usage: t3sim run --model NAME --layer NAME --tp N [options]\n"
      "       t3sim run --m ROWS --n COLUMNS --k DEPTH --tp N [options]\n\n"
      "Simulates the GEMM of a sliced layer with the collective that follows it on N devices,\n"
      "each a verilated t3_top, and compares every element of the result with the golden model.\n"
      "The last line on standard output is the verdict.\n\n"
      "{}"
      "Exit codes: 0 every element right; 1 wrong result; 2 bad usage or input;\n"
      "3 no progress; 130 interrupted.\n",
      OptionHelp(Groups()));
}

}  // namespace t3::sim
