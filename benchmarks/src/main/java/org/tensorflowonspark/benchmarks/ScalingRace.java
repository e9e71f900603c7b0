/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;
final class ScalingRace implements Benchmark {
  @Override
  public void run(Settings settings, Report report) throws Exception {}
}
