#!/usr/bin/env bash
# Builds the program of the checked-out revision and that of $BASE, and compares their functions. The action gives
# BUILD, ELF, TARGET, FUNCTIONS (a line each), BASE (may be empty) and TOLERANCE_PERCENT; GitHub gives the rest.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'git worktree remove --force "$scratch/base" >/dev/null 2>&1 || true; rm -rf "$scratch"' EXIT
benchmark=${RUNNER_TEMP:-$PWD}/bancada-benchmark.json

bash -euo pipefail -c "$BUILD"
[ -f "$ELF" ] || { printf 'bancada: the build command has not written %s\n' "$ELF" >&2; exit 2; }
before=()
if [ -n "$BASE" ]; then
    git worktree add --quiet --detach "$scratch/base" "$BASE"
    # A base that does not build is no fault of this revision.
    if (cd "$scratch/base" && bash -euo pipefail -c "$BUILD") && [ -f "$scratch/base/$ELF" ]; then
        before=(--before "$scratch/base/$ELF")
    else
        printf 'bancada: %s does not build, so there is nothing to compare with\n' "$BASE" >&2
    fi
fi
functions=()
while read -r name; do
    if [ -n "$name" ]; then functions+=(--function "$name"); fi
done <<<"$FUNCTIONS"
printf 'benchmark=%s\n' "$benchmark" >>"$GITHUB_OUTPUT"
"${PYTHON:-$here/../.venv/bin/python}" "$here/compare_functions.py" "$ELF" --target "$TARGET" "${functions[@]}" \
    "${before[@]}" --tolerance-percent "$TOLERANCE_PERCENT" --summary "$GITHUB_STEP_SUMMARY" --benchmark "$benchmark"
