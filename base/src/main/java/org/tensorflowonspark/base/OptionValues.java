/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.base;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The resolved value of every option of a table. Immutable. */
public final class OptionValues implements java.io.Serializable {
  private static final long serialVersionUID = 1L;

  private final HashMap<String, Object> values;

  OptionValues(Map<String, Object> values) {
    this.values = new HashMap<>(values);
  }

  /** The value of {@code option}; never null. */
  @SuppressWarnings("unchecked") // OptionTable.resolve read the value by this very option
  public <T> T get(Option<T> option) {
    return (T)
        Objects.requireNonNull(values.get(option.key()), () -> option.key() + " not in table");
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
