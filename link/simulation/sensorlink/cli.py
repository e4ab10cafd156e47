"""`bancada link ...`: hands each command to the program of `link/` that does it, built first if necessary."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import click

from sensorlink.binaries import GATEWAY, SERVER, binary
from sensorlink.build_command import command as build_command
from sensorlink.demo import command as demo_command
from sensorlink.simulate_command import command as simulate_command
from sensorlink.update.bootloader_command import command as bootloader_command
from sensorlink.update.sign_command import command as sign_command
from sensorlink.update.update_command import command as update_command

# The programs read their own options and print their own help, so that there is one place for each.
_PASS_ON = {"ignore_unknown_options": True, "allow_extra_args": True, "allow_interspersed_args": False}


@click.group()
def link() -> None:
    """The sensor network: provisioning, gateway, server, simulation."""


def _become(program: str, *arguments: str) -> NoReturn:
    """Replaces this process, so that signals and the exit code are the program's own."""
    path = str(binary(program))
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(path, [program, *arguments])


def _passed_on(name: str, program: str, summary: str, subcommand: tuple[str, ...]) -> click.Command:
    @click.command(name, help=summary, context_settings=_PASS_ON, add_help_option=False)
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
    def run(arguments: tuple[str, ...]) -> None:
        _become(program, *subcommand, *arguments)

    return run


for _name, _summary in (
    ("provision", "Make a site: its own CA, certificates, broker configuration, device keys and EEPROM images."),
    ("rotate", "Give a device a new key epoch; the old one ends with the first good frame of the new."),
    ("revoke", "Refuse a device or a gateway from now on."),
    ("renew", "Issue certificates anew before they end: the site's own, and those that gateways ask for."),
    ("serve", "Run the server: verify, store, acknowledge, and show the page."),
    ("audit", "Show what was refused, and why."),
    ("export", "Write the readings of any period, as CSV, JSON or InfluxDB's lines."),
    ("token", "Draw a token by which a program fetches readings from the page."),
    ("thresholds", "Show or set how much rain raises which alarm."),
    ("configure", "Tell sensors over the air how to work, and show what they have confirmed."),
    ("backup", "Copy the database while servers run."),
    ("restore", "Put a backup in place, so that nothing recorded since becomes new again."),
    ("password", "Set a password of the page."),
    ("user", "Add, change, remove or list the users of the page."),
    ("places", "Show or set where sensors stand and what they are called."),
):
    link.add_command(_passed_on(_name, SERVER, _summary, (_name,)))
link.add_command(
    _passed_on("gateway", GATEWAY, "Run the gateway's daemon: serial port to broker, with an outbox on disk.", ())
)
link.add_command(bootloader_command)
link.add_command(sign_command)
link.add_command(update_command)
link.add_command(build_command)
link.add_command(simulate_command)
link.add_command(demo_command)
