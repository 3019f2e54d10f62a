# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What the tests of the program samebits share: how they call it, its module fake.so, and a small corpus, so that every run is short.
# The directory is then $scratch. SAMEBITS (the program), BAD_MODULES (the folder of fake.so and exec_port) and srcdir are from the
# environment.

: "${SAMEBITS:?}" "${BAD_MODULES:?}" "${srcdir:?}"
. "$srcdir/build-aux/tap.sh"
cd "$scratch" || exit 99
unset TEST_SHARD_INDEX TEST_TOTAL_SHARDS FAKE
fake=$BAD_MODULES/fake.so
port=$BAD_MODULES/exec_port

program() { # program [VARIABLE=VALUE...] ARGUMENT...: samebits, with these variables in its environment
    (
        while :; do
            case $1 in
            [A-Z]*=*) export "${1?}" && shift ;;
            *) exec "$SAMEBITS" "$@" ;;
            esac
        done
    )
}

# try STATUS [VARIABLE=VALUE...] ARGUMENT...: samebits exits with that status; with 2 it says why, each line beginning
# with its name.
try() {
    wanted=$1
    shift
    exits "$wanted" program "$@" || return
    [ "$wanted" -ne 2 ] || { [ -s err ] && ! grep -qv '^samebits: ' err; } ||
        note "exit status 2 without a plain diagnostic: samebits $*"
}

have_json=
perl -MJSON::PP -e 1 2>/dev/null && have_json=1
json() { # json FILE EXPRESSION: of $d, the decoded file
    [ -z "$have_json" ] || perl -MJSON::PP -e '
        local $/;
        open my $in, "<", $ARGV[0] or die;
        my $d = decode_json(<$in>);
        exit(eval($ARGV[1]) ? 0 : 1)' "$1" "$2" 2>log || note "$1: not so: $2"
}

well_formed() { # well_formed FILE: as XML, where there is something to tell
    [ -s "$1" ] && { ! command -v xmllint >/dev/null || xmllint --noout "$1" 2>log; }
}

# A small corpus of its own, so that every run is short.
SAMEBITS_CORPUS=$scratch/corpus
export SAMEBITS_CORPUS
mkdir -p corpus/real
cp "$srcdir/corpus/pattern.scan.cases" corpus
sed 6q "$srcdir/corpus/mtf.encode.cases" >corpus/mtf.encode.cases # five cases, of the plainest
printf 'a real file: she sells sea shells by the sea shore\n' >corpus/real/shells.txt
cases=corpus/mtf.encode.cases
sed -n 's/^.*id=banana /mtf.encode id=banana /p' $cases >banana.cases
printf 'pattern.scan id=x type=u32 op=add inclusive=1 items=[1]\n' >scan.cases
printf 'mtf.encode id=big chunk=5 bytes="the quick brown fox jumps over the lazy dog"\n' >big.cases
mkdir empty

# shellcheck disable=SC2016 # for perl
digest_of() { # digest_of FILE: of the outputs of the variant in a report of verify
    sed -n 's/.*"digest":"\([0-9a-f]*\)".*/\1/p' "$1"
}
