/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.control;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Map;

/**
 * What a program reports of its work, for whoever watches on the driver.
 *
 * @param epoch index of the epoch, from 0
 * @param step steps applied so far
 * @param rows rows that all nodes together have used so far in this epoch
 * @param values named figures such as {@code loss}
 */
public record Progress(int epoch, long step, long rows, Map<String, Double> values)
    implements Serializable {

  void write(DataOutput out) throws IOException {
    out.writeInt(epoch);
    out.writeLong(step);
    out.writeLong(rows);
    Wire.writeDoubles(out, values);
  }

  static Progress read(DataInput in) throws IOException {
    return new Progress(in.readInt(), in.readLong(), in.readLong(), Wire.readDoubles(in));
  }
}
