# SPDX-License-Identifier: MIT
"""Triangles that follow from an object's kind, so that the server does not send them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def cloth_triangles(columns: int, rows: int, mesh: str) -> NDArray[np.uint32]:
    """Two triangles for each four neighbours of a cloth's lattice, row by row; `mesh` is "grid" or "hex"."""
    row, column = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    top_left = (row * columns + column).ravel()
    falls_right = (row.ravel() % 2 == 1) & (mesh == "hex")
    top_right, bottom_left, bottom_right = top_left + 1, top_left + columns, top_left + columns + 1
    first = [top_left, bottom_left, np.where(falls_right, bottom_right, top_right)]
    second = [
        np.where(falls_right, top_left, top_right), np.where(falls_right, bottom_right, bottom_left),
        np.where(falls_right, top_right, bottom_right),
    ]  # fmt: skip
    return np.stack([*first, *second], axis=1).reshape(-1, 3).astype(np.uint32)


def body_triangles(positions: NDArray[np.float32]) -> NDArray[np.uint32]:
    """The faces of the tetrahedron of a body's four particles, wound outward."""
    edges = (positions[1:] - positions[0]).astype(np.float64)
    faces = np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]], np.uint32)
    return faces[:, [0, 2, 1]] if np.linalg.det(edges) > 0 else faces
