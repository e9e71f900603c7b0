# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""Row weights: means over rows, and batches that count for nothing."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from conftest import dense_model

LOGITS = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
layers = keras.layers


def test_a_weight_of_two_is_the_row_twice(export, random):
    exported = export(dense_model(), loss=LOGITS, metrics=["accuracy"])
    x, y, times = random.normal(size=[5, 4]), random.integers(0, 3, [5]), [1, 2, 0, 3, 1]
    for signature in (exported.gradients, exported.evaluate):
        weighted = signature(np.array(times, "float32"), x=x, y=y)
        repeated = signature(None, x=np.repeat(x, times, 0), y=np.repeat(y, times, 0))
        for name, value in weighted.items():
            np.testing.assert_allclose(value, repeated[name], rtol=1e-5, atol=1e-6, err_msg=name)


def test_halves_add_up_to_the_whole(export, random):
    """The weighted mean of two nodes' gradients is the gradient of all rows, regularisation included."""
    exported = export(dense_model(kernel_regularizer=keras.regularizers.L2(0.1)), loss=LOGITS)
    x, y, w = random.normal(size=[9, 4]), random.integers(0, 3, [9]), random.uniform(0, 2, [9]).astype("float32")
    whole, one, two = (
        exported.gradients(w[part], x=x[part], y=y[part]) for part in (slice(None), slice(4), slice(4, None))
    )
    for name, value in whole.items():
        mean = (one[name] * w[:4].sum() + two[name] * w[4:].sum()) / w.sum()
        np.testing.assert_allclose(value, mean, rtol=1e-5, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("rows", [0, 1, 4])
def test_no_weight_is_zero_and_changes_nothing(export, random, rows):
    model = keras.Sequential(
        [
            keras.Input((4,)),
            layers.Dense(3, kernel_regularizer="l2"),
            layers.BatchNormalization(),
            layers.Dropout(0.5),
            layers.Dense(3),
        ]
    )
    exported = export(model, loss=LOGITS, metrics=["accuracy"])
    before = exported.state
    for x in (random.normal(size=[rows, 4]), np.full([rows, 4], np.nan)):
        for signature in (exported.gradients, exported.evaluate):
            for name, value in signature(np.zeros(rows, "float32"), x=x, y=np.zeros(rows)).items():
                assert np.all(value == 0), name
    for old, new in zip(before, exported.state):
        np.testing.assert_array_equal(old, new)


def test_time_steps_are_averaged_within_their_row(export, random):
    """A masked row counts as much as a full one, so that nodes can be added up."""
    model = keras.Sequential(
        [keras.Input((4,), dtype="int32"), layers.Embedding(9, 3, mask_zero=True), layers.Dense(3)]
    )
    exported = export(model, loss=LOGITS, metrics=["accuracy"])
    assert exported.signatures["gradients"].structured_input_signature[1]["y"].shape.as_list() == [None, 4]
    x, y = np.array([[1, 2, 3, 4], [5, 6, 0, 0]]), random.integers(0, 3, [2, 4])
    steps = keras.losses.sparse_categorical_crossentropy(
        y, exported.call("serving_default", x=x)["output"], from_logits=True
    )
    expected = (np.mean(steps[0]) + np.mean(steps[1][:2])) / 2
    np.testing.assert_allclose(exported.gradients(x=x, y=y)["loss"], expected, rtol=1e-5)
    full = np.array([[1, 2, 3, 4], [5, 6, 7, 8]])
    served = exported.call("serving_default", x=full)["output"]
    np.testing.assert_allclose(exported.evaluate(x=full, y=y)["loss"], LOGITS(y, served), rtol=1e-5)


@pytest.mark.parametrize(
    ("loss", "units", "label"),
    [
        ("mse", 2, [[0.5, 1.0], [0.0, 2.0]]),
        ("mae", 1, [[0.5], [2.0]]),
        ("huber", 1, [[0.5], [2.0]]),
        ("binary_crossentropy", 1, [[1.0], [0.0]]),
        ("categorical_crossentropy", 3, [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
        ({"class_name": "CategoricalCrossentropy", "config": {"label_smoothing": 0.1}}, 3, [[1.0, 0, 0], [0, 0, 1.0]]),
        (keras.losses.Huber(0.1), 1, [[0.5], [2.0]]),
        (keras.losses.kl_divergence, 3, [[0.5, 0.25, 0.25], [0.1, 0.1, 0.8]]),
    ],
)
def test_losses(export, random, loss, units, label):
    model = keras.Sequential(
        [keras.Input((4,)), layers.Dense(units, activation="sigmoid" if units == 1 else "softmax")]
    )
    exported = export(model, loss=loss, metrics=["accuracy"])
    x = random.normal(size=[2, 4]).astype("float32")
    model.compile(loss=keras.losses.get(loss) if isinstance(loss, dict) else loss, metrics=["accuracy"])
    expected = model.evaluate(x, np.array(label, "float32"), verbose=0)
    result = exported.evaluate(x=x, y=label)
    np.testing.assert_allclose([result["loss"], result["metric_accuracy"]], expected, rtol=1e-5)


def test_whole_numbers_as_labels_of_a_plain_loss(export, random):
    model = keras.Sequential([keras.Input((4,)), layers.Dense(1, activation="sigmoid")])
    exported = export(
        model,
        loss="binary_crossentropy",
        labels={"click": tf.TensorSpec([None], tf.int32)},
        metrics=["accuracy", "mae"],
    )
    x = random.normal(size=[3, 4]).astype("float32")
    served = exported.call("serving_default", x=x)["output"][:, 0]
    result = exported.evaluate(x=x, click=[1, 0, 1])
    np.testing.assert_allclose(result["loss"], -np.mean(np.log([served[0], 1 - served[1], served[2]])), rtol=1e-5)
    np.testing.assert_allclose(result["metric_mae"], np.mean([1 - served[0], served[1], 1 - served[2]]), rtol=1e-5)
