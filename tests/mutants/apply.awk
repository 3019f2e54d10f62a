# SPDX-License-Identifier: BSD-2-Clause
#
# Reads files of mutants.
#
#   awk -f apply.awk *.mutants                              exits with 1 and names each mutant whose old text does not stand
#                                                           exactly once in its file (in the current directory)
#   awk -v mutant=NAME -f apply.awk *.mutants >broken.cu    prints the file of that mutant, mutated
#   awk -v directory=DIRECTORY -f apply.awk *.mutants       writes the file of each mutant, mutated, as DIRECTORY/NAME and the
#                                                           suffix of the file
#   awk -v list=1 -f apply.awk *.mutants                    prints for each mutant a line of these fields, separated by tabs, -
#                                                           for one that is missing: name, file, program, variant, device,
#                                                           fault, text
#
# A mutant is a paragraph: `mutant:` (its name, unique), fields that say where it must be reported and how, `why:` (the bug that it
# stands for), `file:`, then the change. A line with `-` is old, one with `+` is new, one with a blank stays; old and unchanged
# lines in order must stand exactly once in the file, indentation aside. `...` on a line of its own separates several changes
# of one file. A paragraph without `mutant:` has fields that hold for the mutants after it, as far as the next such paragraph: those
# that a mutant has not itself, and none for a mutant with a `file:` of its own.
#
# `expect:` replaces the first line, which must be an expectation of simt/tests/judge. simt/tests/*.patches have this field and
# none of those below: these mutants are programs of it.
#
# Where a mutant is reported:
#   variant:, device:, fault:, text:   `samebits verify` of that variant on that device (cpu, simt, simt-check) fails with that
#                                      fault, and its report has the text
#   program:, text:                    that program, compiled by `simtcc --check`, exits with a status other than 0, and its
#                                      output has the text
#   program: tests/check_NAME.c, text:  that program of Check, linked with the mutated file of sbz, has a failed test with the text
#   text:                              tests/damage_sbz fails, and a failed test has the text
#
# Where they are left out: the variant is that of the file, if that is a file of variants and no program is named; the fault is
# `mismatch`; the device is cpu for a file of cpu/, otherwise simt-check, which finds it, for the fault `finding`, and else simt.

function trimmed(line) {
    sub(/^[ \t]+/, "", line)
    sub(/[ \t]+$/, "", line)
    return line
}

# The line at which the old lines first..last of the change stand, 0 unless just once.
function find(first, last,    at, i, k, matches, found) {
    for (at = 1; at <= lines; at++) {
        k = at
        for (i = first; i <= last; i++) {
            if (mark[i] == "+")
                continue
            if (k > lines || trimmed(line[k]) != trimmed(text[i]))
                break
            k++
        }
        if (i > last) {
            found = at
            matches++
        }
    }
    return matches == 1 ? found : 0
}

function value(name) {
    return name in field ? field[name] : name in common && !("file" in field) ? common[name] : ""
}

function complete(    part, variant) {
    file = value("file")
    variant = value("variant")
    if (variant == "" && value("program") == "" && file ~ /^[cg]pu\/[a-z0-9]*\/[a-z0-9]*_[a-z0-9_]*\.cu?$/) {
        split(file, part, "/")
        variant = part[3]
        sub(/\.cu?$/, "", variant)
        sub(/_/, "/", variant)
        field["variant"] = variant = part[2] "." variant
    }
    if (variant != "" && value("fault") == "")
        field["fault"] = "mismatch"
    if (variant != "" && value("device") == "")
        field["device"] = file ~ /^cpu\// ? "cpu" : value("fault") == "finding" ? "simt-check" : "simt"
}

function shown(name) {
    return "\t" (value(name) == "" ? "-" : value(name))
}

function finish(    first, last, at, i, k, good, mutated, output) {
    if (name == "" || (mutant != "" && name != mutant)) {
        name = ""
        return
    }
    complete()
    if (list) {
        print name "\t" file shown("program") shown("variant") shown("device") shown("fault") shown("text")
        name = ""
        return
    }
    lines = 0
    while ((getline line[lines + 1] < file) > 0)
        lines++
    close(file)
    good = changes > 0 && lines > 0
    if (value("expect") != "") {
        good = good && line[1] ~ /^\/\/ expect: /
        gone[1] = 1
        before[1] = "// expect: " value("expect") "\n"
    }
    for (first = 1; first <= changes && good; first = last + 2) {
        for (last = first; last < changes && mark[last + 1] != "."; last++)
            continue
        at = find(first, last)
        if (!at) {
            good = 0
            break
        }
        k = at
        for (i = first; i <= last; i++) {
            if (mark[i] == "+")
                before[k] = before[k] text[i] "\n"
            else if (mark[i] == "-")
                gone[k++] = 1
            else
                k++
        }
    }
    if (!good) {
        print name ": the old text does not stand exactly once in " file > "/dev/stderr"
        failed = 1
    } else if (mutant != "" || directory != "") {
        for (k = 1; k <= lines + 1; k++)
            mutated = mutated before[k] (k <= lines && !(k in gone) ? line[k] "\n" : "")
        output = directory == "" ? "/dev/stdout" : directory "/" name substr(file, match(file, /\.[a-z]*$/))
        printf "%s", mutated > output
        close(output)
        found = 1
    }
    split("", before)
    split("", gone)
    name = ""
}

FNR == 1 { finish(); split("", common); begun = 0 }
/^#/ { next }
/^$/ { finish(); begun = 0; next }
/^mutant: / {
    finish()
    name = substr($0, 9)
    if (named[name]++) {
        print FILENAME ": there are two mutants " name > "/dev/stderr"
        failed = 1
    }
    split("", field)
    changes = 0
    next
}
/^[-+ ]/ { mark[++changes] = substr($0, 1, 1); text[changes] = substr($0, 2); next }
/^\.\.\.$/ { mark[++changes] = "."; next }
/^why: / { next }
/^(file|expect|program|variant|device|fault|text): / {
    if (name == "" && !begun++)
        split("", common)
    if (name == "")
        common[substr($1, 1, length($1) - 1)] = substr($0, length($1) + 2)
    else
        field[substr($1, 1, length($1) - 1)] = substr($0, length($1) + 2)
    next
}
{ print FILENAME ": what is '" $0 "'?" > "/dev/stderr"; failed = 1 }

END {
    finish()
    if (mutant != "" && !found && !failed) {
        print "there is no mutant " mutant > "/dev/stderr"
        failed = 1
    }
    exit failed
}
