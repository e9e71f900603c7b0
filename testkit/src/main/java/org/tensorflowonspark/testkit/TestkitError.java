/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import org.tensorflowonspark.base.ErrorCode;

/** Failures of starting local clusters and processes. */
public enum TestkitError implements ErrorCode {
  ENVIRONMENT(1, "an environment variable or system property that a local cluster needs is wrong"),
  CLUSTER_START(2, "the local cluster did not start"),
  NOT_IN_TIME(3, "something expected did not happen before its deadline"),
  PROCESS(4, "a process could not be started, signalled or read"),
  FILES(5, "a folder of a local cluster could not be made or removed"),
  ILLEGAL_SIZE(6, "a local cluster of an impossible size was asked for");

  private final int number;
  private final String meaning;

  TestkitError(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  @Override
  public String area() {
    return "TESTKIT";
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public String meaning() {
    return meaning;
  }
}
