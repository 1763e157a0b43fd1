#include "sim/cli/app.h"

#include <fmt/format.h>

#include <new>

#include "sim/cli/list_command.h"
#include "sim/cli/run_command.h"
#include "sim/cli/run_options.h"
#include "sim/cli/text.h"
#include "sim/cli/version.h"
#include "sim/report/usage_error.h"

namespace t3::sim {
namespace {

std::string Usage() { return "usage: t3sim run | list | help | --help | --version\n"; }

std::string Help() {
  return Usage() +
         "\n"
         "  run           simulate a layer and its collective, and check every element\n"
         "  list          the named workloads; list --keys: the system keys\n"
         "  help [run]    this text, or all options of run\n\n"
         "Example: t3sim run --model t-nlg --layer fc2 --tp 8\n";
}

int HelpCommand(const std::vector<std::string>& args, std::ostream& out) {
  if (args.empty()) {
    out << Help();
  } else if (args.size() == 1 && args[0] == "run") {
    out << RunHelp();
  } else if (args.size() == 1 && (args[0] == "list" || args[0] == "help")) {
    out << Help();
  } else {
    throw UsageError(fmt::format("help {}: help or help run is accepted", args[0]));
  }
  return 0;
}

int Dispatch(const std::vector<std::string>& args, const Environment& environment) {
  if (args.empty()) throw UsageError("a command is missing; t3sim help lists them\n" + Usage());
  const std::string& command = args[0];
  const std::vector<std::string> rest(args.begin() + 1, args.end());
  if (command == "run") return RunCommand(rest, environment);
  if (command == "list" && rest == std::vector<std::string>{"--help"}) {
    return HelpCommand({command}, *environment.out);
  }
  if (command == "list") return ListCommand(rest, *environment.out);
  if (command == "help") return HelpCommand(rest, *environment.out);
  if (command == "--help" || command == "--version") {
    if (!rest.empty()) throw UsageError(fmt::format("{} takes nothing after it", command));
    *environment.out << (command == "--help" ? Help()
                                             : fmt::format("t3sim {} ({})\n", Version(), Git()));
    return 0;
  }
  if (command == "sweep" || command == "paper") {
    throw UsageError(fmt::format("the command {} is not there yet", command));
  }
  throw UsageError(fmt::format("there is no command '{}'; the nearest is {}", command,
                               Nearest(command, {"run", "list", "help", "--help", "--version"})));
}

}  // namespace

int RunApp(const std::vector<std::string>& args, const Environment& environment) {
  try {
    const int code = Dispatch(args, environment);
    environment.out->flush();
    if (!environment.out->good()) throw UsageError("standard output cannot be written");
    return code;
  } catch (const UsageError& error) {
    *environment.err << "t3sim: " << Trim(error.what()) << '\n';
    return 2;
  } catch (const std::bad_alloc&) {
    *environment.err << "t3sim: the machine's memory does not suffice\n";
    return 2;
  } catch (const std::exception& error) {
    *environment.err << "t3sim: internal error: " << error.what() << '\n';
    return 1;
  }
}

}  // namespace t3::sim
