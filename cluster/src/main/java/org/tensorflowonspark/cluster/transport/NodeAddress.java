/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.io.Serializable;

/**
 * Where a node listens; the driver hands it to the other nodes and to feed tasks. Carries no
 * secret.
 *
 * @param rank the node's rank in its cluster
 * @param host host name or address that TCP is bound to
 * @param hostId identity of machine and container; equal only where a Unix socket can be shared
 * @param tcpPort TCP port, open until the transport is closed
 * @param unixPath path of the Unix socket, empty when there is none
 */
public record NodeAddress(int rank, String host, String hostId, int tcpPort, String unixPath)
    implements Serializable {}
