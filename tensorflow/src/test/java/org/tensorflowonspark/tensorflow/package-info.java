/* SPDX-License-Identifier: Apache-2.0 */
/** Tests against models that were exported from Python, with what Python computed of them. */
@NullMarked
package org.tensorflowonspark.tensorflow;

import org.jspecify.annotations.NullMarked;
