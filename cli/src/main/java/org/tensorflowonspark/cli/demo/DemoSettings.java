/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import java.nio.file.Path;

/**
 * What the demo was asked to do.
 *
 * @param data folder of the IDX files
 * @param workers nodes that train
 * @param executors processes that the nodes live in
 * @param epochs times that every image is seen
 * @param batchSize images a node takes for a step
 * @param model trainable SavedModel
 * @param exportDir where the trained model goes
 * @param seed of the shuffle and the model's own random numbers
 */
record DemoSettings(
    Path data,
    int workers,
    int executors,
    int epochs,
    int batchSize,
    String model,
    String exportDir,
    long seed) {}
