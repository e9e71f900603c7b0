/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

/** A peer has no result, for the reason in the message. */
final class NotRaced extends Exception {
  private static final long serialVersionUID = 1L;

  NotRaced(String reason) {
    super(reason);
  }
}
