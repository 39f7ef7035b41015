/** Sample modules, and invariants of every module. */
import { expect } from 'vitest';
import { unknownLocation } from '@sconv/diagnostics';
import { anyType, defineOp, edit, i32, one, variadic, walk } from '../src/index.ts';
import type { Module, Operation, Rewriter } from '../src/index.ts';
import { registry } from './test-dialect.ts';

const func = defineOp({ name: 'func.func', summary: 'A function.', regions: ['body'] });
export const source = defineOp({
  name: 'test.source',
  summary: 'A value.',
  results: { result: one(anyType) },
});
export const use = defineOp({
  name: 'test.use',
  summary: 'Uses values, gives one.',
  operands: { inputs: variadic(anyType) },
  results: { result: one(anyType) },
});
const loop = defineOp({ name: 'test.loop', summary: 'A region.', regions: ['body'] });

const empty: Module = {
  root: {
    id: 0,
    name: 'builtin.module',
    operands: [],
    results: [],
    attributes: {},
    regions: [{ blocks: [{ id: 1, arguments: [], operations: [] }] }],
    successors: [],
    location: unknownLocation,
  },
  nextId: 2,
};

/** A module of `functions` functions, each with a source, a loop with a use of it, and a use after. */
export const sample = (functions = 1): Module =>
  edit(empty, { registry }, (r) => {
    for (let i = 0; i < functions; i += 1) {
      r.setInsertionPointToEnd(r.root.regions[0]!.blocks[0]!);
      r.create(
        func.state({
          bodies: [
            {
              build: (b: Rewriter) => {
                const value = b.createValue(source.state({ resultTypes: [i32] }));
                b.create(
                  loop.state({
                    bodies: [
                      {
                        build: (inner: Rewriter) =>
                          void inner.create(
                            use.state({ operands: { inputs: [value, value] }, resultTypes: [i32] }),
                          ),
                      },
                    ],
                  }),
                );
                b.create(use.state({ operands: { inputs: [value] }, resultTypes: [i32] }));
              },
            },
          ],
        }),
      );
    }
  }).module;

export const named = (module: Module, name: string): Operation[] =>
  [...walk(module.root)].filter((op) => op.name === name);

/** Every operand is defined in the module, ids are unique and below `nextId`, everything is frozen. */
export const checkInvariants = (module: Module): void => {
  const ids = new Set<number>();
  const defined = new Set<number>();
  const fresh = (id: number) => {
    expect(ids.has(id)).toBe(false);
    expect(id).toBeLessThan(module.nextId);
    ids.add(id);
  };
  for (const op of walk(module.root)) {
    fresh(op.id);
    expect(Object.isFrozen(op) || op === empty.root).toBe(true);
    for (const value of op.results) {
      fresh(value.id);
      defined.add(value.id);
    }
    for (const block of op.regions.flatMap((region) => region.blocks)) {
      fresh(block.id);
      for (const argument of block.arguments) defined.add(argument.id);
    }
  }
  for (const op of walk(module.root))
    for (const operand of op.operands) expect(defined.has(operand.id)).toBe(true);
};
