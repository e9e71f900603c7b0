# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""What is written beside the graph, and how: whole or not at all."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import uuid
from contextlib import contextmanager
from typing import Any, Dict, Iterator

import tensorflow as tf
from tensorflow.core.protobuf import saved_model_pb2

from .errors import ExportError

METADATA = pathlib.PurePath("assets.extra", "trainable.json")
VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"


@contextmanager
def replacing(path: pathlib.Path, overwrite: bool) -> Iterator[pathlib.Path]:
    """A new folder beside path, which takes its place when the block ends well and vanishes when it does not."""
    if path.exists() and not overwrite:
        raise ExportError(
            5, f"Path '{path}' exists: choose another, or pass overwrite=True (--overwrite) to replace it."
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    mark = uuid.uuid4().hex[:12]
    fresh = path.parent / f".{path.name}.{mark}.tmp"
    old = path.parent / f".{path.name}.{mark}.old"
    try:
        fresh.mkdir()
        yield fresh
        if path.exists():
            os.rename(path, old)
            try:
                os.rename(fresh, path)
            except OSError:
                os.rename(old, path)
                raise
        else:
            os.rename(fresh, path)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        if old.is_dir():
            shutil.rmtree(old, ignore_errors=True)
        elif old.exists():
            old.unlink()


def variable_nodes(folder: pathlib.Path) -> Dict[str, str]:
    """For each variable, by its path in the object graph (`state/0`), the name of its VarHandleOp node.

    Read off the restore function, which assigns each value of the checkpoint, by key, to a handle.
    """
    saved = saved_model_pb2.SavedModel()
    saved.ParseFromString((folder / "saved_model.pb").read_bytes())
    graph = saved.meta_graphs[0]
    restore = next(node for node in graph.graph_def.node if node.name == graph.saver_def.restore_op_name)
    functions = {function.signature.name: function for function in graph.graph_def.library.function}
    body = functions[restore.attr["f"].func.name]
    handles = dict(zip((argument.name for argument in body.signature.input_arg), restore.input))
    inner = {node.name: node for node in body.node_def}
    nodes = {}
    for node in inner.values():
        if node.op != "AssignVariableOp":
            continue
        value = inner[node.input[1].split(":")[0]]
        while value.op == "Identity":
            source, _, index = value.input[0].rpartition(":")
            value = inner[source.split(":")[0]]
        keys = inner[value.input[1].split(":")[0]].attr["value"].tensor.string_val
        nodes[keys[int(index)].decode().removesuffix(VALUE)] = handles[node.input[0]]
    return nodes


def described(variable: tf.Variable, node: str) -> Dict[str, Any]:
    """A variable as the metadata has it."""
    return {"name": node, "dtype": variable.dtype.name, "shape": variable.shape.as_list()}


def write_metadata(folder: pathlib.Path, metadata: Dict[str, Any]) -> None:
    target = folder / METADATA
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(metadata, indent=2) + "\n", encoding="utf-8")
