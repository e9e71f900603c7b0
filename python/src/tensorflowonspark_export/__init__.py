# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""Writes Keras models and tf.Modules as SavedModels that the JVM can train."""

import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")

from .errors import ExportError  # noqa: E402
from .export import export_trainable  # noqa: E402

__version__ = "0.1.0"
__all__ = ["ExportError", "export_trainable"]
