/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The sum of `count` numbers in device memory; -1 if a runtime call failed.
 */
#pragma once
int total(const int *numbers, int count);
