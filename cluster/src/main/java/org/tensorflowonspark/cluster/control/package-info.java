/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The control plane's messages: what nodes tell the driver ({@link
 * org.tensorflowonspark.cluster.control.NodeMessage}) and what the driver tells nodes ({@link
 * org.tensorflowonspark.cluster.control.Event}). A closed set of flat records with a hand-written
 * encoding; nothing here uses Java serialisation. Immutable, safe on any thread.
 */
@NullMarked
package org.tensorflowonspark.cluster.control;

import org.jspecify.annotations.NullMarked;
