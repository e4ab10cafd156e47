"""What the published studies concluded, held against what the laboratory finds. One module for each study that concludes.

An experiment without a module here has its cases, its tables and its published figures all the same.
"""

from __future__ import annotations

from bancada.studies.beaglebone import BEAGLEBONE
from bancada.studies.biglittle import BIGLITTLE
from bancada.studies.channel import CHANNEL
from bancada.studies.libraries import LIBRARIES
from bancada.studies.sensor import SENSOR
from bancada.studies.study import Study

STUDIES: dict[str, Study] = {"beaglebone": BEAGLEBONE, "biglittle": BIGLITTLE, "channel": CHANNEL, "libraries": LIBRARIES, "sensor": SENSOR}

__all__ = ["STUDIES", "Study"]
