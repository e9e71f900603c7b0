/* SPDX-License-Identifier: Apache-2.0 */
/** Runs the examples, and holds documentation and dependencies to what the code says. */
@NullMarked
package org.tensorflowonspark.examples;

import org.jspecify.annotations.NullMarked;
