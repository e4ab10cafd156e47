"""Programs for devices with the bootloader: signed, and put on over the serial line (docs/reference/link-bootloader.md).
"""
