#!/usr/bin/env bash
# Sets up what the laboratory needs on Debian 12 or Ubuntu 24.04: packages, a virtual environment in .venv, the engine.
# Does nothing twice. Usage: ./setup.sh report | all | link | test | packages | programs | latex | site
#   report  the Arduino's experiments        all   those of the ARM targets too
#   link    the sensor link's demonstration  test  everything, and what the tests need
#   packages  what packages are built with and tried in (a fresh Debian), besides what the tests need
#   programs  the programs that take the link's metrics and readings in, besides what the tests need
#   latex     what compiles tables for papers, besides what the tests need
#   site    what the documentation is made to pages with
set -euo pipefail
cd "$(dirname "$0")"
# simavr's own Makefile, which the engine's build calls, cannot run in parallel: `make -j report` must not say so.
unset MAKEFLAGS MFLAGS

purpose=${1:-report}
packages=(gcc libc6-dev gcc-avr avr-libc binutils-avr make clang libclang-dev libelf-dev libzstd-dev zlib1g-dev pkg-config python3-venv python3-pip git)
arm=(gcc-arm-none-eabi libnewlib-arm-none-eabi gcc-arm-linux-gnueabihf g++-arm-linux-gnueabihf libc6-dev-armhf-cross)
arm+=(gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user qemu-system-arm perl m4 valgrind)
link=(mosquitto mosquitto-clients openssl)
case $purpose in
report | site) ;;
all) packages+=("${arm[@]}") ;;
link) packages+=("${link[@]}") ;;
test | packages | programs | latex)
    packages+=("${arm[@]}" "${link[@]}" arduino-core-avr chromium chromium-driver cmake g++ libclang-rt-dev nodejs npm)
    # Tatu's portable C on a big-endian machine (docs/reference/portability.md); the link's server on its other database
    packages+=(gcc-powerpc-linux-gnu libc6-dev-powerpc-cross postgresql)
    # What boards are flashed with; the link between network namespaces
    packages+=(avrdude iproute2)
    # The solvers of proofs
    packages+=(berkeley-abc cadical)
    if [ "$purpose" = packages ]; then packages+=(debhelper dpkg-dev lintian fakeroot debootstrap); fi
    if [ "$purpose" = programs ]; then packages+=(prometheus influxdb); fi
    if [ "$purpose" = latex ]; then packages+=(texlive-latex-base texlive-latex-recommended); fi
    ;;
*)
    printf 'setup: there is no purpose "%s"; write: ./setup.sh report | all | link | test | packages | programs | latex | site\n' "$purpose" >&2
    exit 2
    ;;
esac

say() { printf 'setup: %s\n' "$*"; }
stop() { printf 'setup: %s\n' "$*" >&2; exit 2; }

# A tool that is there already, from whatever source, is not installed a second time.
has() {
    case $1 in
    python3-venv) python3 -c 'import venv, ensurepip' ;;
    nodejs) command -v node ;;
    npm | make | cmake | clang | gcc | g++ | git | chromium | perl | m4 | openssl) command -v "$1" ;;
    python3-pip) python3 -m pip --version ;;
    chromium-driver) command -v chromedriver ;;
    *) [ "$(dpkg-query -W -f='${db:Status-Status}' "$1")" = installed ] ;;
    esac >/dev/null 2>&1
}

# What engines/simavr and link/ state in their Cargo.toml (rust-version).
least_cargo=1.85
enough() { [ "$(printf '%s\n%s\n' "$least_cargo" "$1" | sort -V | head -n1)" = "$least_cargo" ]; }
has_cargo() { command -v cargo >/dev/null && enough "$(cargo --version | cut -d' ' -f2)"; }
# Ubuntu 24.04 keeps each Rust in a folder of its own.
find_cargo() {
    for folder in /usr/lib/rust-1.*/bin; do
        has_cargo || PATH="$folder:$PATH"
    done
    has_cargo
}
# Debian 12 has a new one as cargo-web, Ubuntu 24.04 as cargo-1.NN: the oldest that is new enough.
cargo_package() {
    apt-cache pkgnames cargo | grep -xE 'cargo(-web|-1\.[0-9]+)?' | while read -r name; do
        version=$(apt-cache policy "$name" | sed -n 's/^ *Candidate: //p')
        if [ "$version" != '(none)' ] && enough "$version"; then printf '%s %s\n' "$version" "$name"; fi
    done | sort -V | head -n1 | cut -d' ' -f2
}

PATH="$PWD/.venv/bin:$PATH"
missing=()
for package in "${packages[@]}"; do
    has "$package" || missing+=("$package")
done
find_cargo || missing+=(cargo)
if [ ${#missing[@]} -gt 0 ]; then
    command -v apt-get >/dev/null || stop "this needs the Debian packages: ${missing[*]} (cargo from $least_cargo on); install their equivalents and try again."
    if [ "$(id -u)" = 0 ]; then
        as_root=()
    elif command -v sudo >/dev/null; then
        as_root=(sudo)
    else
        stop "not root and no sudo; ask someone who may to run: apt-get install ${missing[*]} (cargo from $least_cargo on)"
    fi
    # One after another: in a container, apt's hooks delete what a set-up beside this one has just downloaded.
    packages_of_system() {
        "${as_root[@]}" flock /var/lib/dpkg env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 -qq "$@"
    }
    packages_of_system update
    if ! has_cargo; then
        cargo=$(cargo_package)
        [ -n "$cargo" ] || stop "no package of this system has Rust $least_cargo or newer; install it with rustup and try again."
        missing[-1]=$cargo
    fi
    say "installing ${missing[*]}"
    packages_of_system install -y --no-install-recommends "${missing[@]}" >/dev/null
fi
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || stop "python3 is older than 3.11; install a newer one."

# An environment that a stopped set-up left half made has no pip. The programs of one that was moved name the Python of
# the old folder. Neither can be mended in place.
is_whole() { .venv/bin/python -m pip --version && grep -qF "$PWD/.venv/bin/" .venv/bin/pip; } >/dev/null 2>&1
if [ -e .venv ] && ! is_whole; then
    [ -e .venv/pyvenv.cfg ] || [ -z "$(ls -A .venv)" ] || stop ".venv is not a virtual environment; move it away and try again."
    say "the virtual environment .venv is half made or was moved; making it again"
    rm -rf .venv
fi
if [ ! -e .venv ]; then
    say "making the virtual environment .venv"
    python3 -m venv .venv
fi
find_cargo || stop "cargo is older than $least_cargo or not on the path; install Rust with rustup and try again."
rust=$(dirname "$(command -v cargo)")
case $rust in /usr/lib/rust-*) ln -sf "$rust/cargo" "$rust/rustc" .venv/bin/ ;; esac
case $purpose in test | packages | programs | latex) extras='[test]' ;; site) extras='[site]' ;; *) extras='' ;; esac
stamp=.venv/installed-$purpose
wanted=$(cat pyproject.toml setup.sh | sha256sum)
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    say "installing Python packages${extras:+, those of the purpose $purpose too}"
    .venv/bin/pip install --quiet --disable-pip-version-check --editable ".$extras"
    printf '%s\n' "$wanted" >"$stamp"
fi

.venv/bin/python -c 'from bancada.engines.simavr.session import is_built; raise SystemExit(not is_built())' ||
    say "building the engine simavr (about a minute)"
.venv/bin/bancada doctor --engine || exit 2
# The link's programs and firmware: here, with progress, and not inside the first command that needs them.
case $purpose in link | test | programs) .venv/bin/bancada link build || exit 2 ;; esac
