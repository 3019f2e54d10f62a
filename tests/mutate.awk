# SPDX-License-Identifier: BSD-2-Clause
#
# The operators of tests/mutate: finds every place of a source file where one of them can plant a bug.
#
#   awk -f mutate.awk FILE...                       prints a line of these fields, separated by tabs, for each place:
#                                                   operator, file, line, first column, columns, new text, and the whole line
#                                                   before and after the change, both without indentation
#   awk -v line=N -v column=C -v columns=L -v new=TEXT -f mutate.awk FILE    prints the file with that change
#
# It reads lines, not a grammar: comments, strings, preprocessor lines and the table of variants are left out, and operators
# are told apart by the blanks that .clang-format puts around them. A change that does not compile costs a compilation.

# The line with comments, strings and characters blanked out. Columns stay.
function masked(text,    i, c, two, out, quote) {
    out = ""
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        two = substr(text, i, 2)
        if (in_comment) {
            if (two == "*/") {
                in_comment = 0
                out = out " "
                i++
            }
            out = out " "
        } else if (quote != "") {
            if (c == "\\") {
                out = out " "
                i++
            } else if (c == quote)
                quote = ""
            out = out " "
        } else if (two == "//") {
            while (length(out) < length(text))
                out = out " "
            return out
        } else if (two == "/*") {
            in_comment = 1
            out = out "  "
            i++
        } else if (c == "\"" || c == "'") {
            quote = c
            out = out " "
        } else
            out = out c
    }
    return out
}

function trimmed(text) {
    sub(/^ +/, "", text)
    sub(/ +$/, "", text)
    return text
}

# `new` must not be empty: a shell that reads the fields would not see it.
function site(operator, column, columns, new) {
    if (new != substr(original, column, columns))
        print operator "\t" FILENAME "\t" FNR "\t" column "\t" columns "\t" new "\t" trimmed(original) "\t" \
            trimmed(substr(original, 1, column - 1) new substr(original, column + columns))
}

# The column of the bracket that closes the one at `open`, 0 if it is not on this line.
function closing(text, open,    i, c, depth) {
    for (i = open; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "(" || c == "[" || c == "{")
            depth++
        else if ((c == ")" || c == "]" || c == "}") && --depth == 0)
            return i
    }
    return 0
}

# The column of the comma or bracket that ends the argument that begins at `first`, 0 if it is not on this line.
function end_of_argument(text, first,    i, c, depth) {
    for (i = first; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "(" || c == "[" || c == "{")
            depth++
        else if (c == ")" || c == "]" || c == "}") {
            if (depth-- == 0)
                return i
        } else if (c == "," && depth == 0)
            return i
    }
    return 0
}

# Each place where `old` stands gets `new`.
function each_word(operator, text, old, new,    at, from) {
    for (from = 1; (at = index(substr(text, from), old)) > 0; from = at + length(old)) {
        at += from - 1
        site(operator, at, length(old), new)
    }
}

# Each place where the pattern matches: `seen` has what stands there.
function find(text, pattern, from) {
    if (!match(substr(text, from), pattern))
        return 0
    seen = substr(text, from + RSTART - 1, RLENGTH)
    return from + RSTART - 1
}

function relational(text) {
    each_word("relational", text, " < ", " <= ")
    each_word("relational", text, " <= ", " < ")
    each_word("relational", text, " > ", " >= ")
    each_word("relational", text, " >= ", " > ")
    each_word("relational", text, " == ", " != ")
    each_word("relational", text, " != ", " == ")
}

function arithmetic(text) {
    each_word("arithmetic", text, " + ", " - ")
    each_word("arithmetic", text, " - ", " + ")
    each_word("arithmetic", text, " * ", " + ")
    each_word("arithmetic", text, " / ", " * ")
    each_word("arithmetic", text, " % ", " / ")
    each_word("arithmetic", text, " << ", " >> ")
    each_word("arithmetic", text, " >> ", " << ")
    each_word("arithmetic", text, " & ", " | ")
    each_word("arithmetic", text, " | ", " & ")
    each_word("arithmetic", text, " += ", " -= ")
    each_word("arithmetic", text, " -= ", " += ")
}

# One more and one less.
function literal(text,    at, from, number, tail) {
    for (from = 1; (at = find(text, "[0-9][0-9A-Za-z.]*", from)) > 0; from = at + length(seen)) {
        if (at > 1 && substr(text, at - 1, 1) ~ /[A-Za-z_0-9.]/)
            continue
        if (seen !~ /^[0-9]+[uUlL]*$/)
            continue
        number = seen
        tail = seen
        sub(/[uUlL]+$/, "", number)
        sub(/^[0-9]+/, "", tail)
        site("literal", at, length(seen), (number + 1) tail)
        if (number > 0)
            site("literal", at, length(seen), (number - 1) tail)
    }
}

# The condition of an if or a while, and its negation; true or false instead of it; one side of && and ||.
function conditions(text,    at, from, open, end, inside) {
    for (from = 1; (at = find(text, "(if|while) [(]", from)) > 0; from = at + length(seen)) {
        open = at + length(seen) - 1
        end = closing(text, open)
        if (end == 0)
            continue
        inside = substr(original, open + 1, end - open - 1)
        site("negate", open + 1, end - open - 1, "!(" inside ")")
        if (substr(text, at, 2) == "if")
            site("guard", open + 1, end - open - 1, "true")
        site("guard", open + 1, end - open - 1, "false")
    }
    each_word("guard", text, " && ", " || ")
    each_word("guard", text, " || ", " && ")
    for (from = 1; (at = find(text, " [?] ", from)) > 0; from = at + 3)
        site("negate", at, 3, " ? false ? ")
}

# A whole statement on one line that is neither a declaration nor a jump.
function delete_statement(text,    first, body) {
    if (!match(text, /[^ ]/))
        return
    first = RSTART
    body = substr(text, first)
    sub(/ +$/, "", body)
    if (body !~ /;$/ || body ~ /^(return|break|continue|goto|case|default|typedef|using|static|extern|const|struct|else|for|while|do)[^A-Za-z0-9_]/)
        return
    if (body ~ /^\(void\)[A-Za-z_]+;$/) # says to the compiler that a parameter is not used
        return
    if (body ~ /__sync|__threadfence/ || gsub(/[(]/, "(", body) != gsub(/[)]/, ")", body))
        return
    if (body ~ /^[*]?[A-Za-z_][A-Za-z0-9_:]*((\[.*\]|[.]|->)[A-Za-z0-9_.]*)*( [-+*\/%&|^<>]*= |[(]|<.*>[(]|\+\+;|--;)/ || body ~ /^(\+\+|--|\(void\))/)
        site("delete", first, length(body), ";")
}

function barrier(text,    at, from, open, end) {
    for (from = 1; (at = find(text, "(__syncthreads|__syncwarp|__threadfence[a-z_]*) *[(]", from)) > 0; from = at + length(seen)) {
        open = at + length(seen) - 1
        end = closing(text, open)
        if (end > 0 && substr(text, end + 1, 1) == ";")
            site("barrier", at, end - at + 1, "(void)0")
    }
}

function masks_and_shuffles(text,    at, from, open, end) {
    for (from = 1; (at = find(text, "__[a-z_]+_sync[(]|__syncwarp[(]", from)) > 0; from = at + length(seen)) {
        open = at + length(seen) - 1
        end = end_of_argument(text, open + 1)
        if (end > open + 1) {
            site("mask", open + 1, end - open - 1, "(" substr(original, open + 1, end - open - 1) ") >> 1")
            site("mask", open + 1, end - open - 1, "(" substr(original, open + 1, end - open - 1) ") & ~1u")
        }
    }
    each_word("shuffle", text, "__shfl_up_sync(", "__shfl_down_sync(")
    each_word("shuffle", text, "__shfl_down_sync(", "__shfl_up_sync(")
    each_word("shuffle", text, "__shfl_xor_sync(", "__shfl_down_sync(")
    each_word("shuffle", text, "__shfl_sync(", "__shfl_xor_sync(")
    each_word("shuffle", text, "__any_sync(", "__all_sync(")
    each_word("shuffle", text, "__all_sync(", "__any_sync(")
    each_word("shuffle", text, "__ballot_sync(", "~__ballot_sync(")
}

# tests/mutate declares mutated_atomicAdd and the others: the same without atomicity.
function atomics(text,    at, from) {
    for (from = 1; (at = find(text, "atomic(Add|Sub|Or|And|Xor|Max|Min|Exch|CAS)(_block|_system)?[(]", from)) > 0; from = at + length(seen)) {
        if (at > 1 && substr(text, at - 1, 1) ~ /[A-Za-z0-9_]/)
            continue
        gsub(/_block|_system/, "", seen)
        site("atomic", at, index(substr(text, at), "(") - 1, "mutated_" substr(seen, 1, length(seen) - 1))
        seen = substr(text, at, index(substr(text, at), "("))
    }
}

function order(text) {
    each_word("order", text, "volatile ", " ")
    each_word("order", text, "memory_order_acquire", "memory_order_relaxed")
    each_word("order", text, "memory_order_release", "memory_order_relaxed")
    each_word("order", text, "memory_order_seq_cst", "memory_order_relaxed")
    each_word("order", text, "memory_order_acq_rel", "memory_order_relaxed")
    each_word("order", text, "__threadfence()", "__threadfence_block()")
    each_word("order", text, "__syncthreads()", "__syncwarp()")
    each_word("order", text, "_block(&", "(&")
}

function shared_sizes(text,    at, from, end) {
    if (text !~ /__shared__/)
        return
    for (from = index(text, "__shared__"); (at = index(substr(text, from), "[")) > 0; from = end + 1) {
        at += from - 1
        end = closing(text, at)
        if (end == 0)
            return
        site("shared", at + 1, end - at - 1, "(" substr(original, at + 1, end - at - 1) ") - 1")
        site("shared", at + 1, end - at - 1, "(" substr(original, at + 1, end - at - 1) ") / 2")
    }
}

function launch_shape(text,    at, first, end) {
    at = index(text, "<<<")
    if (at == 0)
        return
    first = at + 3
    end = end_of_argument(text, first)
    if (end == 0)
        return
    site("launch", first, end - first, "(" substr(original, first, end - first) ") + 1")
    if (substr(original, first, end - first) != "1")
        site("launch", first, end - first, "(" substr(original, first, end - first) ") > 1 ? (" substr(original, first, end - first) ") - 1 : 1")
    at = index(substr(text, end), ">>>")
    if (substr(text, end, 1) == "," && at > 2 && index(substr(text, end + 1, at - 2), ",") == 0)
        site("launch", end + 2, at - 3, "(" substr(original, end + 2, at - 3) ") / 2")
}

# Not `unsigned` and `int`: most of them count threads and lanes, and have bits to spare.
function narrowing(text,    at, from, word, narrow) {
    narrow["uint64_t"] = "uint32_t"
    narrow["int64_t"] = "int32_t"
    narrow["size_t"] = "uint32_t"
    narrow["uint32_t"] = "uint16_t"
    narrow["uint16_t"] = "uint8_t"
    for (from = 1; (at = find(text, "[A-Za-z_][A-Za-z0-9_]*", from)) > 0; from = at + length(seen)) {
        word = seen
        if (!(word in narrow) || substr(text, at + length(word), 1) !~ /[ )]/)
            continue
        site("narrowing", at, length(word), narrow[word])
    }
}

function swap(text,    at, from, parts, operator, operand) {
    operand = "[A-Za-z_][A-Za-z0-9_.]*"
    for (from = 1; (at = find(text, operand " (-|/|%|<|>|<=|>=|<<|>>) " operand, from)) > 0; from = at + length(seen)) {
        split(seen, parts, " ")
        if (parts[1] != parts[3] && substr(text, at + length(seen), 1) !~ /[(\[]/ && (at == 1 || substr(text, at - 1, 1) !~ /[.>]/))
            site("swap", at, length(seen), parts[3] " " parts[2] " " parts[1])
    }
    for (from = 1; (at = find(text, operand ", " operand "[,)]", from)) > 0; from = at + length(seen)) {
        split(substr(seen, 1, length(seen) - 1), parts, ", ")
        if (parts[1] != parts[2] && (at == 1 || substr(text, at - 1, 1) ~ /[( ]/))
            site("swap", at, length(seen) - 1, parts[2] ", " parts[1])
    }
}

# Inline PTX, which stands in strings: an instruction less, a weaker order, a narrower scope, another address space, a wait for one
# group fewer, an arrival that counts.
function ptx(    at, from, end) {
    if (original ~ /^ *asm volatile[(]"[^"]*"[^"=+]*("[^=+"][^"]*"[^"]*)*[)];$/) {
        at = index(original, "\"")
        end = at + index(substr(original, at + 1), "\"")
        if (end > at + 1)
            site("ptx", at, end - at + 1, "\"\"")
    }
    each_word("ptx", original, ".release.", ".relaxed.")
    each_word("ptx", original, ".acquire.", ".relaxed.")
    each_word("ptx", original, ".acq_rel.", ".relaxed.")
    each_word("ptx", original, ".cluster.", ".cta.")
    each_word("ptx", original, ".gpu.", ".cta.")
    each_word("ptx", original, "shared::cluster", "shared::cta")
    each_word("ptx", original, "wait_group.read ", "wait_group ")
    each_word("ptx", original, "wait_group ", "wait_group.read ")
    each_word("ptx", original, ".noinc.", ".")
    each_word("ptx", original, ".trans.", ".")
    for (from = 1; (at = find(original, "wait_group[.a-z]* [0-9]+;", from)) > 0; from = at + length(seen))
        site("ptx", at, length(seen), substr(seen, 1, index(seen, " ")) (substr(seen, index(seen, " ") + 1) + 1) ";")
}

FNR == 1 { in_comment = in_table = in_macro = 0 }

line != "" {
    if (FNR == line)
        print substr($0, 1, column - 1) new substr($0, column + columns)
    else
        print
    next
}

{
    original = $0
    text = masked($0)
    skipped = in_macro || text ~ /^ *#/ || text ~ /static_assert|_Static_assert/
    in_macro = (in_macro || text ~ /^ *#/) && text ~ /\\$/
    if (text ~ /const sb_variant sb_|SB_VARIANTS/)
        in_table = 1
    if (in_table) {
        if (text ~ /^}|[)]$/)
            in_table = 0
        next
    }
    if (!skipped && original ~ /^ *(asm( volatile)?[(])?"[a-z]+[.a-z_:0-9]*[ ;\\]/)
        ptx()
    if (skipped || text ~ /^ *$/)
        next
    relational(text)
    arithmetic(text)
    literal(text)
    conditions(text)
    delete_statement(text)
    barrier(text)
    masks_and_shuffles(text)
    atomics(text)
    order(text)
    shared_sizes(text)
    launch_shape(text)
    narrowing(text)
    swap(text)
}
