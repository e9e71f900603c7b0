# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""The signatures of a trainable SavedModel."""

from __future__ import annotations

import os
import pathlib
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

import keras
import tensorflow as tf

from .errors import ExportError
from .objective import (
    Target,
    default_label,
    loss_dtype,
    loss_function,
    metric_function,
    per_output,
    rows,
    total_rows,
    weighted_mean,
)
from .optimizer import optimizer_for
from .savedmodel import described, replacing, variable_nodes, write_metadata
from .source import Inputs, Source, clean_name, named_specs, output_names, source_of

ROW_WEIGHTS = "row_weights"
FORMAT = 1
Outputs = Union[None, str, Sequence[str], Mapping[str, Callable]]


def export_trainable(
    model: Any,
    path: Union[str, "os.PathLike[str]"],
    *,
    loss: Any,
    optimizer: Any = "adam",
    metrics: Any = (),
    inputs: Inputs = None,
    labels: Inputs = None,
    outputs: Outputs = None,
    learning_rate: Any = None,
    loss_weights: Any = None,
    seed: Optional[int] = None,
    overwrite: bool = False,
) -> pathlib.Path:
    """Writes a model as a SavedModel that can be trained by calling its signatures, without Python.

    Args:
        model: A built `keras.Model`, a `tf.Module` with `__call__`, or a function without arguments that makes one.
        path: The folder to write; it appears whole or not at all.
        loss: A name (`"mse"`), a config, a `keras.losses.Loss`, or a function (labels, outputs) -> one value for each
            row. With several outputs: a list, or a dict by output name; None for an output without a loss.
        optimizer: A name, a config or a `keras.optimizers.Optimizer`; None for the one the model was compiled with.
        metrics: Names, Keras metrics or functions that are means over rows. With several outputs: a dict by output name,
            or one list for all.
        inputs: Names for the inputs in the model's order, or a dict of name to `tf.TensorSpec` (needed for a
            `tf.Module` and for subclassed models).
        labels: Names for the labels, or a dict of name to `tf.TensorSpec`.
        outputs: Names for the served outputs, or a dict of name to a function that makes it from the model's output
            (all of them, as a list, if there are several): `{"probabilities": tf.nn.softmax}` for a model of logits.
        learning_rate: Replaces the optimizer's; a number or a `keras.optimizers.schedules.LearningRateSchedule`.
        loss_weights: With several outputs: a list, or a dict by output name.
        seed: Seeds the initialisers when model is a function.
        overwrite: Replaces what is at path.

    Returns:
        The path.

    Raises:
        ExportError: with a code, what was found, and what to do.
    """
    path = pathlib.Path(path)
    if path.exists() and not overwrite:
        with replacing(path, overwrite):
            pass
    if keras.backend.backend() != "tensorflow":
        raise ExportError(
            9,
            f"Keras runs on '{keras.backend.backend()}': set KERAS_BACKEND=tensorflow before the first import of keras.",
        )
    if seed is not None:
        keras.utils.set_random_seed(seed)
    if callable(model) and not isinstance(model, (tf.Module, keras.Layer)):
        model = model()
    source = source_of(model, inputs)
    if not source.trainable:
        raise ExportError(
            4,
            f"Model '{getattr(model, 'name', model)}' has no trainable variables ({len(source.state)} others): set trainable = "
            "True on the layers to train before exporting.",
        )
    sample = _inference_outputs(source)
    targets, label_specs = _targets(source, sample, loss, metrics, labels, loss_weights)
    taken = [name for name in label_specs if name in source.inputs or name == ROW_WEIGHTS]
    taken += [name for name in source.inputs if name == ROW_WEIGHTS]
    if taken:
        raise ExportError(
            7, f"Names {taken} are used twice or are '{ROW_WEIGHTS}': give others with inputs=[...] or labels=[...]."
        )
    dtype = loss_dtype(keras.tree.flatten(sample)[targets[0].output])
    step = optimizer_for(optimizer, learning_rate, source.model, source.trainable)

    holder = tf.Module()
    holder.trainable = _tensors(source.trainable)
    holder.state = _tensors(source.state)
    own = {id(variable) for variable in holder.trainable + holder.state}
    holder.optimizer_state = [variable for variable in _tensors(step.variables) if id(variable) not in own]
    holder.resources = source.resources

    serve, served = _serving(source, sample, outputs)
    signatures = {
        "serving_default": serve,
        "gradients": _gradients(source, targets, label_specs, step, holder.trainable, dtype),
        "apply": _apply(source, step, holder.trainable),
        "evaluate": _evaluate(source, targets, label_specs),
    }
    with replacing(path, overwrite) as folder:
        try:
            tf.saved_model.save(
                holder,
                str(folder),
                signatures=signatures,
                options=tf.saved_model.SaveOptions(experimental_custom_gradients=False),
            )
        except AssertionError as cause:
            raise ExportError(
                10,
                "The model uses a variable or table that is not an attribute of its layers, so it cannot be saved: make it one. "
                f"({str(cause).splitlines()[0] if str(cause) else cause!r})",
            ) from cause
        nodes = variable_nodes(folder)
        names = {group: [nodes[f"{group}/{i}"] for i in range(len(getattr(holder, group)))] for group in _GROUPS}
        rate = getattr(step, "_learning_rate", None)
        rate = rate.value if isinstance(rate, keras.Variable) else rate
        metadata = {
            "format": FORMAT,
            "inputs": list(source.inputs),
            "labels": list(label_specs),
            "outputs": served,
            "metrics": [name for target in targets for name in target.metrics],
            "loss": _loss_name(targets, label_specs),
            "optimizer": _optimizer_name(step),
            "variables": [described(v, n) for v, n in zip(holder.trainable, names["trainable"])],
            "state": names["state"],
            "optimizer_state": names["optimizer_state"],
            "learning_rate": next(
                (n for v, n in zip(holder.optimizer_state, names["optimizer_state"]) if v is rate), None
            ),
            "made_with": {"tensorflow": tf.__version__, "keras": keras.__version__},
        }
        write_metadata(folder, metadata)
    return path


_GROUPS = ("trainable", "state", "optimizer_state")


def _tensors(variables: Sequence[Any]) -> List[tf.Variable]:
    """The TensorFlow variables of Keras variables; only these are tracked, for tracking both saves each value twice."""
    return [variable.value if isinstance(variable, keras.Variable) else variable for variable in variables]


def _inference_outputs(source: Source):
    """The structure and specs of the model's outputs."""

    @tf.function(autograph=False)
    def outputs(**tensors):
        return source.outputs_of(tensors, False)

    structured = outputs.get_concrete_function(**source.inputs).structured_outputs
    return keras.tree.map_structure(lambda t: tf.TensorSpec(t.shape, t.dtype), structured)


def _targets(source: Source, sample: Any, loss: Any, metrics: Any, labels: Any, loss_weights: Any):
    """The outputs that have a loss, and the specs of their labels."""
    names = output_names(source, sample)
    specs = keras.tree.flatten(sample)
    losses = per_output(loss, names, "loss", 1)
    several = len(names) > 1
    weights = per_output(loss_weights, names, "loss_weights", 1)
    if isinstance(metrics, Mapping):
        chosen = per_output(metrics, names, "metrics", 3)
    elif isinstance(metrics, (list, tuple)) and several and any(isinstance(item, (list, tuple)) for item in metrics):
        chosen = per_output(metrics, names, "metrics", 3)
    else:
        chosen = [metrics] * len(names)
    functions = {index: loss_function(item) for index, item in enumerate(losses) if item is not None}
    if not functions:
        raise ExportError(1, f"No loss: loss={loss!r}. Give a name such as 'mse', a keras.losses.Loss or a function.")
    known = [
        _named_label(default_label(f, specs[i]), "y" if len(functions) == 1 else names[i]) for i, f in functions.items()
    ]
    label_specs = named_specs(labels, known, "labels")
    targets = []
    for (index, function), (label, spec) in zip(functions.items(), label_specs.items()):
        wanted = chosen[index] or ()
        wanted = wanted if isinstance(wanted, (list, tuple)) else [wanted]
        prefix = f"{names[index]}_" if len(functions) > 1 else ""
        measures = {}
        for item in wanted:
            measure = metric_function(item, spec, specs[index])
            if prefix + measure.name in measures:
                raise ExportError(3, f"Metric '{measure.name}' is given twice: name them differently.")
            measures[prefix + measure.name] = measure
        weight = 1.0 if weights[index] is None else float(weights[index])
        targets.append(Target(index, label, function, weight, measures))
    return targets, label_specs


def _named_label(spec: tf.TensorSpec, name: str) -> tf.TensorSpec:
    return tf.TensorSpec(spec.shape, spec.dtype, clean_name(name))


def _batch_specs(source: Source, label_specs: Mapping[str, tf.TensorSpec]) -> Dict[str, tf.TensorSpec]:
    return {**source.inputs, **label_specs, ROW_WEIGHTS: tf.TensorSpec([None], tf.float32, ROW_WEIGHTS)}


def _measured(source: Source, targets: Sequence[Target], tensors: Mapping[str, tf.Tensor], training: bool):
    """The loss with what the model adds to it, and the metrics."""
    outputs = keras.tree.flatten(source.outputs_of(tensors, training))
    weights = tensors[ROW_WEIGHTS]
    loss = weighted_mean(total_rows(targets, tensors, outputs), weights)
    added = source.added_losses()
    if added:
        counted = tf.cast(tf.not_equal(tf.reduce_sum(weights), 0), loss.dtype)
        loss += counted * tf.add_n([tf.cast(term, loss.dtype) for term in added])
    metrics = {}
    for target in targets:
        for name, measure in target.metrics.items():
            values = rows(measure, tensors[target.label], outputs[target.output])
            metrics[f"metric_{name}"] = weighted_mean(tf.cast(values, tf.float32), weights)
    return loss, metrics


def _gradients(source: Source, targets, label_specs, optimizer, trainable: List[tf.Variable], dtype: tf.DType):
    metric_names = [f"metric_{name}" for target in targets for name in target.metrics]

    def of_rows(tensors):
        with tf.GradientTape() as tape:
            loss, metrics = _measured(source, targets, tensors, True)
            scaled = optimizer.scale_loss(loss)
        grads = tape.gradient(scaled, trainable)
        if all(grad is None for grad in grads):
            raise ExportError(
                11,
                f"The loss does not depend on any of the {len(trainable)} trainable variables, or not differentiably: check the "
                "loss function and the model's call.",
            )
        dense = [
            tf.zeros_like(v) if g is None else tf.cast(tf.convert_to_tensor(g), v.dtype)
            for g, v in zip(grads, trainable)
        ]
        return [loss, *dense, *(metrics[name] for name in metric_names)]

    @tf.function(autograph=False)
    def gradients(**tensors):
        # A batch of weight zero costs nothing, gives zeros, and leaves moving averages alone.
        def nothing():
            zeros = [tf.zeros(v.shape, v.dtype) for v in trainable]
            return [tf.zeros([], dtype), *zeros, *(tf.zeros([]) for _ in metric_names)]

        some = tf.not_equal(tf.reduce_sum(tensors[ROW_WEIGHTS]), 0)
        flat = tf.cond(some, lambda: of_rows(tensors), nothing)
        result = {"loss": flat[0]}
        for index, variable in enumerate(trainable):
            result[f"grad_{index}"] = tf.ensure_shape(flat[1 + index], variable.shape)
        result.update(zip(metric_names, flat[1 + len(trainable) :]))
        return result

    return gradients.get_concrete_function(**_batch_specs(source, label_specs))


def _apply(source: Source, optimizer, trainable: List[tf.Variable]):
    @tf.function(autograph=False)
    def apply(**grads):
        optimizer.apply([grads[f"grad_{index}"] for index in range(len(trainable))], source.trainable)
        return {"iterations": tf.cast(tf.convert_to_tensor(optimizer.iterations), tf.int64)}

    specs = {f"grad_{i}": tf.TensorSpec(v.shape, v.dtype, f"grad_{i}") for i, v in enumerate(trainable)}
    return apply.get_concrete_function(**specs)


def _evaluate(source: Source, targets, label_specs):
    @tf.function(autograph=False)
    def evaluate(**tensors):
        loss, metrics = _measured(source, targets, tensors, False)
        return {"loss": loss, **metrics}

    return evaluate.get_concrete_function(**_batch_specs(source, label_specs))


def _serving(source: Source, sample: Any, outputs: Outputs):
    flat = keras.tree.flatten(sample)
    if outputs is None:
        outputs = output_names(source, sample)
    if isinstance(outputs, str):
        outputs = [outputs]
    names = list(outputs)
    if not isinstance(outputs, Mapping) and len(names) != len(flat):
        raise ExportError(
            7,
            f"{len(names)} outputs named {names} but the model has {len(flat)}: name each, or give a dict of functions.",
        )
    if [clean_name(name) for name in names] != names or len(set(names)) != len(names):
        raise ExportError(7, f"Output names {names} must be different and made of letters, digits and '_'.")

    @tf.function(autograph=False)
    def serve(**tensors):
        results = keras.tree.flatten(source.outputs_of(tensors, False))
        if isinstance(outputs, Mapping):
            results = results[0] if len(results) == 1 else results
            return {name: function(results) for name, function in outputs.items()}
        return dict(zip(names, results))

    return serve.get_concrete_function(**source.inputs), names


def _loss_name(targets: Sequence[Target], label_specs: Mapping[str, Any]) -> str:
    if len(targets) == 1:
        return targets[0].loss.name
    return ",".join(f"{target.label}:{target.loss.name}" for target in targets)


def _optimizer_name(optimizer: Any) -> str:
    inner = getattr(optimizer, "inner_optimizer", optimizer)
    return type(inner).__name__.lower()
