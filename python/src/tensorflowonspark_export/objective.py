# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""Losses and metrics as values for each row, so that row weights mean the same everywhere."""

from __future__ import annotations

import difflib
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence

import keras
import tensorflow as tf

from .errors import ExportError
from .source import clean_name


class RowFunction(NamedTuple):
    """A loss or metric: a value, or a mean over the other axes, for each row."""

    name: str
    function: Callable
    from_keras: bool


class Target(NamedTuple):
    """An output with a loss: which, against which label, and how it is measured."""

    output: int
    label: str
    loss: RowFunction
    loss_weight: float
    metrics: Dict[str, RowFunction]


def per_output(value: Any, names: Sequence[str], what: str, number: int) -> list:
    """One item for each output, from one value, a list, or a dict by output name."""
    if isinstance(value, Mapping) and not ("class_name" in value and "config" in value):
        unknown = [key for key in value if key not in names]
        if unknown:
            raise ExportError(number, f"{what} for unknown outputs {unknown}: the model's outputs are {list(names)}.")
        return [value.get(name) for name in names]
    if isinstance(value, (list, tuple)):
        if len(value) != len(names):
            raise ExportError(
                number, f"{len(value)} items in {what} for {len(names)} outputs {list(names)}: give one each."
            )
        return list(value)
    return [value] * len(names)


def loss_function(identifier: Any) -> RowFunction:
    """The loss called identifier: a name, a config, a `keras.losses.Loss` or a function of labels and outputs."""
    loss = identifier
    if isinstance(identifier, (str, Mapping)):
        try:
            loss = keras.losses.get(identifier)
        except (ValueError, TypeError) as cause:
            raise ExportError(
                1,
                f"Unknown loss {identifier!r}{_hint(identifier, keras.losses)}: use a name that keras.losses.get knows, "
                "a keras.losses.Loss, or a function (labels, outputs) -> one value for each row.",
            ) from cause
    if isinstance(loss, keras.losses.Loss):
        if loss.reduction == "sum":
            raise ExportError(
                1,
                f"Loss '{loss.name}' has reduction 'sum': the exported loss is the weighted mean over rows; leave reduction out.",
            )
        return RowFunction(loss.name, loss.call, True)
    if not callable(loss):
        raise ExportError(
            1,
            f"Not a loss: {identifier!r}. Use a name, a keras.losses.Loss or a function (labels, outputs) -> one value for each row.",
        )
    from_keras = getattr(loss, "__module__", "").startswith("keras.")
    return RowFunction(_name_of(loss), loss, from_keras)


def is_sparse(loss: RowFunction) -> bool:
    """Whether the loss takes class numbers."""
    owner = getattr(loss.function, "__self__", None)
    return "sparse" in loss.name.lower() or isinstance(owner, keras.losses.SparseCategoricalCrossentropy)


def metric_function(identifier: Any, label: tf.TensorSpec, output: tf.TensorSpec) -> RowFunction:
    """The metric called identifier, which must be a mean over rows."""
    metric, name = identifier, None
    if isinstance(identifier, str):
        name = identifier
        if identifier.lower() in ("accuracy", "acc"):
            metric = _accuracy(label, output)
        else:
            try:
                metric = keras.metrics.get(identifier)
            except (ValueError, TypeError) as cause:
                raise ExportError(
                    3,
                    f"Unknown metric {identifier!r}{_hint(identifier, keras.metrics)}: use a name that keras.metrics.get "
                    "knows or a function (labels, outputs) -> one value for each row.",
                ) from cause
    if isinstance(metric, keras.metrics.Metric):
        if not isinstance(metric, keras.metrics.MeanMetricWrapper):
            raise ExportError(
                3,
                f"Metric '{metric.name}' ({type(metric).__qualname__}) is not a mean over rows, so steps and nodes cannot be "
                "added up: compute it from predictions, or use a metric such as 'accuracy' or 'mae'.",
            )
        function, keywords = metric._fn, metric._fn_kwargs
        return RowFunction(clean_name(name or metric.name), lambda y, p: function(y, p, **keywords), True)
    if not callable(metric):
        raise ExportError(
            3, f"Not a metric: {identifier!r}. Use a name, or a function (labels, outputs) -> one value for each row."
        )
    return RowFunction(
        clean_name(name or _name_of(metric)), metric, getattr(metric, "__module__", "").startswith("keras.")
    )


def default_label(loss: RowFunction, output: tf.TensorSpec) -> tf.TensorSpec:
    """Class numbers for a sparse loss, else values like the output (no narrower than float32)."""
    shape = output.shape
    if is_sparse(loss):
        return tf.TensorSpec([None] if shape.rank is None else [None, *shape[1:-1]], tf.int64)
    dtype = output.dtype if output.dtype not in (tf.float16, tf.bfloat16) else tf.float32
    return tf.TensorSpec(shape if shape.rank is None else [None, *shape[1:]], dtype)


def loss_dtype(output: tf.TensorSpec) -> tf.DType:
    """The dtype a loss on this output is computed in."""
    return tf.float64 if output.dtype == tf.float64 else tf.float32


def rows(measure: RowFunction, label: tf.Tensor, output: tf.Tensor) -> tf.Tensor:
    """One value for each row."""
    mask = getattr(output, "_keras_mask", None)
    dtype = loss_dtype(output)
    if output.dtype.is_floating:
        output = tf.cast(output, dtype)
    if label.dtype.is_floating or (
        measure.from_keras and not is_sparse(measure) and label.dtype.is_bool | label.dtype.is_integer
    ):
        label = tf.cast(label, dtype)
    label, output = _same_rank(label, output)
    values = tf.convert_to_tensor(measure.function(label, output))
    if values.shape.rank == 0:
        raise ExportError(
            8,
            f"'{measure.name}' gives one number for the whole batch, so rows cannot be weighted: let it return one value "
            "for each row (leave the last tf.reduce_mean out).",
        )
    own_mask = getattr(values, "_keras_mask", None)
    values = tf.cast(values, dtype)
    if own_mask is not None:
        mask = own_mask if mask is None else tf.logical_and(mask, own_mask)
    if values.shape.rank == 1:
        return values if mask is None else tf.math.multiply_no_nan(values, tf.cast(mask, dtype))
    axes = tf.range(1, tf.rank(values)) if values.shape.rank is None else list(range(1, values.shape.rank))
    if mask is None:
        return tf.reduce_mean(values, axes)
    weights = tf.cast(mask, dtype)
    while weights.shape.rank < values.shape.rank:
        weights = weights[..., tf.newaxis]
    weights = tf.broadcast_to(weights, tf.shape(values))
    total = tf.reduce_sum(tf.math.multiply_no_nan(values, weights), axes)
    return tf.math.divide_no_nan(total, tf.reduce_sum(weights, axes))


def weighted_mean(values: tf.Tensor, weights: tf.Tensor) -> tf.Tensor:
    """sum(w * v) / sum(w); 0 when the weights add up to 0. A row of weight 0 counts for nothing, whatever its value."""
    weights = tf.cast(weights, values.dtype)
    return tf.math.divide_no_nan(tf.reduce_sum(tf.math.multiply_no_nan(values, weights)), tf.reduce_sum(weights))


def _same_rank(label: tf.Tensor, output: tf.Tensor):
    """As Keras does before any loss: a last axis of length 1 is added or dropped to make the ranks equal."""
    if label.shape.rank is None or output.shape.rank is None:
        return label, output
    if label.shape.rank == output.shape.rank + 1 and label.shape[-1] == 1:
        if output.shape.rank == 1:
            return label, output[:, tf.newaxis]
        return tf.squeeze(label, -1), output
    if output.shape.rank == label.shape.rank + 1 and output.shape[-1] == 1:
        if label.shape.rank == 1:
            return label[:, tf.newaxis], output
        return label, tf.squeeze(output, -1)
    return label, output


def _accuracy(label: tf.TensorSpec, output: tf.TensorSpec) -> keras.metrics.Metric:
    if output.shape.rank is None or label.shape.rank is None:
        raise ExportError(
            3, "Cannot tell which accuracy is meant, for the rank of the output or label is unknown: name it."
        )
    if output.shape.rank == 1 or output.shape[-1] == 1:
        return keras.metrics.BinaryAccuracy()
    if label.shape.rank < output.shape.rank or label.shape[-1] == 1:
        return keras.metrics.SparseCategoricalAccuracy()
    return keras.metrics.CategoricalAccuracy()


def _name_of(function: Any) -> str:
    return getattr(function, "__name__", None) or type(function).__name__


def _hint(identifier: Any, module: Any) -> str:
    close = difflib.get_close_matches(str(identifier), [n for n in dir(module) if not n.startswith("_")], 1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def total_rows(targets: Sequence[Target], labels: Mapping[str, tf.Tensor], outputs: List[tf.Tensor]) -> tf.Tensor:
    """The loss of each row, over all outputs that have one."""
    total: Optional[tf.Tensor] = None
    for target in targets:
        value = rows(target.loss, labels[target.label], outputs[target.output])
        if target.loss_weight != 1.0:
            value *= tf.cast(target.loss_weight, value.dtype)
        total = value if total is None else total + tf.cast(value, total.dtype)
    return total
