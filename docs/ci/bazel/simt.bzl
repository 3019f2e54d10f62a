# SPDX-License-Identifier: BSD-2-Clause
#
# Bazel rules: programs of CUDA sources that run on the simt machine. Copy this file into the project; docs/CI.md says how to use it.
# simtcc is the one on PATH, which --action_env=PATH hands to actions. Both rules have
#
#   srcs       sources, .cu or others that simtcc passes on to the host compiler
#   hdrs       headers that these include, by paths from the root of the workspace
#   copts      more words for simtcc; $(location) is not expanded
#
# simt_binary makes a program; simt_test also runs it under `schedules` schedules and is red if one has a finding. A missing
# source and a source that does not compile are Bazel's own errors.

def _impl(ctx):
    program = ctx.actions.declare_file(ctx.label.name)
    words = ctx.actions.args()
    words.add_all(ctx.attr.copts)
    words.add_all(["-I.", "-o", program])
    words.add_all(ctx.files.srcs)
    ctx.actions.run_shell(
        command = 'exec simtcc "$@"',
        arguments = [words],
        inputs = ctx.files.srcs + ctx.files.hdrs,
        outputs = [program],
        mnemonic = "Simtcc",
        progress_message = "Compiling {} with simtcc".format(ctx.label),
        use_default_shell_env = True,
    )
    result = [DefaultInfo(executable = program)]
    if hasattr(ctx.attr, "schedules"):
        result.append(testing.TestEnvironment({"SIMT_OPTIONS": "schedules=%d" % ctx.attr.schedules}))
    return result

_attributes = {
    "srcs": attr.label_list(allow_files = True, mandatory = True, allow_empty = False),
    "hdrs": attr.label_list(allow_files = True),
    "copts": attr.string_list(),
}

simt_binary = rule(implementation = _impl, executable = True, attrs = _attributes)
simt_test = rule(implementation = _impl, test = True, attrs = dict(_attributes, schedules = attr.int(default = 5)))
