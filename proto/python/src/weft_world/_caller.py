# SPDX-License-Identifier: MIT
"""What the generated methods are built on: from the arguments of a call to the parameters of the protocol."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from weft_world._protocol import DEFAULTS, MAKES, VECTOR_OF, WIRE
from weft_world.errors import WeftError


class _Required:
    def __repr__(self) -> str:
        return "required"


# Stands for an argument that was not given, so that the world itself names the member that is missing or misspelt.
REQUIRED: Final = _Required()

_SPOKEN = {wire: name for name, wire in WIRE.items()}
_WORDS = re.compile(r"\b[a-z]+[A-Z]\w*\b")


def _is_default(value: Any, default: Any) -> bool:
    simple = isinstance(value, (int, float, str, tuple)) and isinstance(value, bool) == isinstance(default, bool)
    return simple and value == default


def parameters(method: str, given: Mapping[str, Any], unknown: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters to send: those that were given and differ from their defaults, and unknown ones as they are."""
    defaults = DEFAULTS.get(method, {})
    params: dict[str, Any] = {}
    for name, value in given.items():
        if value is None or value is REQUIRED or (name in defaults and _is_default(value, defaults[name])):
            continue
        member = VECTOR_OF.get(f"{method}.{name}")
        params[name] = {member: value} if member is not None and not isinstance(value, Mapping) else value
    params.update(unknown)
    return params


def wire_name(name: str) -> str:
    """The protocol's name of an argument."""
    return WIRE.get(name, name[:-1] if name.endswith("_") else name)


def wire_command(method: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """A command of a batch, from arguments named as in Python."""
    return {"method": method, "params": parameters(method, {wire_name(name): value for name, value in arguments.items()}, {})}


def handles_of(commands: Sequence[tuple[str, Any]], results: Sequence[Any], handle: Callable[[str, Any], Any]) -> list[Any]:
    """The results of the commands of a batch, those of what was made as handles."""
    return [handle(MAKES[method], result) if method in MAKES else result for (method, _), result in zip(commands, results, strict=True)]


def spoken(error: WeftError) -> WeftError:
    """The same error with arguments named as in Python."""
    message = _WORDS.sub(lambda word: _SPOKEN.get(word[0], word[0]), error.message)
    suggestion = _SPOKEN.get(error.suggestion, error.suggestion) if error.suggestion is not None else None
    return type(error)(message, code=error.code, pointer=error.pointer, suggestion=suggestion, data=error.data)


class Caller:
    """Calls methods and waits for the result."""

    def call(self, method: str, /, **params: Any) -> Any:
        """Calls a method of the protocol by its name, with parameters named as in the protocol; returns its result."""
        raise NotImplementedError

    def _handle(self, thing: str, result: dict[str, Any]) -> Any:
        raise NotImplementedError

    def _request(self, method: str, given: Mapping[str, Any], unknown: Mapping[str, Any]) -> Any:
        try:
            return self.call(method, **parameters(method, given, unknown))
        except WeftError as error:
            raise spoken(error) from None

    def _make(self, thing: str, method: str, given: Mapping[str, Any], unknown: Mapping[str, Any]) -> Any:
        return self._handle(thing, self._request(method, given, unknown))


class AsyncCaller:
    """Calls methods, to be awaited."""

    async def call(self, method: str, /, **params: Any) -> Any:
        """Calls a method of the protocol by its name, with parameters named as in the protocol; returns its result."""
        raise NotImplementedError

    def _handle(self, thing: str, result: dict[str, Any]) -> Any:
        raise NotImplementedError

    async def _request(self, method: str, given: Mapping[str, Any], unknown: Mapping[str, Any]) -> Any:
        try:
            return await self.call(method, **parameters(method, given, unknown))
        except WeftError as error:
            raise spoken(error) from None

    async def _make(self, thing: str, method: str, given: Mapping[str, Any], unknown: Mapping[str, Any]) -> Any:
        return self._handle(thing, await self._request(method, given, unknown))
