#!/bin/sh
# Flash and static RAM of each program in a folder, and what an ATmega328P has left. Fails if one does not fit.
set -eu
# The deepest stack measured (docs/reference/link-firmware.md, "Sizes"), rounded up.
stack=${STACK:-512}
status=0
printf '%-34s %8s %8s %8s %8s\n' program flash left RAM left
for elf in "$1"/*.elf "$1"/paper/*.elf; do
    set -- $(avr-size "$elf" | tail -n 1)
    flash=$(($1 + $2))
    ram=$(($2 + $3))
    name=$(basename "$elf" .elf)
    # The bootloader has the last 4 KB, less its identity (bootloader/layout.h).
    room=32768
    [ "$name" = bootloader ] && room=4032
    printf '%-34s %8d %8d %8d %8d\n' "$name" $flash $((room - flash)) $ram $((2048 - ram))
    if [ $flash -gt $room ] || [ $((ram + stack)) -gt 2048 ]; then
        printf '%s does not fit\n' "$elf" >&2
        status=1
    fi
done
exit $status
