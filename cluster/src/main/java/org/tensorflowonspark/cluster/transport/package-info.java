/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The data plane between the nodes of one cluster: authenticated, ordered byte pipes between ranks
 * ({@link org.tensorflowonspark.cluster.transport.Link}) and requests of feed tasks to a node
 * ({@link org.tensorflowonspark.cluster.transport.RequestClient}). The door is {@link
 * org.tensorflowonspark.cluster.transport.NodeTransport}, one for each node and attempt.
 *
 * <p>Nodes of one host talk over a Unix domain socket, all others over TCP through Spark's
 * network-common; every use of network-common and of netty is in this package. All of it runs on
 * executors. A link is used by one program thread; {@code abort} and {@code close} may come from
 * any thread. Whoever opens a transport or a client closes it; closing a transport closes its
 * links, its sockets and its directory. All threads are daemons named {@code tfos-...}.
 *
 * <p>Nothing of an unauthenticated peer reaches a decoder: see {@link
 * org.tensorflowonspark.cluster.transport.Handshake} for the Unix socket and {@link
 * org.tensorflowonspark.cluster.transport.PeerGuard} for TCP.
 */
@NullMarked
package org.tensorflowonspark.cluster.transport;

import org.jspecify.annotations.NullMarked;
