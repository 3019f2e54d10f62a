# SPDX-License-Identifier: BSD-2-Clause
#
# For gdb, in a program of simtcc: gdb -x simt-gdb.py PROGRAM
#
#   info simt threads          the threads of the kernel that runs: block, thread, what it does, where
#   simt backtrace B T         the stack of one: numbers of the block and of the thread in it, as 3 or 3,0,0
#
# A breakpoint needs nothing of this file: threadIdx, blockIdx, blockDim and gridDim are variables of the program
# (break scan.cu:12 if threadIdx.x == 3 && blockIdx.x == 1). Compile with -g -O0 to see all variables. On x86-64; outside a
# kernel, or in a program of another compiler, the commands say so.

import gdb

HEADERS = ('/simt/include/', '/simt/runtime/')


def threads():
    """Each live thread of the launch, as (warp, lane, thread)."""
    try:
        warps = gdb.parse_and_eval('simt_worker->warps')
        current = gdb.parse_and_eval('simt_current')
    except gdb.error as error:
        raise gdb.GdbError('this is no program of simtcc, or it does not run: %s' % error)
    if not current:
        raise gdb.GdbError('no thread of a kernel runs here')
    for number in range(warps.type.range()[1] + 1):
        warp = warps[number]
        if not warp['block']:
            continue
        alive = int(warp['exists']) & ~int(warp['exited'])
        for lane in range(32):
            if alive >> lane & 1:
                yield warp, lane, (warp['threads'] + lane)


def triple(value):
    return tuple(int(value[name]) for name in 'xyz')


def does(warp, lane, thread):
    bit = 1 << lane
    if thread == gdb.parse_and_eval('simt_current'):
        return 'runs'
    if int(warp['at_barrier']) & bit:
        return 'waits at a barrier of its block'
    if int(warp['at_grid']) & bit:
        return 'waits at the barrier of the grid'
    return 'can run' if int(warp['ready']) & bit else 'waits for its warp'


class stack_of:
    """Within it, the frames are those of the thread: its registers are set, and set back."""

    def __init__(self, thread):
        self.thread = thread

    def __enter__(self):
        self.saved = None
        if self.thread == gdb.parse_and_eval('simt_current'):
            return
        gdb.newest_frame().select()
        self.saved = [(name, int(gdb.parse_and_eval('(unsigned long)$' + name))) for name in ('rsp', 'rbp', 'rip')]
        context = self.thread['context']
        for name, member in (('rsp', 'stack'), ('rbp', 'frame'), ('rip', 'resume')):
            gdb.execute('set var $%s = %d' % (name, int(context[member])), to_string=True)

    def __exit__(self, *unused):
        for name, value in self.saved or ():
            gdb.execute('set var $%s = %d' % (name, value), to_string=True)


def place():
    """FILE:LINE of the innermost frame that is the program's own."""
    frame = gdb.newest_frame()
    while frame:
        line = frame.find_sal()
        if line.symtab and not any(part in line.symtab.fullname() for part in HEADERS):
            return '%s:%d' % (line.symtab.filename, line.line)
        frame = frame.older()
    return 'has not begun'


class InfoSimt(gdb.Command):
    """Threads of the simt machine."""

    def __init__(self):
        super().__init__('info simt', gdb.COMMAND_STATUS, prefix=True)


class InfoThreads(gdb.Command):
    """The threads of the kernel that runs: block, thread, what each does, and where."""

    def __init__(self):
        super().__init__('info simt threads', gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        for warp, lane, thread in threads():
            with stack_of(thread):
                where = place()
            print('block (%d,%d,%d) thread (%d,%d,%d): %s, %s'
                  % (triple(warp['block']['index']) + triple(thread['index']) + (does(warp, lane, thread), where)))


class Simt(gdb.Command):
    """Commands of the simt machine."""

    def __init__(self):
        super().__init__('simt', gdb.COMMAND_STACK, prefix=True)


class Backtrace(gdb.Command):
    """simt backtrace B T: the stack of thread T of block B; each is x or x,y,z."""

    def __init__(self):
        super().__init__('simt backtrace', gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        try:
            wanted = [tuple((list(map(int, word.split(','))) + [0, 0])[:3]) for word in argument.split()]
        except ValueError:
            wanted = []
        if len(wanted) != 2:
            raise gdb.GdbError(self.__doc__)
        for warp, _, thread in threads():
            if wanted == [triple(warp['block']['index']), triple(thread['index'])]:
                with stack_of(thread):
                    gdb.execute('backtrace')
                return
        raise gdb.GdbError('no such thread is alive and resident')


InfoSimt()
InfoThreads()
Simt()
Backtrace()
