"""The part of pytatu's build that pyproject.toml cannot say: the extension module is made by cffi."""

from setuptools import setup

setup(cffi_modules=["python/build_extension.py:ffi"])
