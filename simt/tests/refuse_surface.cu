// expect: refused 6
// SPDX-License-Identifier: BSD-2-Clause
//
// A surface reference.
int main()
{   cudaBindSurfaceToArray(nullptr, nullptr);
}
