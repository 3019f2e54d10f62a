# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What the shell tests share: TAP output, reasons under each failure, a scratch directory, expected exit statuses. POSIX sh.
#
#     : "${srcdir:?}"
#     . "$srcdir/build-aux/tap.sh"
#     cd "$scratch" || exit 99
#
#     plan 2
#     check 'the help goes to standard output' exits 0 samebits --help
#     exits 2 samebits --no-such && has err '^samebits: ' && lacks err usage
#     verdict 'an unknown option is refused with a message'
#
# The plan: `plan COUNT` at the start, or `done_testing` as the last line, which prints the number of tests so far. A test that
# dies on the way prints no plan at its end, so the TAP driver reports it. `skip_all REASON` replaces both: the test ends there.
#
# One test is one of:
#
#     check DESCRIPTION COMMAND...   ok if the command succeeds and noted nothing
#     verdict DESCRIPTION            ok if the command before it succeeded and nothing was noted since the last test
#     pass DESCRIPTION               ok
#     fail DESCRIPTION               not ok
#     skip DESCRIPTION REASON        ok, counted as skipped
#     adopt [PREFIX] <FILE           each TAP line of another program, with a number of this test and PREFIX before its text
#
# Under "not ok" stand, as comments, the notes, what the command of `check` printed, and the files `out`, `err` and `log` of the
# scratch directory, 40 lines each. A test that keeps its reasons elsewhere sets $reasons: names relative to $scratch.
#
# Steps, for the command of a check or a chain of && before a verdict. Each returns 1 and notes why when it fails; FILE is
# relative to the current directory:
#
#     exits STATUS COMMAND...        the command exits with that status; its output is in $scratch/out and $scratch/err
#     has FILE PATTERN...            the file has a line of each pattern (grep -E)
#     lacks FILE PATTERN...          the file has no line of any of them
#     same FILE FILE                 both files have the same bytes
#     note TEXT...                   fails always, with that reason
#
# $scratch is an empty directory that is removed when the test ends, by a signal too. $status is the exit status that `exits` saw.
# Tests run in the C locale whatever the caller's is: messages of other programs depend on it, and names of files are bytes.
# Everything that a test must not redefine begins with tap_.

# A check of what only gcc or only clang does asks `by_clang`: does $SIMTCC call clang?
LC_ALL=C
export LC_ALL
unset LANGUAGE CDPATH
scratch=$(mktemp -d) || exit 99
# Tests make directories read-only, and rm would stop at these.
trap 'chmod -R u+w "$scratch" 2>/dev/null; rm -rf "$scratch"' EXIT
trap 'exit 99' HUP INT TERM
tap_count=0
reasons='out err log'

tap_clang=
by_clang() {
    if [ -z "$tap_clang" ]; then
        printf '#ifdef __clang__\n#error clang compiles this\n#endif\n' >"$scratch/.by_clang.cu"
        $SIMTCC -c -o "$scratch/.by_clang.o" "$scratch/.by_clang.cu" 2>&1 | grep -q 'clang compiles this' && tap_clang=yes || tap_clang=no
    fi
    [ $tap_clang = yes ]
}

tap_comment() { # tap_comment [WORDS] <FILE: its first lines as comments
    cut -c 1-300 | sed "s|^|# ${1-}|; 40q"
}

# tap_result STATUS DESCRIPTION: the line of one test, and the reasons of a failure.
tap_result() {
    tap_count=$((tap_count + 1))
    if [ "$1" -eq 0 ] && [ ! -s "$scratch/.notes" ]; then
        echo "ok $tap_count - $2"
    else
        echo "not ok $tap_count - $2"
        for tap_file in .notes .check $reasons; do
            [ ! -f "$scratch/$tap_file" ] || tap_comment "${tap_file#.}: " <"$scratch/$tap_file"
        done
    fi
    rm -f "$scratch/.notes" "$scratch/.check"
}

plan() {
    echo "1..$1"
}

done_testing() {
    echo "1..$tap_count"
}

skip_all() {
    echo "1..0 # SKIP $*"
    exit 0
}

check() {
    tap_description=$1
    shift
    "$@" >"$scratch/.check" 2>&1
    tap_result $? "$tap_description"
}

verdict() {
    tap_result $? "$1"
}

pass() {
    tap_result 0 "$1"
}

fail() {
    tap_result 1 "$1"
}

skip() {
    tap_result 0 "$1 # SKIP $2"
}

adopt() {
    while IFS= read -r tap_line; do
        case $tap_line in
        'ok '*) tap_verdict=ok tap_line=${tap_line#ok } ;;
        'not ok '*) tap_verdict='not ok' tap_line=${tap_line#not ok } ;;
        1..*) continue ;;
        *)
            echo "$tap_line"
            continue
            ;;
        esac
        case ${tap_line%% *} in
        *[!0-9]*) ;;
        *) tap_line=${tap_line#* } ;;
        esac
        tap_count=$((tap_count + 1))
        echo "$tap_verdict $tap_count - ${1-}${tap_line#- }"
    done
}

note() {
    echo "$*" >>"$scratch/.notes"
    return 1
}

exits() {
    tap_wanted=$1
    shift
    "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ "$status" -eq "$tap_wanted" ] || note "exit status $status, not $tap_wanted: $*"
}

has() {
    tap_file=$1
    shift
    for tap_pattern; do
        grep -Eq -- "$tap_pattern" "$tap_file" || note "$tap_file lacks '$tap_pattern'" || return
    done
}

lacks() {
    tap_file=$1
    shift
    for tap_pattern; do
        ! grep -Eq -- "$tap_pattern" "$tap_file" || note "$tap_file has '$tap_pattern'" || return
    done
}

same() {
    cmp -s -- "$1" "$2" || {
        diff -- "$1" "$2" 2>/dev/null | head -n 40 >>"$scratch/.notes"
        note "$1 and $2 differ"
    }
}
