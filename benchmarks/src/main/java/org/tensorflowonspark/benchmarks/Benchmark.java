/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

/** One benchmark: measures and reports. */
@FunctionalInterface
interface Benchmark {
  /** Blocks until all rounds are done. A wrong result of our own side is an exception. */
  void run(Settings settings, Report report) throws Exception;
}
