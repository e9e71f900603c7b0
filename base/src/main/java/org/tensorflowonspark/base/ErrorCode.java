/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.base;

import java.io.Serializable;

/**
 * The stable name of one kind of failure, as printed in brackets before its message: {@code
 * [TFOS-CLUSTER-003]}. Each module keeps its codes in one enum that implements this interface; a
 * code is never given a new meaning.
 */
public interface ErrorCode extends Serializable {

  /** Part of the product that reports it, such as {@code CLUSTER} or {@code FEED}. */
  String area();

  /** Number within the area, from 1. */
  int number();

  /** One line for the list of errors in the documentation. */
  String meaning();

  /** The code as users search for it, without brackets: {@code TFOS-CLUSTER-003}. */
  default String code() {
    return String.format("TFOS-%s-%03d", area(), number());
  }
}
