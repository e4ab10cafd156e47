#!/usr/bin/env bash
# Sets up what the laboratory needs on Debian 12 or Ubuntu 24.04: packages, a virtual environment in .venv, the engine.
# Does nothing twice. Usage: ./setup.sh report | test
set -euo pipefail
cd "$(dirname "$0")"

purpose=${1:-report}
packages=(gcc-avr avr-libc binutils-avr make clang libclang-dev libelf-dev libzstd-dev pkg-config python3-venv)
if [ "$purpose" = test ]; then
    packages+=(arduino-core-avr chromium chromium-driver cmake g++ nodejs npm)
fi

say() { printf 'setup: %s\n' "$*"; }
stop() { printf 'setup: %s\n' "$*" >&2; exit 2; }

# A tool that is there already, from whatever source, is not installed a second time.
has() {
    case $1 in
    python3-venv) python3 -c 'import venv, ensurepip' ;;
    nodejs) command -v node ;;
    npm | make | cmake | clang | g++ | chromium) command -v "$1" ;;
    chromium-driver) command -v chromedriver ;;
    *) [ "$(dpkg-query -W -f='${db:Status-Status}' "$1")" = installed ] ;;
    esac >/dev/null 2>&1
}

missing=()
for package in "${packages[@]}"; do
    has "$package" || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    command -v apt-get >/dev/null || stop "this needs the Debian packages: ${missing[*]}; install their equivalents and try again."
    if [ "$(id -u)" = 0 ]; then
        as_root=()
    elif command -v sudo >/dev/null; then
        as_root=(sudo)
    else
        stop "not root and no sudo; ask someone who may to run: apt-get install ${missing[*]}"
    fi
    say "installing ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

command -v cargo >/dev/null || stop "there is no Rust compiler (cargo); install one from Debian (apt-get install cargo) or with rustup."
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || stop "python3 is older than 3.11; install a newer one."

if [ ! -x .venv/bin/python ]; then
    say "making the virtual environment .venv"
    python3 -m venv .venv
fi
extras=$([ "$purpose" = test ] && echo '[test]' || echo '')
stamp=.venv/installed-$purpose
wanted=$(cat pyproject.toml setup.sh | sha256sum)
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    say "installing Python packages${extras:+ with those of the tests}"
    .venv/bin/pip install --quiet --disable-pip-version-check --editable ".$extras"
    printf '%s\n' "$wanted" >"$stamp"
fi

.venv/bin/python -c 'from bancada.engines.simavr import is_built; raise SystemExit(not is_built())' ||
    say "building the engine simavr (about a minute)"
.venv/bin/python -c 'from bancada.engines.simavr import runner; runner()' || stop "the engine could not be built."
