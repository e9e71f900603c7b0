/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import org.tensorflowonspark.cluster.transport.NodeAddress;

/** Data-plane addresses as one line of text, as the roster carries them. */
public final class NodeAddresses {
  private static final String SEPARATOR = "\t";

  private NodeAddresses() {}

  /** The text form. */
  public static String format(NodeAddress address) {
    return String.join(
        SEPARATOR,
        Integer.toString(address.rank()),
        address.host(),
        address.hostId(),
        Integer.toString(address.tcpPort()),
        address.unixPath());
  }

  /** Reads what {@link #format} made. */
  public static NodeAddress parse(String text) {
    String[] parts = text.split(SEPARATOR, -1);
    if (parts.length != 5) {
      throw new IllegalArgumentException("'" + text + "' is not the address of a node");
    }
    return new NodeAddress(
        Integer.parseInt(parts[0]), parts[1], parts[2], Integer.parseInt(parts[3]), parts[4]);
  }
}
