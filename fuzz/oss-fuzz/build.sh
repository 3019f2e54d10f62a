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
    cp "$SRC/samebits/fuzz/oss-fuzz/fuzz.options" "$OUT/$name.options"
    cp "$SRC/samebits/fuzz/oss-fuzz/fuzz.dict" "$OUT/$name.dict"
done

# Seeds: what fuzz/seeds has, and every case of the corpus as a fuzz input.
for cases in "$SRC"/samebits/corpus/*.cases; do
    algorithm=$(basename "$cases" .cases)
    seeds=$WORK/seeds/$algorithm
    rm -rf "$seeds"
    mkdir -p "$seeds"
    if [ -d "$SRC/samebits/fuzz/seeds/$algorithm" ]; then
        cp "$SRC/samebits/fuzz/seeds/$algorithm"/* "$seeds"
    fi
    fuzz/replay --encode "$algorithm" "$cases" "$seeds"
    archive=$OUT/fuzz_${algorithm//./_}_seed_corpus.zip
    rm -f "$archive"
    zip -q -j "$archive" "$seeds"/*
done

rm -f "$OUT/fuzz_sbz_seed_corpus.zip"
zip -q -j "$OUT/fuzz_sbz_seed_corpus.zip" "$SRC"/samebits/fuzz/seeds/sbz/*
