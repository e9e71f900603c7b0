/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.util.Locale;

/** Values of the option {@code doubles}. */
enum Doubles {
  NARROW,
  EXACT;

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
