# SPDX-License-Identifier: MIT
from setuptools import setup

setup(cffi_modules=["build_native.py:builder"], options={"bdist_wheel": {"py_limited_api": "cp311"}})
