/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The table of what simtcc refuses: contract in refused.h.
 */
#define _GNU_SOURCE
#include "refused.h"

#include <stdint.h>
#include <string.h>

typedef enum place {
    SYNTAX,   /* another file finds it; `words` is then for the manual page alone */
    ANYWHERE, /* in code of the host and of the device */
    UNLESS_DECLARED,
    CALL,  /* of a function that neither the program nor a header of the machine declares */
    HEADER /* the words are names of headers */
} place;

/* WORD* stands for all words that begin so, WORD:: for a namespace, A::B for three tokens. In a message, % is the word that was
 * found. Without a message it is: simtcc has no WHAT (%): INSTEAD. */
typedef struct feature {
    const char *what, *instead;
    place place;
    const char *message;
    const char *words[18];
} feature;

static const feature features[] = {
    [REFUSED_ASM] = {"PTX instructions in asm that the machine does not have, see below",
                     "write it in CUDA C++",
                     SYNTAX,
                     "inline PTX is not supported here: %; write it in CUDA C++",
                     {0}},
    [REFUSED_SHARED_INITIALISER] = {"initialisers of __shared__ variables",
                                    "assign in the kernel",
                                    SYNTAX,
                                    "a __shared__ variable cannot have an initialiser",
                                    {0}},
    [REFUSED_SHARED_MEMBER] = {"__shared__ members of classes",
                               "declare the variable in the kernel",
                               SYNTAX,
                               "a __shared__ member is not supported",
                               {0}},
    {"graphs of the driver",
     "use the runtime's calls, cudaGraph*",
     ANYWHERE,
     NULL,
     {"cuGraph*", "CUgraph*", "cuStreamBeginCapture*", "cuStreamEndCapture"}},
    {"surface references",
     "use cudaCreateSurfaceObject",
     ANYWHERE,
     NULL,
     {"surfaceReference", "cudaBindSurfaceToArray"}},
    {"derivatives of a direction in a cube",
     "use texCubemapLod",
     ANYWHERE,
     NULL,
     {"texCubemapGrad", "texCubemapLayeredGrad"}},
    {"modules and kernels by name",
     "compile the kernels with the program and launch them with <<<...>>>",
     ANYWHERE,
     NULL,
     {"cuModule*", "cuLibraryLoad*", "cuLinkCreate*", "cuLaunchKernel*", "cuLaunchCooperativeKernel*", "cuFuncGet*",
      "cuFuncSet*", "CUmodule", "CUfunction", "cudaLibraryLoad*", "nvrtc*"}},
    {"memory of other processes", "use one process", ANYWHERE, NULL, {"cudaIpc*", "cuIpc*"}},
    {"reserved addresses",
     "allocate with cudaMalloc",
     ANYWHERE,
     NULL,
     {"cuMemCreate", "cuMemMap*", "cuMemAddress*", "cuMemSetAccess"}},
    {"Poisson and discrete distributions",
     "use curand_uniform",
     ANYWHERE,
     NULL,
     {"curand_poisson*", "curand_discrete*", "curandCreatePoisson*", "curandGeneratePoisson*",
      "curandDiscreteDistribution_t"}},
    {"the random generator MTGP32 in kernels",
     "use curandState or curandStatePhilox4_32_10_t",
     ANYWHERE,
     NULL,
     {"curandStateMtgp32*", "curand_mtgp32*", "curandMakeMTGP32*"}},
    {"direction vectors of the library curand",
     "pass vectors of your own to curand_init, as Joe and Kuo publish them",
     ANYWHERE,
     NULL,
     {"curandGetDirectionVectors*", "curandGetScrambleConstants*"}},
    {"such function of the library",
     "use the others of its header, or write a kernel",
     CALL,
     NULL,
     {"cublas*", "cufft*", "cusparse*", "cusolver*"}},
    {"votes and shuffles without a mask",
     "name the lanes, as in __shfl_sync",
     UNLESS_DECLARED, /* old programs define them themselves for new cards */
     NULL,
     {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__any", "__all", "__ballot"}},
    {"groups of several devices",
     "use a block or a grid_group",
     ANYWHERE,
     NULL,
     {"multi_grid_group", "this_multi_grid", "cudaLaunchCooperativeKernelMultiDevice"}},
    {"CUB, Thrust or libcu++ of its own",
     "install a CUDA toolkit, or Debian's libcub-dev and libthrust-dev, or name their directory with --cccl",
     HEADER,
     NULL,
     {"cub/*", "thrust/*", "cuda/*", "nv/*"}},
    {"CUTLASS", "name its include directory with -I", HEADER, NULL, {"cutlass/*", "cute/*"}},
    {"cuBLAS's other interfaces", "call cublas_v2.h", HEADER, NULL, {"cublas.h", "cublasXt*", "nvblas.h"}},
    {"cuDNN", "write the layers as kernels", HEADER, NULL, {"cudnn*"}},
    {"the random generator MTGP32 in kernels", "use curandState or curandStatePhilox4_32_10_t", HEADER, NULL, {"curand_mtgp32*"}},
    {"NCCL and NVSHMEM", "use one device", HEADER, NULL, {"nccl*", "nvshmem*"}},
    {"cuFFT's other interfaces", "call cufft.h", HEADER, NULL, {"cufftXt*", "cufftw*", "cufftMp*"}},
    {"cuSPARSE's other interfaces", "call cusparse.h", HEADER, NULL, {"cusparseLt*"}},
    {"cuSOLVER's other interfaces", "call cusolverDn.h", HEADER, NULL, {"cusolverSp*", "cusolverRf*", "cusolverMg*"}},
    {"NVRTC",
     "compile the kernels with the program",
     HEADER,
     NULL,
     {"nvrtc*", "nvJitLink*", "nvPTXCompiler*", "nvvm.h"}},
    {"NPP, nvJPEG, nvCOMP and codecs",
     "write the step as a kernel",
     HEADER,
     NULL,
     {"npp*", "nvjpeg*", "nvcomp*", "nvcuvid*", "cuviddec*"}},
    {"CUPTI and NVML", "measure on a GPU", HEADER, NULL, {"cupti*", "nvml*", "nvperf*"}},
    {"interoperation with graphics",
     "copy the result to the host",
     HEADER,
     NULL,
     {"cuda_gl_interop.h", "cudaGL*", "cuda_egl*", "cudaEGL*", "cuda_vdpau*", "cudaVDPAU*"}},
};

enum { FEATURES = sizeof features / sizeof *features };

_Static_assert(FEATURES <= 64, "translator.refused has a bit for each row");

/* Prints the row's message with `length` characters of `detail` in the place of its %. */
static void refuse(translator *t, size_t i, const feature *f, const char *detail, size_t length)
{
    const char *message = f->message;

    if (!message) {
        cc_refuse(t, i, "simtcc has no %s (%.*s): %s", f->what, (int)length, detail, f->instead);
        return;
    }
    if (strchr(message, '%'))
        cc_refuse(t, i, "%.*s%.*s%s", (int)strcspn(message, "%"), message, (int)length, detail,
                  strchr(message, '%') + 1);
    else
        cc_refuse(t, i, "%s", message);
}

void cc_refuse_feature(translator *t, size_t i, cc_refused row, const char *detail)
{
    refuse(t, i, &features[row], detail, strlen(detail));
}

/* Does `word` of the table stand at token `i`? Sets `found` to what the message names. */
static bool stands_at(const translator *t, size_t i, const char *word, cc_text *found)
{
    const cc_token *token = &t->token[i];
    const char *colons = strstr(word, "::");
    size_t length = colons ? (size_t)(colons - word) : strlen(word);
    bool prefix = word[length - 1] == '*';

    length -= prefix;
    if ((prefix ? token->length < length : token->length != length) || memcmp(token->start, word, length) != 0 ||
        (colons && !is(t, i + 1, "::")) || (colons && colons[2] && !is(t, i + 2, colons + 2)))
        return false;
    cc_text_puts(found, colons && colons[2] ? word : "");
    if (!found->length)
        cc_add_token(found, token);
    return true;
}

/* Is a function of that name declared? Then the name stands behind a type somewhere; that of a constructor behind the word
 * class or struct. */
static bool is_declared(const translator *t, const cc_token *name)
{
    for (size_t k = 1; k + 1 < t->count; k++)
        if (t->token[k].length == name->length && !memcmp(t->token[k].start, name->start, name->length) &&
            (is(t, k - 1, "class") || is(t, k - 1, "struct") ||
             (is(t, k + 1, "(") && is_word(t, k - 1) && !is(t, k - 1, "return") && !is(t, k - 1, "else"))))
            return true;
    return false;
}

/* A header of the machine is no tokens, but text: there, every type before a function of a library ends in _t, Result or *. */
static bool is_in_header(const translator *t, const cc_token *name)
{
    const char *at = t->text, *end = t->text + t->text_length;

    while ((at = memmem(at, (size_t)(end - at), name->start, name->length)) != NULL) {
        const char *before = at - t->text > 8 ? at - (at[-1] == ' ') : NULL, *after = at + name->length;

        if (before && after < end && *after == '(' &&
            (before[-1] == '*' || memcmp(before - 2, "_t", 2) == 0 || memcmp(before - 6, "Result", 6) == 0))
            return true;
        at = after;
    }
    return false;
}

static bool is_missing(const translator *t, size_t i)
{
    const cc_token *name = &t->token[i];

    return is(t, i + 1, "(") && memcmp(name->start + name->length - 2, "_t", 2) != 0 && !is_in_header(t, name) &&
           !is_declared(t, name);
}

static bool is_at_place(const translator *t, size_t i, place where)
{
    if (where == CALL)
        return is_missing(t, i);
    return where == ANYWHERE || (where == UNLESS_DECLARED && !is_declared(t, &t->token[i]));
}

/* Most words of a program begin like no word of the table. */
static bool may_stand_at(const cc_token *token)
{
    static bool first[256];

    if (!first['c'])
        for (size_t row = 0; row < FEATURES; row++)
            for (const char *const *word = features[row].words; *word; word++)
                first[(unsigned char)**word] = true;
    return first[(unsigned char)*token->start];
}

void cc_check_word(translator *t, size_t i)
{
    cc_text found = {0};

    if (t->token[i].system || !may_stand_at(&t->token[i]) || (i > 0 && (is(t, i - 1, ".") || is(t, i - 1, "->"))))
        return;
    for (size_t row = REFUSED_BY_WORDS; row < FEATURES; row++)
        for (const char *const *word = features[row].words; *word; word++)
            if (!(t->refused & (uint64_t)1 << row) && stands_at(t, i, *word, &found)) {
                if (is_at_place(t, i, features[row].place)) {
                    t->refused |= (uint64_t)1 << row;
                    refuse(t, i, &features[row], found.data, found.length);
                }
                cc_text_free(&found);
            }
}

/* The row of a header, or NULL. */
static const feature *row_of_header(const char *name)
{
    for (const feature *f = features; f < features + FEATURES; f++)
        for (const char *const *word = f->words; f->place == HEADER && *word; word++)
            if (strncmp(name, *word, strcspn(*word, "*")) == 0)
                return f;
    return NULL;
}

/* gcc's `FILE:LINE:COLUMN: fatal error: NAME: No such file or directory`, or clang's with 'NAME' file not found */
bool cc_refuse_header(const char *messages)
{
    static const char fatal[] = ": fatal error: ";
    const char *found = strstr(messages, fatal), *line = found, *name, *column = found;
    const feature *row;

    if (!found)
        return false;
    while (line > messages && line[-1] != '\n')
        line--;
    while (column > line && column[-1] != ':')
        column--;
    name = found + strlen(fatal);
    name += *name == '\'';
    row = row_of_header(name);
    if (row)
        fprintf(stderr, "%.*s error: simtcc has no %s (%.*s): %s\n", (int)(column - line), line, row->what,
                (int)strcspn(name, ":'\n"), name, row->instead);
    return row != NULL;
}

bool cc_refuse_included(const cc_include *include)
{
    const char *slash = memrchr(include->header, '/', include->header_length);
    const char *name = slash ? slash + 1 : include->header;
    const feature *row = row_of_header(name);

    if (row)
        fprintf(stderr, "%.*s:%u: error: simtcc has no %s (%.*s): %s\n", (int)include->file_length, include->file,
                include->line, row->what, (int)strcspn(name, "\""), name, row->instead);
    return row != NULL;
}

void cc_print_refused(FILE *file)
{
    for (const feature *f = features; f < features + FEATURES; f++) {
        fputs(f->what, file);
        for (const char *const *word = f->words; *word; word++)
            fprintf(file, "%s%s", word == f->words ? " (" : ", ", *word);
        fprintf(file, "%s: %s\n", *f->words ? ")" : "", f->instead);
    }
}
