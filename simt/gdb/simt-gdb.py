# SPDX-License-Identifier: BSD-2-Clause
#
# For gdb, in a program of simtcc. A program that was compiled with -g names this file, and gdb loads it by itself after
# add-auto-load-safe-path DIR, as it says itself; otherwise: gdb -x simt-gdb.py PROGRAM
#
#   $threadIdx $blockIdx $blockDim $gridDim     of the running thread, also in conditions: break scan.cu:12 if $threadIdx.x == 3
#   info simt threads          the threads of the kernel that runs: block, thread, what it does, where
#   simt thread B T            switches to one: numbers of the block and of the thread in it, as 3 or 3,0,0. Frames and variables
#                              are then those of that thread, until `simt thread`, or the program goes on
#   simt backtrace B T         the stack of one
#
# The variables are also the program's own, threadIdx and so on. Compile with -g -O0 to see all variables. On x86-64; outside a
# kernel, or in a program of another compiler, the commands say so.

import gdb

HEADERS = ('/simt/include/', '/simt/runtime/')
INDICES = ('threadIdx', 'blockIdx', 'blockDim', 'gridDim')
# What lets the program go on: each gives the running thread its registers back first.
RESUMING = ('advance', 'continue', 'finish', 'jump', 'next', 'nexti', 'signal', 'step', 'stepi', 'until', 'kill', 'detach', 'call')


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


saved = None  # registers and indices of the running thread, while another one is shown


def put(registers):
    for name, value in registers:
        gdb.execute('set var $%s = %d' % (name, value), to_string=True)


def show(warp, thread):
    """Frames are those of the thread from now on."""
    global saved
    back()
    if thread == gdb.parse_and_eval('simt_current'):
        return
    gdb.newest_frame().select()
    context = thread['context']
    indices = [(name, triple(gdb.parse_and_eval(name))) for name in INDICES[:2]]
    saved = [(name, int(gdb.parse_and_eval('(unsigned long)$' + name))) for name in ('rsp', 'rbp', 'rip')], indices
    put((name, int(context[member])) for name, member in (('rsp', 'stack'), ('rbp', 'frame'), ('rip', 'resume')))
    name_thread([(INDICES[0], triple(thread['index'])), (INDICES[1], triple(warp['block']['index']))])


def name_thread(indices):
    for name, value in indices:
        for axis, number in zip('xyz', value):
            gdb.execute('set var %s.%s = %d' % (name, axis, number), to_string=True)


def back():
    """To the running thread."""
    global saved
    if saved:
        registers, indices = saved
        saved = None
        gdb.newest_frame().select()
        put(registers)
        name_thread(indices)


def place():
    """FILE:LINE of the innermost frame that is the program's own."""
    frame = gdb.newest_frame()
    while frame:
        line = frame.find_sal()
        if line.symtab and not any(part in line.symtab.fullname() for part in HEADERS):
            return '%s:%d' % (line.symtab.filename, line.line)
        frame = frame.older()
    return 'has not begun'


def find(argument, usage):
    try:
        wanted = [tuple((list(map(int, word.split(','))) + [0, 0])[:3]) for word in argument.split()]
    except ValueError:
        wanted = []
    if len(wanted) != 2:
        raise gdb.GdbError(usage)
    for warp, _, thread in threads():
        if wanted == [triple(warp['block']['index']), triple(thread['index'])]:
            return warp, thread
    raise gdb.GdbError('no such thread is alive and resident')


class InfoSimt(gdb.Command):
    """Threads of the simt machine."""

    def __init__(self):
        super().__init__('info simt', gdb.COMMAND_STATUS, prefix=True)


class InfoThreads(gdb.Command):
    """The threads of the kernel that runs: block, thread, what each does, and where."""

    def __init__(self):
        super().__init__('info simt threads', gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        back()
        for warp, lane, thread in threads():
            show(warp, thread)
            where = place()
            back()
            print('block (%d,%d,%d) thread (%d,%d,%d): %s, %s'
                  % (triple(warp['block']['index']) + triple(thread['index']) + (does(warp, lane, thread), where)))


class Simt(gdb.Command):
    """Commands of the simt machine."""

    def __init__(self):
        super().__init__('simt', gdb.COMMAND_STACK, prefix=True)


class Thread(gdb.Command):
    """simt thread B T: switches to thread T of block B; each is x or x,y,z. simt thread: back to the running thread."""

    def __init__(self):
        super().__init__('simt thread', gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        back()
        if argument:
            show(*find(argument, self.__doc__))
            print('%s; the program goes on with its own thread' % place())


class Backtrace(gdb.Command):
    """simt backtrace B T: the stack of thread T of block B; each is x or x,y,z."""

    def __init__(self):
        super().__init__('simt backtrace', gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        back()
        show(*find(argument, self.__doc__))
        try:
            gdb.execute('backtrace')
        finally:
            back()


def name_variables(event=None):
    """A reference reads the variable whenever it is used, so conditions see the thread that runs then."""
    try:
        for name in INDICES:
            gdb.set_convenience_variable(name, gdb.parse_and_eval(name).reference_value())
    except gdb.error:
        pass  # no program of simtcc


class AtLaunch(gdb.Breakpoint):
    """Variables of a thread of the host have a place once it runs: they are named when it launches a kernel."""

    def __init__(self):
        super().__init__('simt_launch', internal=True)
        self.silent = True

    def stop(self):
        name_variables()
        return False


def promise_variables():
    """So that a condition of theirs is understood before the program runs."""
    try:
        for name in INDICES:
            kind = gdb.lookup_global_symbol(name).type.unqualified()
            gdb.set_convenience_variable(name, gdb.Value(bytes(kind.sizeof), kind))
    except (AttributeError, gdb.error):
        pass  # no program of simtcc


InfoSimt()
InfoThreads()
Simt()
Thread()
Backtrace()
for command in RESUMING:
    gdb.execute('define hook-%s\nsimt thread\nend' % command)
gdb.events.stop.connect(name_variables)
promise_variables()
AtLaunch()
