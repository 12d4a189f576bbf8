# SPDX-License-Identifier: MIT
"""Exceptions. Every refusal of a world is a WeftError, of a class by its kind, with the same sentence in process and from a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weft_world._protocol import ERROR_NAMES


class WeftError(Exception):
    """A request was refused, and nothing has changed.

    Attributes:
        message: One English sentence that names what is wrong and what is allowed.
        code: The protocol's code of the error; None for an error that only this package has.
        pointer: JSON pointer to the argument to blame, such as "/position"; "" without one.
        suggestion: The name that was probably meant; None without one.
        data: What the protocol says besides, such as `retryAfterMs`.
    """

    def __init__(
        self,
        message: str,
        *,
        code: int | None = None,
        pointer: str = "",
        suggestion: str | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.pointer = pointer
        self.suggestion = suggestion
        self.data: dict[str, Any] = dict(data or {})


class ParseError(WeftError):
    """The message is not valid JSON."""


class RequestError(WeftError):
    """The message is no request."""


class MethodError(WeftError):
    """There is no such method; `suggestion` is a similar one."""


class InvalidError(WeftError, ValueError):
    """An argument is missing, unknown, of the wrong type or out of range."""


class InternalError(WeftError):
    """The server failed; the message says whether the change was made."""


class BusyError(WeftError):
    """A queue is full: nothing was applied, try again after `data["retryAfterMs"]`."""


class DeniedError(WeftError):
    """The role of this client does not allow it."""


class NotFoundError(WeftError, LookupError):
    """There is no such object, particle, grab, obstacle, stick, world or scene."""


class LimitError(WeftError):
    """A limit of the world would be exceeded; the message names it."""


class StateError(WeftError):
    """Not possible now."""


class InUseError(StateError):
    """Another thread is using the world."""


class RateError(WeftError):
    """Over the rate of this client: try again after `data["retryAfterMs"]`."""


class FrozenError(WeftError):
    """Another client has frozen the world."""


class MemoryExhaustedError(WeftError, MemoryError):
    """Memory ran out."""


class DamagedError(WeftError):
    """A snapshot, a record or a capsule was changed, or does not compute to what it says."""


class ConnectionLostError(WeftError, ConnectionError):
    """There is no connection to the server, or it was lost before the reply came."""


class VersionError(WeftError):
    """This package and the server speak different versions of the protocol; the message says which side to upgrade."""


_BY_NAME = {one.__name__: one for one in WeftError.__subclasses__()}


def error_of_reply(error: Mapping[str, Any]) -> WeftError:
    """The exception for the member `error` of a reply."""
    data = dict(error.get("data") or {})
    kind = _BY_NAME.get(ERROR_NAMES.get(error["code"], ""), WeftError)
    pointer, suggestion = data.pop("pointer", ""), data.pop("suggestion", None)
    return kind(error["message"], code=error["code"], pointer=pointer, suggestion=suggestion, data=data)
