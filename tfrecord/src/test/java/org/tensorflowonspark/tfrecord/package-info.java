/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of the container. */
package org.tensorflowonspark.tfrecord;
