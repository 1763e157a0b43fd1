// t3sim list: the named workloads, and with --keys the system keys.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace t3::sim {

int ListCommand(const std::vector<std::string>& args, std::ostream& out);

}  // namespace t3::sim
