/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Real Spark clusters of several processes on one machine, and what tests and demos do to them.
 * {@link org.tensorflowonspark.testkit.LocalCluster} starts and ends one, {@link
 * org.tensorflowonspark.testkit.ExecutorProcess} kills or freezes its executors, {@link
 * org.tensorflowonspark.testkit.LeakCheck} tells what is left behind, {@link
 * org.tensorflowonspark.testkit.DriverProcess} runs a whole driver that may be killed, {@link
 * org.tensorflowonspark.testkit.Eventually} waits with a deadline. All of it runs on the driver
 * machine; whoever starts a cluster or a process closes it. Faults and leak checks need Linux.
 */
@NullMarked
package org.tensorflowonspark.testkit;

import org.jspecify.annotations.NullMarked;
