# SPDX-License-Identifier: BSD-2-Clause
#
# Makes docs/FINDINGS.md of two tables of gpu/simt/tests/findings: the GPU's first, then the machine's.

function found(text) {
    return text != "nothing" && text != "hang" && text != "-" && text !~ /^no summary/
}

function cell(text) {
    gsub(/\|/, "\\|", text)
    return text == "nothing" || text == "right" ? "" : text
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
    split("memcheck racecheck initcheck synccheck", title, " ")
    for (n = 1; n <= count; n++) {
        p = name[n]
        bug = simt_expected[p] != "clean"
        total[bug]++
        caught = 0
        if (plain[p] != "right" && p in plain) {
            by_plain[bug]++
            caught = 1
        }
        any = 0
        for (i = 1; i <= 4; i++)
            if (found(tool[p, i]) && (p in plain)) {
                by_tool[bug, i]++
                any = 1
            }
        by_any[bug] += any
        by_simt[bug] += simt[p] > 0
        by_simt_always[bug] += simt[p] == seeds[p]
        most = seeds[p] > most ? seeds[p] : most
    }
    print "# Who finds what"
    print ""
    print "The programs of `gpu/simt/tests` are pairs: a sound one, and others with one bug. Each ran on a GPU as it is and under the"
    print "four tools of compute-sanitizer (" where "), and on the machine under " most " seeds, with"
    print "default settings. This page is made by `gpu/simt/tests/findings document`; the tables are beside it."
    print ""
    print "| | programs | wrong, or no end, on the GPU | memcheck | racecheck | initcheck | synccheck | any of the tools | simt, a seed at least | simt, every seed |"
    print "|---|---|---|---|---|---|---|---|---|---|"
    for (bug = 1; bug >= 0; bug--) {
        printf "| %s | %d | %d", bug ? "with a bug" : "sound", total[bug], by_plain[bug]
        for (i = 1; i <= 4; i++)
            printf " | %d", by_tool[bug, i]
        printf " | %d | %d | %d |\n", by_any[bug], by_simt[bug], by_simt_always[bug]
    }
    print ""
    print "A tool that comes to no end has found nothing."
    for (bug = 1; bug >= 0; bug--) {
        print ""
        print bug ? "## With a bug" : "## Sound"
        print ""
        if (bug) {
            print "| program | expected | on the GPU | memcheck | racecheck | initcheck | synccheck | simt: seeds that find it | as |"
            print "|---|---|---|---|---|---|---|---|---|"
        } else
            print "Only those that anyone says something against, of " total[0] + 0 ":\n\n| program | on the GPU | memcheck | racecheck | initcheck | synccheck | simt: alarms |\n|---|---|---|---|---|---|---|"
        for (n = 1; n <= count; n++) {
            p = name[n]
            if ((simt_expected[p] != "clean") != bug)
                continue
            line = ""
            for (i = 1; i <= 4; i++)
                line = line " | " cell(tool[p, i])
            if (bug)
                printf "| `%s` | %s | %s%s | %d of %d | %s |\n", p, simt_expected[p], cell(plain[p]), line, simt[p], seeds[p], kinds[p]
            else if (line ~ /[a-zA-Z]/ || plain[p] != "right" || simt[p] > 0)
                printf "| `%s` | %s%s | %d |\n", p, cell(plain[p]), line, simt[p]
        }
    }
}
