"""Study `libraries`: eleven libraries of AES for the Arduino UNO. Which of them are correct, and what do they cost?"""

from __future__ import annotations

from bancada.studies.study import Study

from .sections import sections

STUDY = Study(sections=sections)
