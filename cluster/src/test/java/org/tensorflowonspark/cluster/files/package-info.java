/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of reading files without a cluster. */
package org.tensorflowonspark.cluster.files;
