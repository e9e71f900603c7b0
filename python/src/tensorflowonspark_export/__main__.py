# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""The command: python -m tensorflowonspark_export MODEL OUT --loss NAME."""

from __future__ import annotations

import argparse
import importlib
import os
import pathlib
import sys
from typing import Any, List, Optional

import keras

from . import ExportError, __version__, export_trainable


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command; 0 when the model was written, 1 when it could not be, 2 for wrong arguments."""
    options = _parser().parse_args(arguments)
    try:
        if pathlib.Path(options.out).exists() and not options.overwrite:
            raise ExportError(5, f"Path '{options.out}' exists: choose another, or pass --overwrite to replace it.")
        loss = options.loss
        if options.from_logits:
            loss = _from_logits(loss)
        path = export_trainable(
            _model(options.model),
            options.out,
            loss=loss,
            optimizer=options.optimizer,
            learning_rate=options.learning_rate,
            metrics=options.metric,
            inputs=options.input or None,
            labels=options.label or None,
            outputs=_outputs(options.output),
            seed=options.seed,
            overwrite=options.overwrite,
        )
    except ExportError as error:
        print(error, file=sys.stderr)
        return 1
    print(path)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tensorflowonspark_export",
        description="Writes a Keras model as a SavedModel that the JVM can train.",
    )
    add = parser.add_argument
    add(
        "model",
        metavar="MODEL",
        help="a .keras or .h5 file, or package.module:function, a function that makes the model",
    )
    add("out", metavar="OUT", help="the folder to write")
    add("--loss", required=True, help="a name that Keras knows, such as mse or sparse_categorical_crossentropy")
    add("--from-logits", action="store_true", help="the model's output is logits (for the cross-entropies)")
    add("--optimizer", default="adam", help="a name that Keras knows (default: %(default)s)")
    add("--learning-rate", type=float, help="default: the optimizer's")
    add("--metric", action="append", default=[], help="a name that Keras knows, such as accuracy; may be repeated")
    add(
        "--input",
        action="append",
        default=[],
        metavar="NAME",
        help="name of an input, in the model's order; may be repeated",
    )
    add("--label", action="append", default=[], metavar="NAME", help="name of a label; may be repeated")
    add(
        "--output",
        action="append",
        default=[],
        metavar="NAME[=ACTIVATION]",
        help="name of a served output, with an activation such as softmax applied to it; may be repeated",
    )
    add("--seed", type=int, help="seeds the initialisers when MODEL is a function")
    add("--overwrite", action="store_true", help="replace what is at OUT")
    add("--version", action="version", version=__version__)
    return parser


def _model(name: str) -> Any:
    """The model in a file, or the function that makes it."""
    module, _, function = name.rpartition(":")
    if module and not pathlib.Path(name).exists() and not name.endswith((".keras", ".h5")):
        sys.path.insert(0, os.getcwd())
        try:
            return getattr(importlib.import_module(module), function)
        except (ImportError, AttributeError) as cause:
            raise ExportError(
                9, f"Cannot find '{name}' ({cause}): give package.module:function, from a folder on PYTHONPATH."
            ) from cause
        finally:
            sys.path.remove(os.getcwd())
    if not pathlib.Path(name).exists():
        raise ExportError(9, f"Model '{name}' does not exist: give a .keras or .h5 file, or package.module:function.")
    try:
        return keras.saving.load_model(name, compile=False)
    except Exception as cause:  # Keras raises many types here
        raise ExportError(
            9,
            f"Keras {keras.__version__} cannot load '{name}': {str(cause).strip()}. Custom layers need package.module:function.",
        ) from cause


def _from_logits(name: str) -> keras.losses.Loss:
    classes = {
        "sparse_categorical_crossentropy": keras.losses.SparseCategoricalCrossentropy,
        "categorical_crossentropy": keras.losses.CategoricalCrossentropy,
        "binary_crossentropy": keras.losses.BinaryCrossentropy,
    }
    if name not in classes:
        raise ExportError(1, f"Loss {name!r} does not take --from-logits; {', '.join(classes)} do.")
    return classes[name](from_logits=True)


def _outputs(given: List[str]) -> Any:
    """Names, or functions when there is an activation."""
    if not any("=" in item for item in given):
        return given or None
    if len(given) > 1:
        raise ExportError(
            7, f"--output {' --output '.join(given)}: an activation goes with a single output; use export_trainable."
        )
    name, _, activation = given[0].partition("=")
    try:
        return {name: keras.activations.get(activation)}
    except ValueError as cause:
        raise ExportError(
            7, f"Unknown activation '{activation}' in --output {given[0]}: use one such as softmax or sigmoid."
        ) from cause


if __name__ == "__main__":
    sys.exit(main())
