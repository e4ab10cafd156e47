"""ML-KEM-512 (FIPS 203)."""

from __future__ import annotations

from kyber_py.ml_kem import ML_KEM_512

from bancada.primitives.kem.ml_kem import ml_kem

ALGORITHM = ml_kem(512, ML_KEM_512)
