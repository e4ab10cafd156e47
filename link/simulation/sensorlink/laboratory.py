"""What the link uses of the laboratory: its errors, its folders, and its simulators. Nothing else here imports
`bancada`.
"""

from bancada.catalogue.paths import cache_folder, data_root
from bancada.engines.simavr.other_copies import forget_other_copies
from bancada.engines.simavr.session import air_simulator, device_simulator
from bancada.model.errors import UserError

__all__ = ["UserError", "air_simulator", "cache_folder", "data_root", "device_simulator", "forget_other_copies"]
