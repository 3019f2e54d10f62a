#!/bin/bash -eu
# SPDX-License-Identifier: BSD-2-Clause
#
# Builds every fuzz target by the contract of OSS-Fuzz and ClusterFuzzLite: the sources are in $SRC/samebits; CC, CXX, CFLAGS,
# CXXFLAGS and LIB_FUZZING_ENGINE say how; targets, seed archives, options and dictionaries go into $OUT.

cd "$SRC/samebits"
[ -f configure ] || autoreconf -i
mkdir -p "$WORK/build"
cd "$WORK/build"
"$SRC/samebits/configure" --enable-fuzz --without-cuda
make -j "$(nproc)" fuzz-targets fuzz/replay

for target in fuzz/fuzz_*; do
    case $target in *.o) continue ;; esac
    name=${target#fuzz/}
    cp "$target" "$OUT/$name"
    cp "$SRC/samebits/fuzz/oss-fuzz/$(sh "$SRC/samebits/fuzz/oss-fuzz/options-of" "${name#fuzz_}")" "$OUT/$name.options"
    cp "$SRC/samebits/fuzz/oss-fuzz/fuzz.dict" "$OUT/$name.dict"
done
parts='sbz_read sbz_recover sbz_library sbz_round sbz_filters'
for name in $parts matrix; do cp "$SRC/samebits/fuzz/oss-fuzz/${name%%_*}.dict" "$OUT/fuzz_$name.dict"; done

# The seed corpus of a target: the lines of fuzz/seeds/ALGORITHM.cases and of corpus/ALGORITHM.cases, each as the bytes of a fuzz
# input. The seeds of sbz and matrix are bytes as they are.
for cases in "$SRC"/samebits/corpus/*.cases; do
    algorithm=$(basename "$cases" .cases)
    seeds=$WORK/seeds/$algorithm
    rm -rf "$seeds"
    mkdir -p "$seeds"
    for file in "$cases" "$SRC/samebits/fuzz/seeds/$algorithm.cases"; do
        [ ! -f "$file" ] || fuzz/replay --encode "$algorithm" "$file" "$seeds"
    done
    archive=$OUT/fuzz_${algorithm//./_}_seed_corpus.zip
    rm -f "$archive"
    zip -q -j "$archive" "$seeds"/*
done

for name in $parts matrix; do
    rm -f "$OUT/fuzz_${name}_seed_corpus.zip"
    zip -q -j "$OUT/fuzz_${name}_seed_corpus.zip" "$SRC/samebits/fuzz/seeds/${name%%_*}"/*
done
