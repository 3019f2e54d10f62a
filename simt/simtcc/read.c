/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reading tokens: brackets, statements and declarations. Nothing is edited here.
 */
#include "translator.h"

#include <stdlib.h>
#include <string.h>

bool cc_opens(const translator *t, size_t i)
{
    const char c = i < t->count && t->token[i].length == 1 ? *t->token[i].start : 0;

    return c == '(' || c == '[' || c == '{';
}

bool cc_closes(const translator *t, size_t i)
{
    const char c = i < t->count && t->token[i].length == 1 ? *t->token[i].start : 0;

    return c == ')' || c == ']' || c == '}';
}

/* The bracket that closes the one at `i`; NONE when there is none. */
size_t cc_matching(const translator *t, size_t i)
{
    size_t depth = 0;

    for (; i < t->count; i++) {
        if (cc_opens(t, i))
            depth++;
        else if (cc_closes(t, i) && --depth == 0)
            return i;
    }
    return NONE;
}

/* The bracket that opens the one at `i`; NONE when there is none. */
size_t cc_matching_back(const translator *t, size_t i)
{
    size_t depth = 0;

    for (; i != NONE; i--) {
        if (cc_closes(t, i))
            depth++;
        else if (cc_opens(t, i) && --depth == 0)
            return i;
    }
    return NONE;
}

/* The `<` of the template arguments that `>` at `i` ends. */
size_t cc_angle_back(const translator *t, size_t i)
{
    size_t depth = 0;

    for (; i != NONE; i--) {
        if (cc_closes(t, i)) {
            i = cc_matching_back(t, i);
            if (i == NONE)
                return NONE;
        } else if (cc_opens(t, i) || is(t, i, ";")) {
            return NONE;
        } else if (is(t, i, ">")) {
            depth++;
        } else if (is(t, i, "<") && --depth == 0) {
            return i;
        }
    }
    return NONE;
}

/* The `>` that ends the template arguments or parameters that the `<` at `i` begins; NONE: it is an operator. */
size_t cc_angle(const translator *t, size_t i)
{
    size_t depth = 0;

    for (; i < t->count; i++) {
        if (cc_opens(t, i)) {
            i = cc_matching(t, i);
            if (i == NONE)
                return NONE;
        } else if (cc_closes(t, i) || is(t, i, ";")) {
            return NONE;
        } else if (is(t, i, "<")) {
            depth++;
        } else if (is(t, i, ">") && --depth == 0) {
            return i;
        }
    }
    return NONE;
}

/* The `,` behind the parameter, argument or declarator that begins at `i`, or `end`. */
size_t cc_part_end(const translator *t, size_t i, size_t end)
{
    for (; i < end && !is(t, i, ","); i++) {
        size_t angle = is(t, i, "<") ? cc_angle(t, i) : NONE;

        if (angle != NONE && angle < end)
            i = angle;
        else if (cc_opens(t, i))
            i = cc_matching(t, i);
    }
    return i < end ? i : end;
}

/* The `;` that ends the statement around `i`, or NONE. */
size_t cc_statement_end(const translator *t, size_t i)
{
    for (; i < t->count && !cc_closes(t, i); i++) {
        if (cc_opens(t, i)) {
            i = cc_matching(t, i);
            if (i == NONE)
                return NONE;
        } else if (is(t, i, ";")) {
            return i;
        }
    }
    return NONE;
}

/* Words whose parentheses are neither a parameter list nor an initialiser. */
bool cc_takes_parentheses(const translator *t, size_t i)
{
    static const char *const words[] = {
        "alignas",           "__attribute__",    "__attribute",   "__declspec",    "decltype",   "noexcept", "explicit",
        "__launch_bounds__", "__cluster_dims__", "__asm__",       "asm",           "__typeof__", "typeof",   "requires",
        "_Alignas",          "sizeof",           "__extension__", "static_assert", NULL};

    return is_any(t, i, words);
}

bool cc_is_device_word(const translator *t, size_t i)
{
    static const char *const words[] = {"__device__", "__constant__", "__managed__", NULL};

    return is_any(t, i, words);
}

bool cc_is_cuda_word(const translator *t, size_t i)
{
    return cc_is_device_word(t, i) || is(t, i, "__global__") || is(t, i, "__host__") || is(t, i, "__shared__");
}

bool cc_is_class_word(const translator *t, size_t i)
{
    static const char *const words[] = {"class", "struct", "union", NULL};

    return is_any(t, i, words);
}

bool cc_any_word(const translator *t, size_t from, size_t to, const char *spelling)
{
    for (size_t i = from; i < to; i++)
        if (is(t, i, spelling))
            return true;
    return false;
}

/* The name within a parenthesised declarator, (*name)[4] or (&name)(int). */
static size_t name_inside(const translator *t, size_t open, size_t close)
{
    size_t name = NONE;

    if (!is(t, open + 1, "*") && !is(t, open + 1, "&") && !is(t, open + 1, "("))
        return NONE;
    for (size_t i = open + 1; i < close && !is(t, i, "["); i++)
        if (is_word(t, i))
            name = i;
    return name;
}

typedef struct declaration_reader {
    const translator *t;
    cc_declaration *d;
    size_t name, initialiser; /* of the declarator that is being read */
    bool class_word;          /* after struct, class, union or enum: a body may follow */
    bool fixed;               /* the name is known; bounds or an initialiser follow */
} declaration_reader;

/* The declarator ends. */
static void end_declarator(declaration_reader *r)
{
    cc_declaration *d = r->d;
    size_t first = r->name;

    if (r->name != NONE && d->count < CC_MAX_DECLARATORS) {
        while (first > d->start + 1 && is(r->t, first - 1, "::") && is_word(r->t, first - 2))
            first -= 2;
        d->name[d->count] = r->name;
        d->qualified[d->count] = first;
        d->initialiser[d->count++] = r->initialiser;
    }
    r->name = r->initialiser = NONE;
    r->fixed = false;
}

/* At `=` or `{`: an initialiser, or the body of a structure. Returns the last token of it that was read. */
static size_t read_initialiser(declaration_reader *r, size_t i)
{
    bool brace = is(r->t, i, "{");
    size_t close = brace ? cc_matching(r->t, i) : i;

    if (brace && r->class_word && r->initialiser == NONE && !is(r->t, close + 1, ";") && !is(r->t, close + 1, ",")) {
        r->class_word = false; /* a body: declarators follow */
        return close;
    }
    if (r->initialiser == NONE)
        r->initialiser = i;
    r->fixed = true;
    return close;
}

/* At `(`: parameters, or a declarator in parentheses. */
static size_t read_parenthesis(declaration_reader *r, size_t i)
{
    size_t close = cc_matching(r->t, i);

    if (!r->fixed) {
        r->name = close == NONE ? NONE : name_inside(r->t, i, close);
        r->d->is_function |= r->name == NONE || is(r->t, r->name + 1, "("); /* char (&name(int))[2] */
    }
    r->fixed = true;
    return close;
}

/* A word of the specifiers, or a name. */
static void read_word(declaration_reader *r, size_t i)
{
    const translator *t = r->t;

    if (is(t, i, "alignas") && r->d->align_count < CC_MAX_DECLARATORS)
        r->d->align[r->d->align_count++] = i;
    r->d->is_extern |= is(t, i, "extern");
    r->d->is_type |= is(t, i, "typedef") || is(t, i, "using") || is(t, i, "friend");
    r->d->is_function |= is(t, i, "operator");
    r->class_word |= cc_is_class_word(t, i) || is(t, i, "enum");
    if (!r->fixed && !cc_is_cuda_word(t, i))
        r->name = i; /* the last word before bounds, initialiser or comma */
}

/* Reads what begins at token `i` and returns its last token. */
static size_t read_piece(declaration_reader *r, size_t i)
{
    const translator *t = r->t;

    if (is_word(t, i)) {
        size_t name = r->name;

        read_word(r, i);
        if (cc_takes_parentheses(t, i) && is(t, i + 1, "(")) {
            r->name = name;
            return cc_matching(t, i + 1);
        }
        if (is(t, i, "template") && is(t, i + 1, "<")) {
            r->d->is_template = true;
            return cc_angle(t, i + 1);
        }
    } else if (is(t, i, "<") && r->initialiser == NONE) {
        return cc_angle(t, i);
    } else if (is(t, i, ",")) {
        end_declarator(r);
    } else if (is(t, i, "=") || is(t, i, "{")) {
        return read_initialiser(r, i);
    } else if (is(t, i, "[")) {
        r->fixed |= !is(t, i + 1, "["); /* [[attribute]] */
        return cc_matching(t, i);
    } else if (is(t, i, "(")) {
        return read_parenthesis(r, i);
    }
    return i;
}

void cc_read_declaration(const translator *t, size_t start, size_t end, cc_declaration *d)
{
    declaration_reader r = {.t = t, .d = d, .name = NONE, .initialiser = NONE};

    *d = (cc_declaration){.start = start, .end = end};
    for (size_t i = start; i < end; i++) {
        i = read_piece(&r, i);
        if (i == NONE) {
            d->is_function = true; /* not understood: it is left alone */
            return;
        }
    }
    end_declarator(&r);
}

/* The first token of the statement that holds token `i` of a function. */
size_t cc_statement_start(const translator *t, size_t i)
{
    for (; i > 0; i--) {
        size_t before = i - 1;

        if (is(t, before, ")") || is(t, before, "]")) {
            size_t open = cc_matching_back(t, before);

            if (open == NONE || open == 0 || !cc_takes_parentheses(t, open - 1))
                return i;
            i = open;
        } else if (is(t, before, ";") || is(t, before, "{") || is(t, before, "}") || is(t, before, ":") ||
                   is(t, before, ",") || is(t, before, "(")) {
            return i;
        }
    }
    return i;
}

/* Is there a `=` between the `(` at `open` and the `{` at `i`, outside brackets? */
static bool is_initialised(const translator *t, size_t open, size_t i)
{
    for (size_t j = open; j < i; j++) {
        if (is(t, j, "="))
            return true;
        if (cc_opens(t, j))
            j = cc_matching(t, j);
        if (j == NONE)
            return false;
    }
    return false;
}

cc_scope_kind cc_opened(const translator *t, size_t start, size_t i, size_t *parameters)
{
    bool class_word = false, enumeration = false, operator_word = false;

    *parameters = NONE;
    if (i > start && t->token[i - 1].kind == CC_STRING)
        return NAMESPACE; /* extern "C" { */
    for (size_t j = start; j < i; j++) {
        if (is(t, j, "template") && is(t, j + 1, "<")) {
            size_t end = cc_angle(t, j + 1);

            j = end == NONE || end > i ? j + 1 : end;
        } else if (is(t, j, "namespace")) {
            return NAMESPACE;
        } else if (cc_takes_parentheses(t, j) && is(t, j + 1, "(")) {
            j = cc_matching(t, j + 1);
            if (j == NONE)
                return OTHER;
        } else if (is(t, j, "operator")) {
            operator_word = true;
            if (is(t, j + 1, "("))
                j += 2; /* operator()( */
        } else if (is(t, j, "=") && !operator_word) {
            return OTHER;
        } else if (is(t, j, "(")) {
            if (is_initialised(t, j, i))
                return OTHER; /* int (*table[2])(int) = { */
            *parameters = j;
            return FUNCTION;
        } else if (class_word && is(t, j, ":")) {
            break; /* of bases, whose arguments may stand in parentheses */
        } else if (is(t, j, "[")) {
            j = cc_matching(t, j); /* an attribute, or an array */
            if (j == NONE)
                return OTHER;
        }
        class_word |= cc_is_class_word(t, j);
        enumeration |= is(t, j, "enum");
    }
    return class_word && !enumeration ? CLASS : OTHER;
}

bool cc_is_member_initialiser(const translator *t, size_t parameters, size_t i)
{
    size_t end = cc_matching(t, parameters);
    bool colon = false;

    if (end == NONE || end > i)
        return false;
    for (size_t j = end + 1; j < i; j++)
        colon |= is(t, j, ":");
    return colon && (is_word(t, i - 1) || is(t, i - 1, ">"));
}

size_t cc_lambda_head(const translator *t, size_t i)
{
    static const char *const between[] = {"->", "::", "*", "&", "<", ">", ",", NULL}; /* of a return type */
    size_t head = i - 1, before;

    while (head > 0 && head != NONE && (is_word(t, head) || is_any(t, head, between)))
        head--;
    if (is(t, head, "]"))
        return head;
    if (!is(t, head, ")"))
        return NONE;
    head = cc_matching_back(t, head);
    if (head == NONE || head == 0)
        return NONE;
    before = head - 1;
    while (before > 0 && cc_is_cuda_word(t, before))
        before--;
    if (is(t, before, ">"))
        before = cc_angle_back(t, before) - 1; /* []<class T>(T x) */
    return is(t, before, "]") ? before : NONE;
}

static void add_item(cc_items *list, cc_item it, size_t end)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 64;
        list->item = cc_allocate(list->item, list->capacity * sizeof *list->item);
    }
    it.end = end;
    list->item[list->count++] = it;
}

/* An access label (public:) is a declaration of its own, so that the one after it can match. */
static bool is_access_label(const translator *t, size_t i)
{
    static const char *const words[] = {"public", "private", "protected", NULL};

    return is_any(t, i, words) && is(t, i + 1, ":");
}

/* At `{` of the declaration that begins at it->first. Returns the token after which reading continues; sets `ends` if
 * the declaration ends there. */
static size_t read_braces(const translator *t, cc_item *it, size_t i, bool *ends)
{
    size_t parameters, close = cc_matching(t, i);
    cc_scope_kind kind = cc_opened(t, it->first, i, &parameters);

    *ends = false;
    if (close == NONE || (kind == FUNCTION && cc_is_member_initialiser(t, parameters, i)))
        return close;
    if (kind != OTHER) {
        it->kind = kind;
        it->open = i;
        it->close = close;
    }
    *ends = kind == FUNCTION || kind == NAMESPACE;
    return close;
}

void cc_split(const translator *t, size_t from, size_t to, cc_items *list)
{
    cc_item it = {.kind = OTHER, .first = from};

    *list = (cc_items){0};
    for (size_t i = from; i < to; i++) {
        bool ends = is(t, i, ";") || (i == it.first && t->token[i].kind == CC_PRAGMA);

        if (i == it.first && is_access_label(t, i)) {
            ends = true;
            i++;
        } else if (is(t, i, "{")) {
            i = read_braces(t, &it, i, &ends);
        } else if (is(t, i, "(") || is(t, i, "[")) {
            i = cc_matching(t, i);
        }
        if (i == NONE || i >= to)
            break;
        if (ends) {
            add_item(list, it, i + 1);
            it = (cc_item){.kind = OTHER, .first = i + 1};
        }
    }
    if (it.first < to)
        add_item(list, it, to);
}

size_t cc_template_parameter(const translator *t, size_t from, size_t to)
{
    static const char *const types[] = {"int",  "unsigned", "signed", "long",     "short", "char",
                                        "bool", "size_t",   "class",  "typename", NULL};
    size_t name = NONE;

    for (size_t i = from; i < to && !is(t, i, "="); i++)
        if (is_word(t, i))
            name = i;
    return name == from || name == NONE || is_any(t, name, types) ? NONE : name;
}
