# SPDX-License-Identifier: BSD-2-Clause
#
# Makes docs/FINDINGS.md of two tables: the GPU's first, then the machine's.

function found(text) {
    return text != "" && text != "nothing" && text != "hang" && text != "-" && text !~ /^no summary/
}

# The programs by what was planted in them: a kind a line, the sound ones last.
function summary(row, i, k) {
    print "| planted | programs | wrong, or no end, on the GPU | memcheck | racecheck | initcheck | synccheck | any of the tools | simt, by a seed at least | simt, by every seed |"
    print "|---|---|---|---|---|---|---|---|---|---|"
    planted[++kinds_planted] = "all"
    planted[++kinds_planted] = "nothing"
    for (k = 1; k <= kinds_planted; k++) {
        row = planted[k]
        printf "| %s | %d | %d", row == "all" ? "any bug" : row == "nothing" ? "none: alarms" : row, total[row], by_plain[row]
        for (i = 1; i <= 4; i++)
            printf " | %d", by_tool[row, i]
        printf " | %d | %d | %d |\n", by_any[row], by_simt[row], by_simt_always[row]
    }
}

function count_in(row, p, i, any) {
    total[row]++
    by_plain[row] += p in plain && plain[p] != "right"
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
    return text == "nothing" ? "" : text
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
        most = seeds[p] > most ? seeds[p] : most
        sometimes += simt_expected[p] ~ / sometimes$/
        if (!(p in plain)) {
            plain[p] = "not run"
            missing++
        }
        kind = simt_expected[p]
        sub(/ .*/, "", kind)
        if (bug[p] && !(kind in total))
            planted[++kinds_planted] = kind
        count_in(bug[p] ? kind : "nothing", p)
        if (bug[p])
            count_in("all", p)
    }
    print "# Who finds what"
    print ""
    print "The programs of `simt/tests` are pairs: a sound one, and others with one bug planted. Each ran on a GPU as it is and"
    print "under the four tools of compute-sanitizer (" where "), and on the machine of `simt`"
    print "under " most " seeds, with default settings. `simt/tests/findings` makes this page; the tables are beside it."
    print "A GPU that gives the right result has hidden a bug. A tool that comes to no end has found nothing."
    print ""
    summary()
    print ""
    print "Not run on the GPU: " missing + 0 ". Bugs that are there under some seeds only: " sometimes + 0 "."
    print ""
    print "| program | planted | on the GPU | memcheck | racecheck | initcheck | synccheck | simt: seeds that find it | as |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (n = 1; n <= count; n++) {
        p = name[n]
        line = ""
        for (i = 1; i <= 4; i++)
            line = line " | " cell(tool[p, i])
        printf "| `%s` | %s | %s%s | %d of %d | %s |\n", p, bug[p] ? simt_expected[p] : "none", plain[p], line, simt[p], seeds[p], kinds[p]
    }
}
