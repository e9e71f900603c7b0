# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""One view on what can be exported: Keras models and tf.Modules."""

from __future__ import annotations

import inspect
import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import keras
import tensorflow as tf

from .errors import ExportError

Inputs = Union[None, Sequence[str], Sequence[tf.TensorSpec], Mapping[str, tf.TensorSpec]]


class Source:
    """A model to export: how to call it, its variables, its losses and its tables.

    Variables are given as the model has them (Keras variables or `tf.Variable`s), in the model's order.
    """

    def __init__(
        self, model: Any, inputs: Dict[str, tf.TensorSpec], call, trainable: list, state: list, resources: list
    ):
        self.model = model
        self.inputs = inputs
        self.call = call
        self.trainable = trainable
        self.state = state
        self.resources = resources

    def outputs_of(self, tensors: Mapping[str, tf.Tensor], training: bool):
        """What the model returns for named inputs."""
        return self.call([tensors[name] for name in self.inputs], training)

    def added_losses(self) -> list:
        """The regularisation and other losses of the last call."""
        return list(self.model.losses) if isinstance(self.model, keras.Model) else []


def source_of(model: Any, inputs: Inputs) -> Source:
    """The view on a Keras model or a callable `tf.Module`."""
    if isinstance(model, keras.Model):
        return _keras_source(model, inputs)
    if isinstance(model, tf.Module) and callable(model):
        return _module_source(model, inputs)
    raise ExportError(
        9,
        f"Cannot export a {type(model).__module__}.{type(model).__qualname__}: give a keras.Model, a tf.Module with "
        "__call__, or a function without arguments that makes one.",
    )


def _keras_source(model: keras.Model, inputs: Inputs) -> Source:
    if not model.built:
        raise ExportError(
            6,
            f"Model '{model.name}' is not built, so its variables do not exist yet: give its first layer a keras.Input, "
            "call model.build(input_shape), or call it once on a batch.",
        )
    known = _keras_inputs(model)
    if not known and not _has_specs(inputs):
        raise ExportError(
            6,
            f"Model '{model.name}' ({type(model).__qualname__}) does not say what its inputs are: pass "
            "inputs={'x': tf.TensorSpec([None, ...], dtype)}.",
        )
    specs = _named(inputs, known, "inputs")
    takes_training = getattr(model, "_call_has_training_arg", True)

    if known:
        structure = getattr(model, "_inputs_struct", None)
        if structure is None:
            functional = getattr(model, "_functional", None)
            structure = getattr(functional, "_inputs_struct", list(model.inputs))
        flat = keras.tree.flatten(structure)
        order = [next(i for i, own in enumerate(model.inputs) if own is tensor) for tensor in flat]

        def call(tensors, training):
            packed = keras.tree.pack_sequence_as(structure, [tensors[i] for i in order])
            return model(packed, training=training) if takes_training else model(packed)

    else:
        bind = _binder(model.call, list(specs))

        def call(tensors, training):
            arguments, keywords = bind(tensors)
            if takes_training:
                keywords["training"] = training
            return model(*arguments, **keywords)

    return Source(
        model,
        specs,
        call,
        list(model.trainable_variables),
        list(model.non_trainable_variables),
        _keras_resources(model),
    )


def _module_source(module: tf.Module, inputs: Inputs) -> Source:
    if not _has_specs(inputs):
        raise ExportError(
            6,
            f"A tf.Module ({type(module).__qualname__}) does not say what its inputs are: pass "
            "inputs={'x': tf.TensorSpec([None, ...], dtype)}.",
        )
    specs = _named(inputs, [], "inputs")
    bind = _binder(module.__call__, list(specs))
    takes_training = "training" in inspect.signature(module.__call__).parameters

    def call(tensors, training):
        arguments, keywords = bind(tensors)
        if takes_training:
            keywords["training"] = training
        return module(*arguments, **keywords)

    trainable = list(module.trainable_variables)
    own = {id(variable) for variable in trainable}
    state = [variable for variable in module.variables if id(variable) not in own]
    tables = list(
        module._flatten(predicate=lambda value: isinstance(value, tf.saved_model.experimental.TrackableResource))
    )
    return Source(module, specs, call, trainable, state, tables)


def _binder(function, names: List[str]):
    """How several named inputs become arguments: by name when the function has such parameters, else as a dict."""
    parameters = inspect.signature(function).parameters
    if len(names) == 1:
        return lambda tensors: ([tensors[0]], {})
    if all(name in parameters for name in names):
        return lambda tensors: ([], dict(zip(names, tensors)))
    return lambda tensors: ([dict(zip(names, tensors))], {})


def _keras_inputs(model: keras.Model) -> List[tf.TensorSpec]:
    """The inputs of a functional or sequential model, named; nothing for a subclassed one."""
    tensors = list(getattr(model, "inputs", None) or [])
    specs = []
    for index, tensor in enumerate(tensors):
        if getattr(tensor, "sparse", False) or getattr(tensor, "ragged", False):
            raise ExportError(6, f"Input '{tensor.name}' is sparse or ragged: only dense inputs can be fed.")
        if not is_automatic_name(tensor.name, "keras_tensor"):
            name = tensor.name
        else:
            name = "x" if len(tensors) == 1 else f"x{index}"
        shape = [None, *tensor.shape[1:]]
        specs.append(tf.TensorSpec(shape, tensor.dtype, clean_name(name)))
    return specs


def _keras_resources(model: keras.Model) -> list:
    """The lookup tables that the layers hold."""
    found: Dict[int, Any] = {}
    for layer in model._flatten_layers():
        for value in vars(layer).values():
            if isinstance(value, tf.saved_model.experimental.TrackableResource):
                found[id(value)] = value
    return list(found.values())


def _has_specs(inputs: Inputs) -> bool:
    values = list(inputs.values()) if isinstance(inputs, Mapping) else list(inputs or [])
    return bool(values) and all(isinstance(value, tf.TensorSpec) for value in values)


def _named(given: Any, known: List[tf.TensorSpec], what: str) -> Dict[str, tf.TensorSpec]:
    """The specs by name: the known ones, renamed or replaced by those given."""
    if isinstance(given, str):
        given = [given]
    if given is None:
        specs = known
    elif isinstance(given, Mapping):
        specs = [tf.TensorSpec(spec.shape, spec.dtype, name) for name, spec in given.items()]
    else:
        specs = []
        for index, item in enumerate(given):
            if isinstance(item, tf.TensorSpec):
                specs.append(
                    tf.TensorSpec(item.shape, item.dtype, item.name or ("x" if len(given) == 1 else f"x{index}"))
                )
            elif index < len(known):
                specs.append(tf.TensorSpec(known[index].shape, known[index].dtype, item))
            else:
                specs.append(tf.TensorSpec([None], tf.float32, item))
    if known and len(specs) != len(known):
        raise ExportError(
            7,
            f"{len(specs)} {what} named ({', '.join(str(spec.name) for spec in specs)}) but the model has {len(known)} "
            f"({', '.join(str(spec.name) for spec in known)}): name each, in this order.",
        )
    for spec in specs:
        if spec.name != clean_name(spec.name):
            raise ExportError(7, f"'{spec.name}' cannot name one of the {what}: use letters, digits and '_' only.")
    names = [spec.name for spec in specs]
    if len(set(names)) != len(names):
        raise ExportError(7, f"The {what} {names} are not all different: name them with {what}=[...].")
    return dict(zip(names, specs))


def named_specs(given: Any, known: List[tf.TensorSpec], what: str) -> Dict[str, tf.TensorSpec]:
    """See `_named`; used for labels too."""
    return _named(given, known, what)


def clean_name(name: str) -> str:
    """A name that a signature's argument can have."""
    cleaned = re.sub(r"\W", "_", str(name), flags=re.ASCII)
    return cleaned if re.match(r"[A-Za-z_]", cleaned) else f"x{cleaned}"


def is_automatic_name(name: str, base: str) -> bool:
    """Whether Keras made up the name (`dense_3`), so that it would change with the order of the program."""
    return re.fullmatch(re.escape(base) + r"(_\d+)?", name) is not None


def output_names(source: Source, outputs: Any) -> List[str]:
    """Names of the flat outputs: keys of a dict, names that the user gave to layers, or `output`, `output_1`..."""
    flat = keras.tree.flatten(outputs)
    if isinstance(outputs, Mapping):
        keys = sorted(outputs)
        if len(keys) == len(flat):
            return [clean_name(key) for key in keys]
    names: List[Optional[str]] = []
    for tensor in getattr(source.model, "outputs", None) or []:
        operation = tensor._keras_history.operation if hasattr(tensor, "_keras_history") else None
        base = re.sub(r"(?<!^)(?<!_)([A-Z][a-z]|(?<=[a-z0-9])[A-Z])", r"_\1", type(operation).__name__).lower()
        automatic = operation is None or is_automatic_name(operation.name, base)
        names.append(None if automatic else clean_name(operation.name))
    if len(names) != len(flat) or None in names or len(set(names)) != len(names):
        names = ["output"] if len(flat) == 1 else [f"output_{index}" for index in range(len(flat))]
    return names
