/** The cheapest layouts of a network, beside all choices tried. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LayoutEdge, LayoutGraph } from '../src/index.ts';
import { chooseLayouts } from '../src/index.ts';

const costOf = ({ layers, edges }: LayoutGraph, choices: readonly number[]): number =>
  layers.reduce((sum, own, i) => sum + own[choices[i]!]!, 0) +
  edges.reduce((sum, { from, to, costs }) => sum + costs[choices[from]!]![choices[to]!]!, 0);

/** The least cost of all choices. */
const bruteForce = (graph: LayoutGraph, choices: readonly number[] = []): number => {
  const own = graph.layers[choices.length];
  if (own === undefined) return costOf(graph, choices);
  return Math.min(...own.map((_, choice) => bruteForce(graph, [...choices, choice])));
};

const cost = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 20 }) }, fc.constant(Infinity));

/** Networks of 1 to 8 layers of 1 to 3 choices, with the edges of a mask over all pairs. */
const graphs = (mayJoin: (from: number, to: number) => boolean): fc.Arbitrary<LayoutGraph> =>
  fc
    .array(fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 8,
    })
    .chain((layers) => {
      const pairs = layers.flatMap((_, to) =>
        layers.flatMap((_, from) => (from < to && mayJoin(from, to) ? [{ from, to }] : [])),
      );
      const edge = ({ from, to }: { from: number; to: number }): fc.Arbitrary<LayoutEdge> => {
        const columns = layers[to]!.length;
        const row = fc.array(cost, { minLength: columns, maxLength: columns });
        const rows = layers[from]!.length;
        return fc.array(row, { minLength: rows, maxLength: rows }).map((costs) => ({ from, to, costs }));
      };
      return fc
        .subarray(pairs)
        .chain((some) => fc.tuple(...some.map(edge)).map((edges): LayoutGraph => ({ layers, edges })));
    });

it.each([
  ['chains', (from: number, to: number) => to === from + 1],
  ['trees', (from: number, to: number) => from === to >> 1],
  ['networks with branches', () => true],
])('are the cheapest of %s', (_, mayJoin) => {
  fc.assert(
    fc.property(graphs(mayJoin), (graph) => {
      const found = chooseLayouts(graph);
      expect(found.cost).toBe(bruteForce(graph));
      expect(found.isOptimal).toBe(true);
      if (found.cost < Infinity) expect(costOf(graph, found.choices)).toBe(found.cost);
    }),
    { numRuns: 300 },
  );
});

/** A repacking between different layouts costs 3. */
const repacking = [
  [0, 3],
  [3, 0],
];
const edge = (from: number, to: number): LayoutEdge => ({ from, to, costs: repacking });

describe('layouts', () => {
  it.each<[string, LayoutGraph, readonly number[], number]>([
    ['of one layer', { layers: [[5, 4]], edges: [] }, [1], 4],
    [
      'that a greedy choice would change twice',
      {
        layers: [
          [5, 9],
          [5, 4],
          [5, 9],
        ],
        edges: [edge(0, 1), edge(1, 2)],
      },
      [0, 0, 0],
      15,
    ],
    [
      'that are worth two repackings',
      {
        layers: [
          [5, 99],
          [50, 4],
          [5, 99],
        ],
        edges: [edge(0, 1), edge(1, 2)],
      },
      [0, 1, 0],
      20,
    ],
    [
      'of two branches',
      {
        layers: [
          [5, 4],
          [1, 2],
          [1, 2],
          [9, 1],
        ],
        edges: [edge(0, 1), edge(0, 2), edge(1, 3), edge(2, 3)],
      },
      [1, 1, 1, 1],
      9,
    ],
    [
      'of an edge from a layer to itself',
      {
        layers: [[1, 2]],
        edges: [
          {
            from: 0,
            to: 0,
            costs: [
              [5, 0],
              [0, 0],
            ],
          },
        ],
      },
      [1],
      2,
    ],
  ])('%s', (_, graph, choices, total) => {
    expect(chooseLayouts(graph)).toEqual({ choices, cost: total, isOptimal: true });
  });

  it('of a long network take no search', () => {
    const layers = Array.from({ length: 2000 }, (_, i) => [i % 3, i % 2]);
    const edges = layers.slice(1).map((_, i) => edge(i, i + 1));
    expect(chooseLayouts({ layers, edges }, { branches: 0 }).isOptimal).toBe(true);
  });

  /** Four layers, of which each is beside each other, where choosing one after the other costs 18, and the best 12. */
  const misleading = (costs: LayoutEdge['costs']): LayoutGraph => {
    const layers = Array.from({ length: 4 }, (_, i) => [i === 0 ? 0 : 9, 3, 9]);
    const edges = layers.flatMap((_, to) => layers.slice(0, to).map((_, from) => ({ from, to, costs })));
    return { layers, edges };
  };
  const fitting = misleading([
    [0, 3, Infinity],
    [3, 0, Infinity],
    [Infinity, Infinity, 0],
  ]);

  it.each([0, 1])('are complete and fit where a limit of %i cuts the search off', (branches) => {
    const found = chooseLayouts(fitting, { branches });
    expect(found.cost).toBeLessThanOrEqual(18);
    expect(found.cost).toBe(costOf(fitting, found.choices));
  });

  it('are not known to be the cheapest at the limit of the search', () => {
    expect(chooseLayouts(fitting, { branches: 0 })).toMatchObject({ cost: 18, isOptimal: false });
    expect(chooseLayouts(fitting)).toMatchObject({ cost: 12, isOptimal: true });
  });
});
