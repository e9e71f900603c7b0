/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

/** {@link LinkConformance} over unix. */
class UnixLinkTest extends LinkConformance {
  UnixLinkTest() {
    super(TransportMode.UNIX, false, "unix");
  }
}
