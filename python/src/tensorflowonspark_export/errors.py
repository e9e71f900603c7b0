# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""Errors that name what was found and what to do about it."""

from __future__ import annotations


class ExportError(ValueError):
    """A model cannot be exported; the message begins with a stable code.

    The codes: 001 loss, 002 optimizer, 003 metric, 004 nothing to train, 005 path exists, 006 model not built or
    inputs unknown, 007 names, 008 loss without rows, 009 not a model, 010 state that cannot be saved, 011 gradients.
    """

    def __init__(self, number: int, text: str):
        self.code = f"TFOS-EXPORT-{number:03d}"
        super().__init__(f"[{self.code}] {text}")
