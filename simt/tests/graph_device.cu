// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A scheduler that stays on the device: a graph whose kernel takes one item of a queue after the other. For each it launches two graphs
// beside itself, of a fill, a copy and kernels, then by tail one that adds up what both have made, and by tail itself. The last time it launches a
// graph as its sibling. The host launches once.
enum { ITEMS = 5, SIZE = 64 };

struct state {
    int next, item, items[ITEMS], left[SIZE], right[SIZE], copy[SIZE], sums[ITEMS], wrong, end;
};

struct graphs {
    cudaGraphExec_t left, right, sum, end;
};

__global__ void end_all(int *end)
{
    *end = 1;
}

__global__ void schedule(state *s, graphs g)
{
    if (s->next == ITEMS) {
        s->wrong += cudaGraphLaunch(g.end, cudaStreamGraphFireAndForgetAsSibling) != cudaSuccess;
        return;
    }
    s->item = s->items[s->next];
    s->wrong += cudaGraphLaunch(g.left, cudaStreamGraphFireAndForget) != cudaSuccess;
    s->wrong += cudaGraphLaunch(g.right, cudaStreamGraphFireAndForget) != cudaSuccess;
    cudaGraphExec_t again = cudaGetCurrentGraphExec();
    if (cudaGraphLaunch(g.sum, cudaStreamGraphTailLaunch) == cudaSuccess)
        cudaGraphLaunch(again, cudaStreamGraphTailLaunch);
}

__global__ void work_left(state *s)
{
    s->left[threadIdx.x] += s->item + (int)threadIdx.x;
}

__global__ void work_right(const state *s, int *right)
{
    right[threadIdx.x] = s->item * (int)threadIdx.x;
}

__global__ void add_up(state *s)
{
    int sum = 0;

    for (int i = 0; i < SIZE; i++)
        sum += s->left[i] + s->copy[i];
    s->sums[s->next] = sum;
    s->next++;
}

template <typename... Arguments>
static cudaGraphNode_t add(cudaGraph_t graph, cudaGraphNode_t after, void *function, int threads, Arguments... values)
{
    void *arguments[] = {&values...};
    cudaKernelNodeParams p = {function, 1, dim3((unsigned)threads), 0, arguments, nullptr};
    cudaGraphNode_t node;

    cudaGraphAddKernelNode(&node, graph, &after, after ? 1 : 0, &p);
    return node;
}

static cudaGraphExec_t make(cudaGraph_t graph)
{
    cudaGraphExec_t exec = nullptr;

    if (cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch) != cudaSuccess)
        return nullptr;
    cudaGraphUpload(exec, nullptr);
    return exec;
}

int main()
{
    state *s, host = {};
    cudaGraph_t graph[5];
    cudaMemsetParams zero = {};
    cudaGraphNode_t node;
    graphs g;
    int wrong = 0;

    for (int i = 0; i < ITEMS; i++)
        host.items[i] = i * i + 1;
    cudaMalloc(&s, sizeof *s);
    cudaMemcpy(s, &host, sizeof host, cudaMemcpyHostToDevice);
    for (int i = 0; i < 5; i++)
        cudaGraphCreate(&graph[i], 0);
    zero.dst = s->left;
    zero.elementSize = sizeof(int);
    zero.width = SIZE;
    zero.height = 1;
    cudaGraphAddMemsetNode(&node, graph[0], nullptr, 0, &zero);
    add(graph[0], node, (void *)work_left, SIZE, s);
    node = add(graph[1], nullptr, (void *)work_right, SIZE, s, s->right + 0);
    cudaGraphAddMemcpyNode1D(&node, graph[1], &node, 1, s->copy, s->right, sizeof s->copy, cudaMemcpyDeviceToDevice);
    add(graph[2], nullptr, (void *)add_up, 1, s);
    add(graph[3], nullptr, (void *)end_all, 1, &s->end);
    g = {make(graph[0]), make(graph[1]), make(graph[2]), make(graph[3])};
    add(graph[4], nullptr, (void *)schedule, 1, s, g);
    cudaGraphExec_t scheduler = make(graph[4]);
    cudaDeviceSynchronize();
    if (!g.left || !g.right || !g.sum || !g.end || !scheduler || cudaGraphLaunch(scheduler, 0) != cudaSuccess)
        return 1;
    cudaMemcpy(&host, s, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < ITEMS; i++)
        wrong += host.sums[i] != SIZE * (SIZE - 1) / 2 * (host.items[i] + 1) + SIZE * host.items[i];
    return wrong || host.wrong || host.next != ITEMS || host.end != 1 || cudaGetLastError() != cudaSuccess;
}
