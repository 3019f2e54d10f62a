# SPDX-License-Identifier: BSD-2-Clause
#
# What the tests of the program sbz share: inputs, and functions. Sourced by them; the current directory is then an empty one with these
# inputs. From the environment: SBZ (the program), srcdir; SBZ_SEED.
# shellcheck shell=sh disable=SC2034 # the test uses them

: "${SBZ:?}" "${srcdir:?}"
. "$srcdir/build-aux/tap.sh"
unset SBZ_OPT
cd "$scratch" || exit 99
reasons=err
ln -s "$SBZ" sbz
ln -s "$SBZ" sbzcat
cp -R "$srcdir/corpus/real" real # sbz might have a bug that removes its input

# try STATUS ARGUMENT...: sbz exits with that status, and prints a message if it is not 0.
try() {
    wanted=$1
    shift
    ./sbz "$@" >out 2>err
    got=$?
    [ $got -eq "$wanted" ] || note "exit status $got, not $wanted: sbz $*" || return
    [ "$wanted" -eq 0 ] || case " $* " in *' -'*q*) true ;; *) grep -q '^sbz: ' err ;; esac || note "no message: sbz $*"
}

gives() { # gives STATUS LINE: the shell's line exits with that status
    (eval "$2") >out 2>err
    got=$?
    [ $got -eq "$1" ] || note "exit status $got, not $1: $2"
}

says() { # says PATTERN: the last try printed that on standard error
    grep -Eq -- "$1" err || note "'$1' is not in the messages: $(cat err)"
}

there() { # there FILE...: these files are in the directory d, and no others
    for file; do
        echo "$file"
    done | sort >wanted
    find d -mindepth 1 ! -type d | sed 's|^d/||' | sort >found
    diff wanted found >>.notes
}

fresh() { # fresh FILE...: empties the directory d, and copies the files into it
    chmod -R u+w d 2>/dev/null
    rm -rf d
    mkdir d
    [ $# -eq 0 ] || cp "$@" d
}

random() { # random COUNT NANOSECONDS: so many random times below the latter, in seconds, one a line
    awk -v count="$1" -v below="$2" -v seed="${SBZ_SEED:-1}" 'BEGIN {
        srand(seed)
        while (count-- > 0)
            printf "%.6f\n", rand() * below / 1e9
    }'
}

: >empty
printf x >one
awk 'BEGIN { for (i = 0; i < 60000; i++) print "line", i, i * i % 977, i % 7 ? "she sells" : "sea shells" }' >text
awk 'BEGIN { srand(3); for (i = 0; i < 100000; i++) printf "%c", rand() * 255 + 1 }' >noise
./sbz -c text >text.sbz && ./sbz -c one >one.sbz || exit 99

make_big() { # big, of 9.6 MB that no code makes much smaller, and big.sbz
    awk -v seed=9 'BEGIN { srand(seed); for (i = 0; i < 1200000; i++) printf "%08x", rand() * 4294967296 }' >big
    ./sbz -b 10k -c big >big.sbz
}
