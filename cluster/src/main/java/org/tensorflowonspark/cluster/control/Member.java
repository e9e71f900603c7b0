/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.control;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import org.tensorflowonspark.cluster.config.Role;

/**
 * One node of the roster.
 *
 * @param rank 0 to size - 1; collectives and feeds know nodes by it
 * @param role what the node is
 * @param taskIndex index within its role, as in {@code TF_CONFIG}
 * @param incarnation random number of this very start of the node; a later start has another
 * @param executorId Spark's id of the executor that runs it
 * @param host the executor's host as Spark knows it
 * @param pid process id of the executor
 * @param address encoded address of the node's data plane
 */
public record Member(
    int rank,
    Role role,
    int taskIndex,
    long incarnation,
    String executorId,
    String host,
    long pid,
    String address)
    implements Serializable {

  /** How errors and logs name the node: {@code node 1 (worker:0) on host h (executor 3)}. */
  public String describe() {
    return "node %d (%s:%d) on host %s (executor %s, pid %d)"
        .formatted(rank, role.taskType(), taskIndex, host, executorId, pid);
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(rank);
    out.writeByte(role.ordinal());
    out.writeInt(taskIndex);
    out.writeLong(incarnation);
    out.writeUTF(executorId);
    out.writeUTF(host);
    out.writeLong(pid);
    out.writeUTF(address);
  }

  static Member read(DataInput in) throws IOException {
    return new Member(
        in.readInt(),
        Role.values()[in.readUnsignedByte()],
        in.readInt(),
        in.readLong(),
        in.readUTF(),
        in.readUTF(),
        in.readLong(),
        in.readUTF());
  }
}
