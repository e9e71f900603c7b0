# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""Optimizers by name, config or object, ready for the variables of a model."""

from __future__ import annotations

import difflib
from typing import Any, Mapping

import keras

from .errors import ExportError


def optimizer_for(identifier: Any, learning_rate: Any, model: Any, trainable: list) -> keras.optimizers.Optimizer:
    """An optimizer with its slots made for the trainable variables.

    One that was already trained with keeps its slots and its step count; an unused one is copied, so that the caller's
    object stays as it is.
    """
    optimizer = identifier
    if identifier is None:
        optimizer = getattr(model, "optimizer", None)
        if optimizer is None:
            raise ExportError(
                2, "optimizer=None means the one the model was compiled with, but it is not compiled: name one."
            )
    if isinstance(optimizer, (str, Mapping)):
        try:
            optimizer = keras.optimizers.get(optimizer)
        except (ValueError, TypeError, KeyError) as cause:
            names = [name.lower() for name in dir(keras.optimizers) if name[0].isupper()]
            close = difflib.get_close_matches(str(identifier).lower(), names, 1)
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            raise ExportError(
                2,
                f"Unknown optimizer {identifier!r}{hint}: use a name or config that keras.optimizers.get knows, or a "
                "keras.optimizers.Optimizer.",
            ) from cause
    if not isinstance(optimizer, keras.optimizers.Optimizer):
        raise ExportError(
            2,
            f"Not an optimizer: {identifier!r}. Use a name such as 'adam', a config, or a keras.optimizers.Optimizer.",
        )
    if not optimizer.built:
        optimizer = _copy(optimizer, learning_rate)
        policy = getattr(model, "dtype_policy", None)
        scaled = isinstance(optimizer, keras.optimizers.LossScaleOptimizer)
        if getattr(policy, "name", "") == "mixed_float16" and not scaled:
            optimizer = keras.optimizers.LossScaleOptimizer(optimizer)
        optimizer.build(trainable)
        return optimizer
    built_for = [id(variable) for variable in getattr(optimizer, "_trainable_variables", [])]
    if built_for != [id(variable) for variable in trainable]:
        raise ExportError(
            2,
            f"Optimizer '{optimizer.name}' was built for {len(built_for)} variables which are not the {len(trainable)} of this "
            "model: give a new optimizer, or its name.",
        )
    if learning_rate is not None:
        optimizer.learning_rate = learning_rate
    return optimizer


def _copy(optimizer: keras.optimizers.Optimizer, learning_rate: Any) -> keras.optimizers.Optimizer:
    if isinstance(optimizer, keras.optimizers.LossScaleOptimizer):
        config = optimizer.get_config()
        inner = _copy(optimizer.inner_optimizer, learning_rate)
        return keras.optimizers.LossScaleOptimizer(
            inner,
            initial_scale=config["initial_scale"],
            dynamic_growth_steps=config["dynamic_growth_steps"],
            name=config["name"],
        )
    config = optimizer.get_config()
    if learning_rate is not None:
        config["learning_rate"] = learning_rate
    return type(optimizer).from_config(config)
