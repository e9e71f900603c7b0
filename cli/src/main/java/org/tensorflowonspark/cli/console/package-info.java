/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How the command talks to its user: {@link org.tensorflowonspark.cli.console.Screen} is where it
 * prints, {@link org.tensorflowonspark.cli.console.ProgressBar} how it shows progress, {@link
 * org.tensorflowonspark.cli.console.FailureLine} the one line of a failure, {@link
 * org.tensorflowonspark.cli.console.LogFile} the file with the rest, {@link
 * org.tensorflowonspark.cli.console.CliError} the codes.
 */
@NullMarked
package org.tensorflowonspark.cli.console;

import org.jspecify.annotations.NullMarked;
