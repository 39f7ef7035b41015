import { unknownLocation } from '@sconv/diagnostics';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Block, Operation } from '../src/index.ts';
import { Structure } from '../src/dominance.ts';

const operation = (id: number, fields: Partial<Operation>): Operation => ({
  ...{ id, name: 't.op', operands: [], results: [], attributes: {}, regions: [], successors: [] },
  location: unknownLocation,
  ...fields,
});

/** A region of blocks that branch to these positions; block `i` has the id `100 + i`. */
const graph = (edges: readonly (readonly number[])[]) => {
  const blocks: readonly Block[] = edges.map((targets, i) => ({
    id: 100 + i,
    arguments: [],
    operations: [operation(200 + i, { successors: targets.map((target) => 100 + target) })],
  }));
  return { blocks, structure: new Structure(operation(0, { regions: [{ blocks }] })) };
};

/** The blocks reachable from the first without passing through `without`. */
const reached = (edges: readonly (readonly number[])[], without?: number): ReadonlySet<number> => {
  const seen = new Set<number>();
  const visit = (block: number): void => {
    if (block === without || seen.has(block)) return;
    seen.add(block);
    for (const target of edges[block]!) visit(target);
  };
  visit(0);
  return seen;
};

const graphs = fc.integer({ min: 1, max: 7 }).chain((size) =>
  fc.array(fc.array(fc.integer({ min: 0, max: size - 1 }), { maxLength: 3 }), {
    minLength: size,
    maxLength: size,
  }),
);

it('a block dominates another if no path to that goes around it; what is not reached is dominated by all', () => {
  fc.assert(
    fc.property(graphs, (edges) => {
      const { blocks, structure } = graph(edges);
      const all = reached(edges);
      for (const [i, block] of blocks.entries()) {
        expect(structure.isReachable(block)).toBe(all.has(i));
        for (const [k, dominator] of blocks.entries())
          expect(structure.dominates(dominator, block)).toBe(!reached(edges, k).has(i));
      }
    }),
    { numRuns: 1000 },
  );
});

it('blocks of other regions dominate nothing', () => {
  const { blocks, structure } = graph([[]]);
  const stranger: Block = { id: 7, arguments: [], operations: [] };
  expect(structure.dominates(stranger, blocks[0]!)).toBe(false);
  expect(structure.dominates(blocks[0]!, stranger)).toBe(false);
  expect(structure.isReachable(stranger)).toBe(true);
});
