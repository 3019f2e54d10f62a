// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Conditional nodes: a while that halves a number until it is 1, with an if for odd ones in its body; then a switch by the number of
// steps. It is the sequence of Collatz.
struct state {
    int number, steps, odd, chosen;
};

__global__ void step(state *s, cudaGraphConditionalHandle odd)
{
    s->steps++;
    cudaGraphSetConditional(odd, s->number % 2);
}

__global__ void triple(state *s)
{
    s->odd++;
    s->number = 3 * s->number + 1;
}

__global__ void halve(state *s, cudaGraphConditionalHandle again)
{
    if (s->number % 2 == 0)
        s->number /= 2;
    cudaGraphSetConditional(again, s->number != 1);
}

__global__ void choose(const state *s, cudaGraphConditionalHandle which)
{
    cudaGraphSetConditional(which, (unsigned)s->odd);
}

__global__ void chosen(state *s, int value)
{
    s->chosen = value;
}

static cudaGraphNode_t add(cudaGraph_t graph, cudaGraphNode_t after, void *function, void **arguments)
{
    cudaKernelNodeParams p = {function, 1, 1, 0, arguments, nullptr};
    cudaGraphNode_t node;

    cudaGraphAddKernelNode(&node, graph, &after, after ? 1 : 0, &p);
    return node;
}

static cudaGraphNode_t add(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphConditionalHandle handle,
                           cudaGraphConditionalNodeType type, unsigned size, cudaGraph_t **bodies)
{
    cudaGraphNodeParams p = {};
    cudaGraphNode_t node;

    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = handle;
    p.conditional.type = type;
    p.conditional.size = size;
    cudaGraphAddNode(&node, graph, &after, nullptr, after ? 1 : 0, &p);
    *bodies = p.conditional.phGraph_out;
    return node;
}

int main()
{
    state *s, host = {6, 0, 0, 0};
    cudaGraph_t graph, *loop, *branch, *cases;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle again, odd, which;
    int values[] = {10, 20, 30};

    cudaMalloc(&s, sizeof *s);
    cudaMemcpy(s, &host, sizeof host, cudaMemcpyHostToDevice);
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault);
    cudaGraphConditionalHandleCreate(&odd, graph);
    cudaGraphConditionalHandleCreate(&which, graph);
    void *step_arguments[] = {&s, &odd}, *halve_arguments[] = {&s, &again}, *choose_arguments[] = {&s, &which};

    cudaGraphNode_t whole = add(graph, nullptr, again, cudaGraphCondTypeWhile, 1, &loop);
    cudaGraphNode_t begin = add(*loop, nullptr, (void *)step, step_arguments);
    cudaGraphNode_t if_odd = add(*loop, begin, odd, cudaGraphCondTypeIf, 1, &branch);
    add(*branch, nullptr, (void *)triple, step_arguments);
    add(*loop, if_odd, (void *)halve, halve_arguments);
    cudaGraphNode_t decide = add(graph, whole, (void *)choose, choose_arguments);
    add(graph, decide, which, cudaGraphCondTypeSwitch, 3, &cases);
    if (!cases)
        return 1;
    for (int i = 0; i < 3; i++) {
        void *arguments[] = {&s, &values[i]};

        add(cases[i], nullptr, (void *)chosen, arguments);
    }
    if (cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess || cudaGraphLaunch(exec, 0) != cudaSuccess)
        return 1;
    cudaMemcpy(&host, s, sizeof host, cudaMemcpyDeviceToHost);
    return host.number != 1 || host.steps != 6 || host.odd != 2 || host.chosen != 30;
}
