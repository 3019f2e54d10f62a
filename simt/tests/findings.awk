# SPDX-License-Identifier: BSD-2-Clause
#
# Makes docs/PLANTED-BUGS.md from two tables: first the GPU's, then the machine's.

function found(text) {
    return text != "" && text != "nothing" && text != "uses no GPU" && text != "hang" && text != "-" && text !~ /^no summary/
}

# The programs by the kind of bug planted in them, a line for each kind; correct programs last.
function summary(row, i, k) {
    print "| planted bug | programs | wrong result or hang on the GPU | memcheck | racecheck | initcheck | synccheck | any tool of compute-sanitizer | simt, under at least one seed | simt, under every seed |"
    print "|---|---|---|---|---|---|---|---|---|---|"
    planted[++kinds_planted] = "all"
    planted[++kinds_planted] = "nothing"
    for (k = 1; k <= kinds_planted; k++) {
        row = planted[k]
        printf "| %s | %d | %d", row == "all" ? "any bug" : row == "nothing" ? "none (false alarms)" : row, total[row], by_plain[row]
        for (i = 1; i <= 4; i++)
            printf " | %d", by_tool[row, i]
        printf " | %d | %d | %d |\n", by_any[row], by_simt[row], by_simt_always[row]
    }
}

function count_in(row, p, i, any) {
    total[row]++
    by_plain[row] += plain[p] !~ ran_right
    any = 0
    for (i = 1; i <= 4; i++)
        if (found(tool[p, i])) {
            by_tool[row, i]++
            any = 1
        }
    by_any[row] += any
    by_simt[row] += simt[p] > 0
    by_simt_always[row] += simt[p] == seeds[p]
}

function cell(text) {
    gsub(/\|/, "\\|", text)
    return text == "nothing" || text == "uses no GPU" ? "" : text
}

BEGIN {
    ran_right = "^(right|not run|does not compile)$" # the last: nvcc refuses what simtcc takes
}

FNR == 1 {
    file++
}

file == 1 && /^# / {
    if ($0 !~ /\t/)
        where = where (where == "" ? "" : ", ") substr($0, 3)
    next
}

/^#/ {
    next
}

file == 1 {
    expected[$1] = $2
    hash[$1] = $3
    plain[$1] = $4
    for (i = 1; i <= 4; i++)
        tool[$1, i] = $(4 + i)
    next
}

{
    name[++count] = $1
    simt_expected[$1] = $2
    simt_hash[$1] = $3
    simt[$1] = $4
    seeds[$1] = $5
    kinds[$1] = $6
}

END {
    for (n = 1; n <= count; n++) {
        p = name[n]
        bug[p] = simt_expected[p] != "clean" && simt_expected[p] != "differs"
        max_seeds = seeds[p] > max_seeds ? seeds[p] : max_seeds
        sometimes += simt_expected[p] ~ / sometimes$/
        if (!(p in plain)) {
            plain[p] = "not run"
            missing++
        }
        refused += plain[p] == "does not compile"
        kind = simt_expected[p]
        sub("[ /].*", "", kind)
        if (bug[p] && !(kind in total))
            planted[++kinds_planted] = kind
        count_in(bug[p] ? kind : "nothing", p)
        if (bug[p])
            count_in("all", p)
    }
    print "# Which tool finds which planted bug"
    print ""
    print "The programs of `simt/tests` come in groups: one is correct, the others have one planted bug each. Each program ran on a"
    print "GPU, first alone and then under the four tools of compute-sanitizer (" where ")."
    print "It also ran on the simt machine under " max_seeds " seeds, with default settings. `simt/tests/findings` makes this page from the"
    print "tables beside it. If a program with a bug gives the right result on the GPU, the GPU hid the bug. A program that does not"
    print "end under a tool counts as not found by it."
    print ""
    print "The planted bugs are named by the kinds of findings in simtcc(1). `none` is a program in which the machine must find"
    print "nothing. The result of some of these programs (`order_*`, `weak_*`) depends on the order of threads, or on a missing"
    print "fence. The machine then gives different results under different seeds. `sometimes` marks a bug that occurs only under"
    print "some seeds, `place` one that is found only by `search=place`, as three runs of a series of five have it, and `gcc` one that"
    print "is found only with gcc as the host compiler. In the column of a tool, an empty cell means that the tool reported nothing."
    print ""
    summary()
    print ""
    print "A program without a bug has a row below only if it went wrong or a tool reported something; the others have theirs in"
    print "`simt/tests/findings.gpu.tsv` and `findings.simt.tsv`."
    print ""
    print "Programs not run on the GPU: " missing + 0 "; that nvcc refuses there: " refused + 0 ". Programs whose bug occurs only under some seeds: " sometimes + 0 "."
    print ""
    print "| program | planted bug | result on the GPU | memcheck | racecheck | initcheck | synccheck | simt: seeds that find it | kinds of its findings |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (n = 1; n <= count; n++) {
        p = name[n]
        line = ""
        for (i = 1; i <= 4; i++)
            line = line " | " cell(tool[p, i])
        if (!bug[p] && line ~ /^[ |]*$/ && plain[p] ~ ran_right && simt[p] == 0)
            continue
        printf "| `%s` | %s | %s%s | %d of %d | %s |\n", p, bug[p] ? simt_expected[p] : "none", plain[p], line, simt[p], seeds[p], kinds[p]
    }
}
