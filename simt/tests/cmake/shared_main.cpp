/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A program without CUDA that uses the shared library.
 */
extern "C" int shared_twice(int number);

int main()
{
    return shared_twice(21) != 42;
}
