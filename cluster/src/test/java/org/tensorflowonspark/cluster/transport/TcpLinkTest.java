/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

/** {@link LinkConformance} over tcp. */
class TcpLinkTest extends LinkConformance {
  TcpLinkTest() {
    super(TransportMode.TCP, false, "tcp");
  }
}
