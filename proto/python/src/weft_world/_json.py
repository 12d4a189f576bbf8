# SPDX-License-Identifier: MIT
"""Requests as JSON: numpy arrays and numbers and handles may stand wherever the protocol has lists, numbers and ids."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from weft_world.errors import InvalidError


def _plain(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    number = getattr(value, "id", None)
    if isinstance(number, int):
        return number
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "__iter__"):
        return list(value)
    raise TypeError(f"arguments are numbers, texts, sequences, mappings, arrays and handles, not of the type {type(value).__name__}")


def _has_no_number(value: Any) -> bool:
    """Whether a value is or contains a number that JSON lacks: NaN or an infinity."""
    if isinstance(value, float):
        return value != value or value in (float("inf"), float("-inf"))
    if isinstance(value, (np.ndarray, np.generic)):
        return np.issubdtype(value.dtype, np.floating) and not bool(np.isfinite(value).all())
    if isinstance(value, Mapping):
        return any(map(_has_no_number, value.values()))
    return isinstance(value, (list, tuple)) and any(map(_has_no_number, value))


def encode_request(number: int, method: str, params: Mapping[str, Any]) -> str:
    """A request as text. Raises InvalidError for a number that is not finite, TypeError for what cannot be an argument."""
    request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    try:
        return json.dumps(request, default=_plain, allow_nan=False, separators=(",", ":"))
    except ValueError as error:
        name = next((name for name, value in params.items() if _has_no_number(value)), None)
        if name is None:
            raise
        raise InvalidError(f"{name} must be finite, but it is or contains NaN or an infinity", code=-32602, pointer=f"/{name}") from error
