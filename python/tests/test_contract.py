# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""What Java relies on: signatures, their shapes and dtypes, the metadata, and a session's view of the graph."""

import keras
import numpy as np
import tensorflow as tf
from conftest import Exported, dense_model

LOGITS = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def specs(function):
    inputs = {name: (spec.dtype, spec.shape.as_list()) for name, spec in function.structured_input_signature[1].items()}
    outputs = {name: (spec.dtype, spec.shape.as_list()) for name, spec in function.structured_outputs.items()}
    return inputs, outputs


def test_signatures_and_metadata(export):
    exported = export(dense_model(), loss=LOGITS, metrics=["accuracy"])
    shapes = [[4, 5], [5], [5, 3], [3]]
    batch = {"x": (tf.float32, [None, 4]), "y": (tf.int64, [None]), "row_weights": (tf.float32, [None])}
    grads = {f"grad_{index}": (tf.float32, shape) for index, shape in enumerate(shapes)}
    measured = {"loss": (tf.float32, []), "metric_accuracy": (tf.float32, [])}

    assert set(exported.signatures) == {"serving_default", "gradients", "apply", "evaluate"}
    assert specs(exported.signatures["gradients"]) == (batch, {**grads, **measured})
    assert specs(exported.signatures["evaluate"]) == (batch, measured)
    assert specs(exported.signatures["apply"]) == (grads, {"iterations": (tf.int64, [])})
    assert specs(exported.signatures["serving_default"]) == (
        {"x": (tf.float32, [None, 4])},
        {"output": (tf.float32, [None, 3])},
    )
    metadata = exported.metadata
    assert metadata["format"] == 1
    assert (metadata["inputs"], metadata["labels"], metadata["metrics"]) == (["x"], ["y"], ["accuracy"])
    assert (metadata["loss"], metadata["optimizer"]) == ("sparse_categorical_crossentropy", "adam")
    assert [variable["shape"] for variable in metadata["variables"]] == shapes
    assert {variable["dtype"] for variable in metadata["variables"]} == {"float32"}
    assert metadata["state"] == []


def test_nothing_is_saved_twice(export):
    model = dense_model()
    exported = export(model, loss=LOGITS)
    keys = [key for key, _ in tf.train.list_variables(str(exported.path / "variables" / "variables")) if key[0] != "_"]
    assert len(keys) == 4 + 2 + 2 * 4  # variables; iterations and learning rate; Adam's slots


def test_as_java_does(export, random):
    """Trains in a session by the names of the signature, saves over variables/, and loads the result in Python."""
    model = keras.Sequential(
        [
            keras.Input((4,)),
            keras.layers.Dense(5),
            keras.layers.BatchNormalization(),
            keras.layers.Dropout(0.2),
            keras.layers.Dense(3),
        ]
    )
    path = export(model, loss=LOGITS, optimizer="sgd", learning_rate=0.1).path
    metadata = Exported(path).metadata
    x, y = random.normal(size=[32, 4]).astype("float32"), random.integers(0, 3, [32])
    trainable = [variable.numpy() for variable in model.trainable_variables]
    state = [variable.numpy() for variable in model.non_trainable_variables]
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        graph = tf.compat.v1.saved_model.load(session, ["serve"], str(path))
        names = [variable["name"] for variable in metadata["variables"]]

        def read(node):
            return session.run(f"{node}/Read/ReadVariableOp:0")

        for node, variable in zip(names, trainable):
            np.testing.assert_array_equal(read(node), variable)
        for node, variable in zip(metadata["state"], state):
            np.testing.assert_array_equal(read(node), variable)
        assert read(metadata["learning_rate"]) == np.float32(0.1)
        for node in [*names, *metadata["state"], *metadata["optimizer_state"]]:
            assert session.graph.get_operation_by_name(node).type == "VarHandleOp"
            assert session.graph.get_operation_by_name(node).get_attr("shared_name").decode() == node

        def run(signature, feeds):
            definition = graph.signature_def[signature]
            fetches = {name: info.name for name, info in definition.outputs.items()}
            return session.run(fetches, {definition.inputs[name].name: value for name, value in feeds.items()})

        before = [read(node) for node in metadata["state"]]
        losses = []
        for _ in range(30):
            result = run("gradients", {"x": x, "y": y, "row_weights": np.ones(32, "float32")})
            losses.append(result["loss"])
            done = run("apply", {name: value for name, value in result.items() if name.startswith("grad_")})
        assert done["iterations"] == 30
        assert losses[-1] < 0.9 * losses[0]
        assert all(np.any(old != read(node)) for old, node in zip(before, metadata["state"]))
        served = run("serving_default", {"x": x})["output"]
        saver = graph.saver_def
        session.run(saver.save_tensor_name, {saver.filename_tensor_name: str(path / "variables" / "variables")})
    again = Exported(path)
    np.testing.assert_allclose(again.call("serving_default", x=x)["output"], served, rtol=1e-6)
    assert (
        again.call("apply", **{f"grad_{i}": np.zeros_like(v) for i, v in enumerate(again.trainable)})["iterations"]
        == 31
    )


def test_evaluate_changes_nothing(export, random):
    model = keras.Sequential(
        [keras.Input((4,)), keras.layers.BatchNormalization(), keras.layers.Dropout(0.5), keras.layers.Dense(3)]
    )
    exported = export(model, loss=LOGITS, metrics=["accuracy"])
    before = exported.trainable + exported.state
    x, y = random.normal(size=[9, 4]), random.integers(0, 3, [9])
    first, second = exported.evaluate(x=x, y=y), exported.evaluate(x=x, y=y)
    assert first == second
    for old, new in zip(before, exported.trainable + exported.state):
        np.testing.assert_array_equal(old, new)


def test_same_seed_same_model(export):
    def weights(seed):
        return export(dense_model, loss=LOGITS, seed=seed).trainable

    for one, two in zip(weights(3), weights(3)):
        np.testing.assert_array_equal(one, two)
    assert np.any(weights(3)[0] != weights(4)[0])


def test_the_callers_optimizer_stays_unused(export):
    adam = keras.optimizers.Adam(0.02)
    exported = export(dense_model(), loss=LOGITS, optimizer=adam)
    assert not adam.built
    assert exported.loaded.optimizer_state[1].numpy() == np.float32(0.02)
