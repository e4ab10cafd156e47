"""ML-KEM-768 (FIPS 203)."""

from __future__ import annotations

from kyber_py.ml_kem import ML_KEM_768

from bancada.primitives.kem.ml_kem import ml_kem

ALGORITHM = ml_kem(768, ML_KEM_768)
