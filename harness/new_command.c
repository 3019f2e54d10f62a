/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `samebits new ALGORITHM/NAME`: writes a variant, or a port outside the tree, of which only the algorithm is missing. It builds and is
 * judged; its outputs are zeros. Parameters and arrays are taken from the descriptor.
 */
#include "algorithms/table.h"
#include "commands.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PATH = 4096 };

typedef struct skeleton {
    const sb_algorithm *algorithm;
    const char *name;         /* of the variant */
    char path[MAX_PATH];      /* of the source, relative to the tree; outside of it, its name */
    char table[2 * MAX_PATH]; /* the name of the table of variants: the path without its end, '_' for '/' and '.' */
    bool outside;
} skeleton;

static const char *c_type(uint32_t type)
{
    static const char *const names[] = {[SB_TYPE_PARAMETER] = "void", [SB_U8] = "uint8_t",  [SB_U16] = "uint16_t",
                                        [SB_U32] = "uint32_t",        [SB_I32] = "int32_t", [SB_U64] = "uint64_t",
                                        [SB_F32] = "float",           [SB_F64] = "double",  [SB_AFFINE] = "sb_affine"};

    return names[type];
}

static const char *first_output(const skeleton *s)
{
    return s->algorithm->outputs[0].name;
}

/* The struct with everything that the algorithm takes and gives. */
static void put_members(FILE *out, const skeleton *s)
{
    const sb_algorithm *a = s->algorithm;

    for (size_t i = 0; i < sb_parameter_count(a); i++)
        fprintf(out, "    uint64_t %s;\n", a->parameters[i].name);
    for (size_t i = 0; i < sb_input_count(a); i++)
        fprintf(out, "    const %s *%s;\n    uint64_t %s_length;\n", c_type(a->inputs[i].type), a->inputs[i].name,
                a->inputs[i].name);
    for (size_t i = 0; i < sb_output_count(a); i++)
        fprintf(out, "    %s *%s;\n    uint64_t %s_length; // at most\n", c_type(a->outputs[i].type),
                a->outputs[i].name, a->outputs[i].name);
}

static void put_arrays(FILE *out, const sb_field *fields, const char *list, const char *qualifier, const char *length)
{
    for (size_t i = 0; fields[i].name != NULL; i++)
        fprintf(out, "    w.%s = (%s%s *)%s[%zu].data;\n    w.%s_length = %s[%zu].%s;\n", fields[i].name, qualifier,
                c_type(fields[i].type), list, i, fields[i].name, list, i, length);
}

static void put_assignments(FILE *out, const skeleton *s)
{
    for (size_t i = 0; i < sb_parameter_count(s->algorithm); i++)
        fprintf(out, "    w.%s = parameters[%zu];\n", s->algorithm->parameters[i].name, i);
    put_arrays(out, s->algorithm->inputs, "inputs", "const ", "length");
    put_arrays(out, s->algorithm->outputs, "outputs", "", "capacity");
}

static void put_cuda(FILE *out, const skeleton *s)
{
    fprintf(
        out,
        "// SPDX-License-Identifier: BSD-2-Clause\n//\n"
        "// %s/%s: the idea. What a thread, a warp and a block do, why the result is right, what it costs, and the\n"
        "// published source. docs/ALGORITHMS.md says what %s computes.\n"
        "#include <samebits/%s>\n\n"
        "enum { THREADS = 256 }; // in a block; not tuned\n\nnamespace\n{\n\n"
        "// Parameters, inputs and outputs of a case; the arrays are in device memory.\nstruct work {\n",
        s->algorithm->name, s->name, s->algorithm->name, s->outside ? "cuda_device.h" : "module.h");
    put_members(out, s);
    fprintf(
        out,
        "};\n\n} // namespace\n\nstatic __global__ void compute(work w)\n{\n"
        "    uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x;\n\n"
        "    if (i >= w.%s_length)\n        return;\n"
        "    // The algorithm goes here. As it stands, a thread for each element of `%s` leaves it 0.\n}\n\n"
        "static uint64_t element_bytes(uint32_t type)\n{\n"
        "    static const uint64_t bytes[] = {0, 1, 2, 4, 4, 8, 4, 8, 8}; // by sb_type\n\n"
        "    return bytes[type];\n}\n\n"
        "// The judge calls this for each case. Where the length of an output is part of the result, set "
        "outputs[i].length.\n"
        "static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)\n{\n"
        "    work w;\n\n    (void)parameters;\n",
        first_output(s), first_output(s));
    put_assignments(out, s);
    fprintf(out,
            "    for (int i = 0; i < %zu; i++)\n        if (outputs[i].capacity > 0)\n"
            "            cudaMemsetAsync(outputs[i].data, 0, outputs[i].capacity * element_bytes(outputs[i].type));\n"
            "    if (w.%s_length > 0)\n"
            "        compute<<<(unsigned)((w.%s_length + THREADS - 1) / THREADS), THREADS>>>(w);\n"
            "    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;\n}\n\n"
            "// Algorithm, name and idea; then `refuses` (none: it takes every case), `workspace` (none: it needs "
            "none) and\n"
            "// `launch`. <samebits/module.h> describes them.\n",
            sb_output_count(s->algorithm), first_output(s), first_output(s));
    if (s->outside)
        fprintf(out, "SB_VARIANTS({\"%s\", \"%s\", \"the idea\", nullptr, nullptr, launch})\n", s->algorithm->name,
                s->name);
    else
        fprintf(
            out,
            "extern \"C\" const sb_variant sb_%s[] = {\n    {\"%s\", \"%s\", \"the idea\", nullptr, nullptr, launch},\n"
            "    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},\n};\n",
            s->table, s->algorithm->name, s->name);
}

static void put_c(FILE *out, const skeleton *s)
{
    fprintf(out,
            "/* SPDX-License-Identifier: BSD-2-Clause\n *\n"
            " * %s/%s: the idea, why the result is right, what it costs, and the published source.\n"
            " * docs/ALGORITHMS.md says what %s computes. */\n"
            "#include <samebits/module.h>\n#include <string.h>\n\n"
            "/* Parameters, inputs and outputs of a case. */\ntypedef struct work {\n",
            s->algorithm->name, s->name, s->algorithm->name);
    put_members(out, s);
    fprintf(out, "} work;\n\n/* The algorithm goes here. */\nstatic sb_status compute(const work *w)\n{\n"
                 "    (void)w;\n    return SB_OK;\n}\n\n"
                 "static size_t element_bytes(uint32_t type)\n{\n"
                 "    static const size_t bytes[] = {0, 1, 2, 4, 4, 8, 4, 8, 8}; /* by sb_type */\n\n    return "
                 "bytes[type];\n}\n\n"
                 "/* Where the length of an output is part of the result, set outputs[i].length. */\n"
                 "static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void "
                 "*workspace)\n{\n"
                 "    work w;\n\n    (void)parameters;\n    (void)workspace;\n");
    put_assignments(out, s);
    fprintf(out,
            "    for (int i = 0; i < %zu; i++)\n        if (outputs[i].capacity > 0)\n"
            "            memset(outputs[i].data, 0, outputs[i].capacity * element_bytes(outputs[i].type));\n"
            "    return compute(&w);\n}\n\n"
            "extern const sb_variant sb_%s[];\nconst sb_variant sb_%s[] = {\n"
            "    {\"%s\", \"%s\", \"the idea\", NULL, NULL, launch, NULL},\n    {NULL, NULL, NULL, NULL, NULL, NULL, "
            "NULL},\n};\n",
            sb_output_count(s->algorithm), s->table, s->table, s->algorithm->name, s->name);
}

static void put_python(FILE *out, const skeleton *s)
{
    const sb_algorithm *a = s->algorithm;

    fprintf(
        out,
        "#!/usr/bin/env python3\n\"\"\"%s for `samebits verify --exec`: reads a case and writes its result. "
        "docs/FORMAT.md, "
        "*Programs*, describes both.\"\"\"\n"
        "import os\nimport struct\nimport sys\n\n"
        "# Floats are read as the integers of their bits. As a float, a signalling NaN would become a quiet one.\n"
        "FORMATS = {\"u8\": \"B\", \"u16\": \"H\", \"u32\": \"I\", \"i32\": \"i\", \"u64\": \"Q\", \"f32\": \"I\", "
        "\"f64\": \"Q\", "
        "\"affine\": \"II\"}\n\n\n"
        "def to_float(bits, kind):\n"
        "    \"\"\"The number of type \"f32\" or \"f64\" that has these bits.\"\"\"\n"
        "    return struct.unpack(\"<f\" if kind == \"f32\" else \"<d\", struct.pack(\"<\" + FORMATS[kind], "
        "bits))[0]\n\n\n"
        "def to_bits(number, kind):\n"
        "    \"\"\"The bits of the number, rounded to the type.\"\"\"\n"
        "    return struct.unpack(\"<\" + FORMATS[kind], struct.pack(\"<f\" if kind == \"f32\" else \"<d\", "
        "number))[0]\n\n\n"
        "def compute(parameters, inputs):\n"
        "    \"\"\"Returns the outputs by name, as lists; None if the case is invalid. The algorithm goes here.\n\n",
        a->name);
    for (size_t i = 0; i < sb_parameter_count(a); i++)
        fprintf(out, "    parameters[\"%s\"]: %s\n", a->parameters[i].name,
                a->parameters[i].words ? "a word" : "a number");
    for (size_t i = 0; i < sb_input_count(a); i++)
        fprintf(out, "    inputs[\"%s\"]: a list%s\n", a->inputs[i].name,
                a->inputs[i].type == SB_F32 || a->inputs[i].type == SB_F64 ? " of the bits of floats, see to_float"
                : a->inputs[i].type == SB_TYPE_PARAMETER ? "; for type f32 and f64 of the bits of floats, see to_float"
                                                         : "");
    fprintf(out, "    \"\"\"\n    return {");
    for (size_t i = 0; i < sb_output_count(a); i++)
        fprintf(out, "%s\"%s\": []", i ? ", " : "", a->outputs[i].name);
    fprintf(out, "}\n\n\n# The types of arrays; None: the one that the parameter `type` names.\nTYPES = {");
    for (size_t list = 0; list < 2; list++)
        for (const sb_field *f = list ? a->outputs : a->inputs; f->name != NULL; f++)
            fprintf(out, "%s\"%s\": %s%s%s", list || f != a->inputs ? ", " : "", f->name, f->type ? "\"" : "",
                    f->type ? sb_type_name(f->type) : "None", f->type ? "\"" : "");
    fprintf(
        out,
        "}\n\n\n"
        "def main(case_path, result_path):\n"
        "    with open(case_path, encoding=\"utf-8\") as file:\n"
        "        items = dict(item.split(\"=\", 1) for item in file.read().split()[1:])\n"
        "    parameters, inputs = {}, {}\n"
        "    for name, value in items.items():\n"
        "        if value.startswith(\"@\"):\n"
        "            form = \"<\" + FORMATS[TYPES[name] or items[\"type\"]]\n"
        "            with open(os.path.join(os.path.dirname(case_path), value[1:]), \"rb\") as file:\n"
        "                inputs[name] = [v if len(v) > 1 else v[0] for v in struct.iter_unpack(form, file.read())]\n"
        "        elif name != \"id\":\n"
        "            parameters[name] = int(value) if value.isdigit() else value\n"
        "    outputs = compute(parameters, inputs)\n"
        "    line = []\n"
        "    for name, values in (outputs or {}).items():\n"
        "        form = \"<\" + FORMATS[TYPES[name] or items[\"type\"]]\n"
        "        with open(os.path.join(os.path.dirname(result_path), \"result.\" + name), \"wb\") as file:\n"
        "            for value in values:\n"
        "                file.write(struct.pack(form, *(value if isinstance(value, tuple) else (value,))))\n"
        "        line.append(f\"{name}=@result.{name}\")\n"
        "    with open(result_path, \"w\", encoding=\"utf-8\") as file:\n"
        "        file.write(\"invalid\" if outputs is None else \" \".join(line))\n\n\n"
        "if __name__ == \"__main__\":\n    main(sys.argv[1], sys.argv[2])\n");
}

/* Of a port in CUDA: as example/Makefile. */
static void put_cuda_makefile(FILE *out, const skeleton *s)
{
    fprintf(out,
            "# make verify: without a GPU, on the simt machine. make verify-cuda: on a GPU.\n"
            "SAMEBITS = samebits\nSIMTCC = simtcc\nNVCC = nvcc\n"
            "INCLUDES = $(shell pkg-config --cflags samebits 2>/dev/null)\n\n"
            "verify: %s.so\n\t$(SAMEBITS) verify --module=./%s.so\n\n"
            "verify-cuda: %s-cuda.so\n\t$(SAMEBITS) verify --module=./%s-cuda.so\n\n"
            "%s.so: %s.cu\n\t$(SIMTCC) -shared $(INCLUDES) $< -o $@\n\n"
            "%s-cuda.so: %s.cu\n\t$(NVCC) -shared -arch=native -fmad=false -Xcompiler -fPIC $(INCLUDES) $< -o $@\n\n"
            ".PHONY: verify verify-cuda\n",
            s->name, s->name, s->name, s->name, s->name, s->name, s->name, s->name);
}

static void put_python_makefile(FILE *out, const skeleton *s)
{
    fprintf(out,
            "SAMEBITS = samebits\n\nverify:\n\t$(SAMEBITS) verify --exec='python3 $(CURDIR)/%s.py {in} {out}' "
            "--algorithm=%s\n\n"
            ".PHONY: verify\n",
            s->name, s->algorithm->name);
}

typedef void write_text(FILE *out, const skeleton *s);

/* Writes a file that does not exist yet. */
static int put_file(const char *folder, const char *name, write_text *put, const skeleton *s)
{
    char path[2 * MAX_PATH];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    out = fopen(path, "wx");
    if (out == NULL)
        return sb_error("%s: %s", path, strerror(errno));
    put(out, s);
    if (ferror(out) | (fclose(out) != 0))
        return sb_error("%s: %s", path, strerror(errno));
    printf("%s\n", path);
    return -1;
}

/* Copies the list of variants, and puts the source behind the last one of its family, or at the front. */
static bool copy_list(FILE *in, FILE *out, const char *list, const char *path)
{
    char *line = NULL;
    size_t capacity = 0, family = (size_t)(strrchr(path, '/') + 1 - path);
    bool inside = false, seen = false, done = false;

    while (getline(&line, &capacity, in) > 0) {
        bool of_family = inside && strncmp(line, "\t", 1) == 0 && strncmp(line + 1, path, family) == 0;

        if (inside && !done && seen && !of_family) {
            fprintf(out, "\t%s \\\n", path);
            done = true;
        }
        seen |= of_family;
        if (inside && !done && strchr(line, '\\') == NULL) { /* the last line of the list */
            fprintf(out, "\t%s \\\n", path);
            done = true;
        }
        inside = inside ? strchr(line, '\\') != NULL : strncmp(line, list, strlen(list)) == 0;
        fputs(line, out);
    }
    free(line);
    return done && !ferror(in) && !ferror(out);
}

static int add_to_list(const char *tree, const char *list, const char *path)
{
    char old[2 * MAX_PATH], new[2 * MAX_PATH];
    FILE *in, *out;
    bool good;

    snprintf(old, sizeof old, "%s/Makefile.am", tree);
    snprintf(new, sizeof new, "%s/Makefile.am.new", tree);
    in = fopen(old, "r");
    out = in != NULL ? fopen(new, "w") : NULL;
    good = out != NULL && copy_list(in, out, list, path);
    if (in != NULL)
        fclose(in);
    if (out != NULL)
        good &= fclose(out) == 0;
    if (good && rename(new, old) == 0) {
        printf("%s: %s\n", old, path);
        return -1;
    }
    if (out != NULL)
        unlink(new);
    return sb_error("%s: %s has no list %s to add %s to", old, in != NULL ? "it" : "a source tree", list, path);
}

/* A variant of the tree. */
static int new_variant(const sb_options *options, skeleton *s, bool is_c)
{
    const char *dot = strchr(s->algorithm->name, '.');
    char folder[MAX_PATH];
    int status;

    snprintf(s->path, sizeof s->path, "%s/%.*s/%s_%s.%s", is_c ? "cpu" : "gpu", (int)(dot - s->algorithm->name),
             s->algorithm->name, dot + 1, s->name, is_c ? "c" : "cu");
    snprintf(s->table, sizeof s->table, "%s", s->path);
    *strrchr(s->table, '.') = '\0';
    for (char *c = s->table; *c != '\0'; c++)
        *c = *c == '/' ? '_' : *c;
    snprintf(folder, sizeof folder, "%s/%.*s", options->source, (int)(strrchr(s->path, '/') - s->path), s->path);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return sb_error("%s: %s; --source names the source tree, and --outside a directory of your own", folder,
                        strerror(errno));
    status = put_file(options->source, s->path, is_c ? put_c : put_cuda, s);
    if (status < 0)
        status = add_to_list(options->source, is_c ? "CPU_VARIANTS = " : "GPU_VARIANTS = ", s->path);
    if (status < 0)
        printf("It is judged by: make -C build && build/samebits verify %s/%s\n"
               "It needs a mutant in tests/mutants/%.*s.mutants; CONTRIBUTING.md explains it.\n",
               s->algorithm->name, s->name, (int)(dot - s->algorithm->name), s->algorithm->name);
    return status < 0 ? SB_EXIT_EQUAL : status;
}

static int new_port(const sb_options *options, skeleton *s, bool is_python)
{
    int status;

    if (mkdir(options->outside, 0777) != 0 && errno != EEXIST)
        return sb_error("%s: %s", options->outside, strerror(errno));
    snprintf(s->path, sizeof s->path, "%s.%s", s->name, is_python ? "py" : "cu");
    status = put_file(options->outside, s->path, is_python ? put_python : put_cuda, s);
    if (status < 0)
        status = put_file(options->outside, "Makefile", is_python ? put_python_makefile : put_cuda_makefile, s);
    if (status < 0)
        printf("It is judged by: make -C %s verify\n", options->outside);
    return status < 0 ? SB_EXIT_EQUAL : status;
}

int sb_new_command(const sb_options *options)
{
    const char *what = options->argument_count == 1 ? options->arguments[0] : "", *slash = strchr(what, '/');
    const char *language = options->language != NULL ? options->language : "cuda";
    skeleton s = {.outside = options->outside != NULL};
    char algorithm[128];

    snprintf(algorithm, sizeof algorithm, "%.*s", slash ? (int)(slash - what) : 0, what);
    s.algorithm = sb_algorithm_find(algorithm);
    s.name = slash ? slash + 1 : "";
    if (s.algorithm == NULL && slash != NULL && slash != what)
        return sb_usage_error("there is no algorithm '%s'; see samebits list", algorithm);
    if (s.algorithm == NULL)
        return sb_usage_error("needs ALGORITHM/NAME, such as mtf.encode/mine; see samebits list");
    if (*s.name == '\0' || strlen(s.name) > 64 ||
        s.name[strspn(s.name, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0')
        return sb_usage_error("'%s': a name consists of up to 64 of a-z, 0-9 and _", s.name);
    if (s.outside && (strcmp(language, "cuda") == 0 || strcmp(language, "python") == 0))
        return new_port(options, &s, language[0] == 'p');
    if (!s.outside && (strcmp(language, "cuda") == 0 || strcmp(language, "c") == 0))
        return new_variant(options, &s, strcmp(language, "c") == 0);
    return sb_usage_error("--language: '%s' is not %s", language,
                          s.outside ? "cuda or python, which --outside takes" : "cuda or c; --outside takes python");
}
