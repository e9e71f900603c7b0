/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The {@code tfos} command: {@link org.tensorflowonspark.cli.Tfos} parses the line and turns every
 * failure into one line and an exit code. Sub-commands have packages of their own.
 */
@NullMarked
package org.tensorflowonspark.cli;

import org.jspecify.annotations.NullMarked;
