/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.config;

import org.tensorflowonspark.base.ErrorCode;

/** Failures of a cluster's life cycle and of feeding it. */
public enum ClusterError implements ErrorCode {
  NOT_CLASSIC(
      "CLUSTER",
      1,
      "the session is a Spark Connect session, which has no executors to start nodes on"),
  NOT_SERIALIZABLE("CLUSTER", 2, "the program captures something that cannot be sent to executors"),
  TOO_FEW_SLOTS("CLUSTER", 3, "the executors offer fewer places than the cluster has nodes"),
  DYNAMIC_ALLOCATION("CLUSTER", 4, "Spark may remove idle executors while nodes run on them"),
  START_TIMEOUT("CLUSTER", 5, "not all nodes checked in within the start timeout"),
  START_FAILED("CLUSTER", 6, "the Spark job that starts the nodes failed"),
  NODE_FAILED("CLUSTER", 10, "a node's program threw an exception"),
  NODE_LOST("CLUSTER", 11, "the process of a node ended while its program ran"),
  NODE_SILENT("CLUSTER", 12, "a node's process stopped answering"),
  DRIVER_GONE("CLUSTER", 13, "the driver ended or stopped answering"),
  CANCELLED("CLUSTER", 14, "the Spark job of the cluster was cancelled"),
  CONTEXT_STOPPED("CLUSTER", 15, "the SparkContext was stopped while the cluster ran"),
  CLOSED("CLUSTER", 16, "the cluster was used after its end"),
  CLOSE_TIMEOUT("CLUSTER", 17, "programs were still running when the close timeout passed"),
  REFUSED("CLUSTER", 18, "a message of another cluster, attempt or version was refused"),
  RESULT_UNREADABLE("CLUSTER", 19, "a program's return value cannot be sent or read"),
  STOPPED("CLUSTER", 20, "the driver stopped the cluster"),
  NO_MODEL("CLUSTER", 21, "there is no model at a path"),
  TARGET_EXISTS("CLUSTER", 22, "a model is to be exported to a directory that is in use"),
  NO_READER("FEED", 1, "the program never opened the feed that the driver wants to fill"),
  NO_PROGRESS(
      "FEED", 2, "nobody took rows from a full feed, or nobody sent any, for the progress timeout"),
  FEED_FAILED("FEED", 3, "the Spark job that feeds the nodes failed"),
  ROWS_DIFFER("FEED", 4, "rows sent and rows received differ"),
  SPEC_DIFFERS("FEED", 5, "nodes opened the same feed with different columns"),
  NO_STEP("FEED", 6, "a synchronous feed was read twice without an all-reduce between"),
  ANSWERS_DIFFER("FEED", 7, "a program gave another number of answers than it got rows"),
  FENCED("FEED", 8, "a newer attempt of the same feed task has taken over"),
  BLOCK_LOST("FEED", 9, "rows kept for a later epoch are gone"),
  COLUMN_TAKEN("FEED", 10, "an output has the name of an input column"),
  NO_FILES("FEED", 11, "there are no files, or none with features, for a feed to read"),
  FILES_DIFFER("FEED", 12, "nodes found different files at the same path"),
  RECORD_MISFIT("FEED", 13, "a record of a file does not fit the tensors of a feed");

  private final String area;
  private final int number;
  private final String meaning;

  ClusterError(String area, int number, String meaning) {
    this.area = area;
    this.number = number;
    this.meaning = meaning;
  }

  @Override
  public String area() {
    return area;
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
