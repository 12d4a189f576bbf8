# SPDX-License-Identifier: MIT
"""The extension module weft_world._native: the engine (weft.h), threads for it, and the decoder of frames, by cffi in API mode.

It is compiled against the static library of the engine, which `make lib` builds. Variables of the environment:

    WEFT_SOURCE  folder of the repository; default: two folders above this file
    WEFT_LIBRARY libweft.a; default: build/lib/libweft.a there
"""

import os
import re
from pathlib import Path

from cffi import FFI

HERE = Path(__file__).resolve().parent
SOURCE = Path(os.environ.get("WEFT_SOURCE", HERE.parent.parent)).resolve()
LIBRARY = Path(os.environ.get("WEFT_LIBRARY", SOURCE / "build/lib/libweft.a")).resolve()


def declarations(path: Path) -> str:
    """Returns the declarations of a header, without comments and directives, which cffi does not read."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.S)
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif", "", text, flags=re.S | re.M)
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    return text.replace("WEFT_API ", "")


builder = FFI()
builder.cdef(declarations(SOURCE / "server/engine/weft.h"))
builder.cdef(declarations(HERE / "native/owned.h"))
builder.cdef(declarations(HERE / "native/frames.h"))
builder.set_source(
    "weft_world._native",
    '#include "frames.h"\n#include "owned.h"\n',
    sources=["native/owned.c", "native/pool.c", "native/threads.c", "native/frames.c"],
    include_dirs=[str(SOURCE / "server"), str(HERE / "native")],
    extra_objects=[str(LIBRARY)],
    libraries=["cjson", "m", "pthread"],
    extra_compile_args=["-std=c17", "-O3", "-D_GNU_SOURCE", "-ffp-contract=off", "-fno-strict-aliasing", "-fvisibility=hidden"],
    extra_link_args=["-Wl,-z,relro,-z,now"],
    py_limited_api=True,
)
