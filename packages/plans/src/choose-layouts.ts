/**
 * Chooses how each layer of a network is computed, and so its layouts, where two choices that do not fit cost a
 * repacking: a partitioned boolean quadratic problem (PBQP), solved to its optimum. Layers with up to two neighbours
 * are eliminated without loss: all of a chain, a tree or a series-parallel graph. What is left is searched by branch
 * and bound.
 *
 * Scholz and Eckstein, "Register allocation for irregular architectures", LCTES 2002 (reductions R0, RI, RII); Anderson
 * and Gregg, "Optimal DNN primitive selection with partitioned boolean quadratic programming", CGO 2018.
 *
 * @deviation No reduction RN, a heuristic: branch and bound takes its place.
 */
import { expectList, expectRecord } from './errors.ts';

/** Two layers, one of which reads what the other writes. */
export interface LayoutEdge {
  readonly from: number;
  readonly to: number;
  /** `costs[i][j]`: of repacking between choice `i` of `from` and choice `j` of `to`; `Infinity` if impossible. */
  readonly costs: readonly (readonly number[])[];
}

/** A network, and what its layers and the repackings between them cost, in one unit: seconds, say. */
export interface LayoutGraph {
  /** By layer, by choice: its cost; `Infinity` if impossible. Each layer has at least one choice. */
  readonly layers: readonly (readonly number[])[];
  readonly edges: readonly LayoutEdge[];
}

/** Limits of the search. */
export interface LayoutLimits {
  /** The most branches that are tried; 100,000 by default. Chains, trees and series-parallel graphs take one. */
  readonly branches?: number;
}

/** The cheapest choices. */
export interface LayoutChoice {
  /** By layer: the position of its choice. */
  readonly choices: readonly number[];
  /** Of all layers and repackings; `Infinity` if no choices fit. */
  readonly cost: number;
  /** Whether no other choices are cheaper: false if the search was cut off by its limit. */
  readonly isOptimal: boolean;
}

/** By choice of one layer, then by that of another. */
type Costs = readonly (readonly number[])[];

/** A problem in the making: eliminated layers have no costs, edges are stored from either end. */
interface Problem {
  readonly costs: Map<number, readonly number[]>;
  /** By layer, by neighbour: the costs by own choice, then by the neighbour's. */
  readonly edges: Map<number, Map<number, Costs>>;
}

/** Sets the choice of an eliminated layer from those of its neighbours. */
type Completion = (choices: number[]) => void;

const transposed = (costs: Costs): Costs => costs[0]!.map((_, j) => costs.map((row) => row[j]!));

/** The position of the least of a list, the first of equals. */
const leastOf = (list: readonly number[]): number =>
  list.reduce((best, each, i) => (each < list[best]! ? i : best), 0);

const addEdge = ({ edges }: Problem, a: number, b: number, costs: Costs): void => {
  const known = edges.get(a)!.get(b);
  const sum = known?.map((row, i) => row.map((each, j) => each + costs[i]![j]!)) ?? costs;
  edges.get(a)!.set(b, sum);
  edges.get(b)!.set(a, transposed(sum));
};

const addCosts = ({ costs }: Problem, layer: number, added: readonly number[]): void => {
  costs.set(
    layer,
    costs.get(layer)!.map((each, i) => each + added[i]!),
  );
};

const remove = ({ costs, edges }: Problem, layer: number): void => {
  for (const neighbour of edges.get(layer)!.keys()) edges.get(neighbour)!.delete(layer);
  edges.delete(layer);
  costs.delete(layer);
};

const copied = ({ costs, edges }: Problem): Problem => ({
  costs: new Map(costs),
  edges: new Map([...edges].map(([layer, own]) => [layer, new Map(own)])),
});

/** Eliminates a layer of at most two neighbours (R0, RI, RII): its best choice by theirs becomes a cost of theirs. */
const eliminate = (problem: Problem, layer: number): Completion => {
  const own = problem.costs.get(layer)!;
  const [first, second] = [...problem.edges.get(layer)!];
  /** By own choice, for choices of the neighbours. */
  const costsFor = (i = 0, j = 0): readonly number[] =>
    own.map((each, k) => each + (first?.[1][k]![i] ?? 0) + (second?.[1][k]![j] ?? 0));
  remove(problem, layer);
  if (first !== undefined) {
    const [neighbour, costs] = first;
    const best = costs[0]!.map((_, i) => (second?.[1][0] ?? [0]).map((_, j) => Math.min(...costsFor(i, j))));
    if (second === undefined) {
      addCosts(
        problem,
        neighbour,
        best.map(([each]) => each!),
      );
    } else addEdge(problem, neighbour, second[0], best);
  }
  return (choices) => {
    choices[layer] = leastOf(costsFor(choices[first?.[0] ?? layer], choices[second?.[0] ?? layer]));
  };
};

/** No choices cost less: the least costs of layers and edges, each by itself. */
const boundOf = ({ costs, edges }: Problem): number => {
  let bound = 0;
  for (const own of costs.values()) bound += Math.min(...own);
  for (const [layer, own] of edges)
    for (const [neighbour, pairs] of own) if (layer < neighbour) bound += Math.min(...pairs.flat());
  return bound;
};

/** The problem with a layer's choice made: its repackings are costs of the neighbours. */
const withChoice = (problem: Problem, layer: number, choice: number): Problem => {
  const rest = copied(problem);
  for (const [neighbour, costs] of problem.edges.get(layer)!) addCosts(rest, neighbour, costs[choice]!);
  remove(rest, layer);
  return rest;
};

/** What choices cost in all. */
const costOfAll = ({ layers, edges }: LayoutGraph, choices: readonly number[]): number =>
  layers.reduce((sum, own, i) => sum + own[choices[i]!]!, 0) +
  edges.reduce((sum, { from, to, costs }) => sum + costs[choices[from]!]![choices[to]!]!, 0);

/** Choices layer by layer: of each the cheapest by itself and with the neighbours before it. */
const greedyChoices = ({ layers, edges }: LayoutGraph): readonly number[] => {
  const before = layers.map((): ((choices: readonly number[], own: number) => number)[] => []);
  for (const { from, to, costs } of edges)
    before[Math.max(from, to)]!.push((choices, own) =>
      from > to ? costs[own]![choices[to]!]! : costs[from === to ? own : choices[from]!]![own]!,
    );
  const choices: number[] = [];
  for (const [i, own] of layers.entries())
    choices.push(
      leastOf(own.map((cost, k) => before[i]!.reduce((sum, costOf) => sum + costOf(choices, k), cost))),
    );
  return choices;
};

/** The cheapest choices of layers and repackings, optimal unless the search meets its limit; a greedy one by then. */
export const chooseLayouts = (graph: LayoutGraph, limits: LayoutLimits = {}): LayoutChoice => {
  expectList('graph.layers', graph.layers);
  expectList('graph.edges', graph.edges);
  expectRecord('limits', limits);
  const { branches = 100_000 } = limits;
  const greedy = greedyChoices(graph);
  let best: LayoutChoice = { choices: greedy, cost: costOfAll(graph, greedy), isOptimal: true };
  let tried = 0;

  /** `cost` is that of choices made so far; `completions` set the choices of what has been eliminated. */
  const search = (problem: Problem, cost: number, completions: readonly Completion[]): void => {
    const done = [...completions];
    for (;;) {
      // Fewer neighbours first: eliminating them may leave others with few.
      const [next] = [...problem.edges]
        .filter(([, own]) => own.size <= 2)
        .sort(([, a], [, b]) => a.size - b.size);
      if (next === undefined) break;
      const [layer, own] = next;
      if (own.size === 0) cost += Math.min(...problem.costs.get(layer)!);
      done.push(eliminate(problem, layer));
    }
    if (cost + boundOf(problem) >= best.cost) return;
    const [core] = [...problem.edges].sort(([, a], [, b]) => b.size - a.size);
    if (core === undefined) {
      const choices = graph.layers.map(() => 0);
      for (const complete of done.toReversed()) complete(choices);
      best = { ...best, choices, cost };
      return;
    }
    const [layer] = core;
    const ways = problem.costs.get(layer)!.map((own, choice) => {
      const rest = withChoice(problem, layer, choice);
      return { choice, rest, cost: cost + own, bound: cost + own + boundOf(rest) };
    });
    for (const way of ways.sort((a, b) => a.bound - b.bound)) {
      if (way.bound >= best.cost) break;
      if (tried++ >= branches) {
        best = { ...best, isOptimal: false };
        return;
      }
      search(way.rest, way.cost, [...done, (choices) => (choices[layer] = way.choice)]);
    }
  };
  search(problemOf(graph), 0, []);
  return best;
};

const problemOf = ({ layers, edges }: LayoutGraph): Problem => {
  const problem: Problem = {
    costs: new Map(layers.map((own, i) => [i, own])),
    edges: new Map(layers.map((_, i) => [i, new Map<number, Costs>()])),
  };
  for (const { from, to, costs } of edges) {
    if (from !== to) addEdge(problem, from, to, costs);
    else
      addCosts(
        problem,
        from,
        costs.map((row, i) => row[i]!),
      );
  }
  return problem;
};
