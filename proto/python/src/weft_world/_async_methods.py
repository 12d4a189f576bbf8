# SPDX-License-Identifier: MIT
# Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run `make generate`.
"""The methods of the protocol for an AsyncCaller, which makes coroutines of them: only their types differ."""

from weft_world._methods import GrabMethods as AsyncGrabMethods
from weft_world._methods import ObjectMethods as AsyncObjectMethods
from weft_world._methods import ObstacleMethods as AsyncObstacleMethods
from weft_world._methods import StickMethods as AsyncStickMethods
from weft_world._methods import WorldMethods as AsyncWorldMethods
