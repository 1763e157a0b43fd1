#!/usr/bin/env bash
# Installs what building, testing and proving need, on Debian 12 and 13.
#
# usage: scripts/install_packages.sh [--sanitizers]
#
# Does nothing where all of it is there. Needs root or sudo otherwise; apt asks
# no questions. --sanitizers adds the runtime that SANITIZE= needs with clang.
set -euo pipefail

# ABC (yosys-abc) comes with yosys, under a package name of each release.
packages=(
  verilator yosys z3 gtkwave gnuplot-nox
  cmake ninja-build make g++ clang ccache git python3
  libfmt-dev libboost-program-options-dev libgtest-dev libgmock-dev
  nlohmann-json3-dev libeigen3-dev zlib1g-dev
)

case "${1-}" in
  "") ;;
  --sanitizers) sanitizers=1 ;;
  *) echo "install_packages.sh: '$1' is not known; --sanitizers is accepted" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "install_packages.sh: this is no Debian system; the packages are: ${packages[*]}" >&2
  exit 1
fi

installed() {
  [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

missing=()
for package in "${packages[@]}"; do
  installed "$package" || missing+=("$package")
done
# The runtime has the version of the compiler, known once that is installed.
runtime_of_clang() {
  local version
  version=$(clang -dumpversion 2>/dev/null) || return 0
  echo "libclang-rt-${version%%.*}-dev"
}
if [[ -n ${sanitizers-} ]] && installed clang; then
  runtime=$(runtime_of_clang)
  installed "$runtime" || missing+=("$runtime")
fi
[[ ${#missing[@]} -eq 0 && ( -z ${sanitizers-} || -n ${runtime-} ) ]] && exit 0

if [[ $EUID -eq 0 ]]; then
  as_root=(env)
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
  as_root=(sudo)
else
  echo "install_packages.sh: these packages are missing and only root or a user of sudo may install them: ${missing[*]}" >&2
  exit 1
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

echo "Installing ${missing[*]}"
apt update
apt install --yes --no-install-recommends "${missing[@]}" >/dev/null
if [[ -n ${sanitizers-} && -z ${runtime-} ]]; then
  runtime=$(runtime_of_clang)
  echo "Installing $runtime"
  apt install --yes --no-install-recommends "$runtime" >/dev/null
fi
echo "Installed."
