/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

/**
 * The state of training after a step, over all nodes together.
 *
 * @param step steps so far, in all epochs
 * @param rows rows seen so far, in all epochs
 * @param loss of the recent steps
 * @param accuracy of the recent steps, from 0 to 1
 */
record TrainingProgress(long step, long rows, double loss, double accuracy) {}
