"""Signed programs for devices with the bootloader (docs/reference/link-bootloader.md)."""
