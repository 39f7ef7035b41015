import fc from 'fast-check';
import { fileLocation } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import { edit, follow, i32, unitAttribute, verify, walk } from '../src/index.ts';
import type { DraftOperation, Module, Operation, RewriteListener, Rewriter, Value } from '../src/index.ts';
import { checkInvariants, named, sample, source, use } from './sample-module.ts';
import { parse, registry } from './test-dialect.ts';

const errorsIn = (module: Module) => verify(module, registry, { allowUnregisteredDialects: true });

describe('replaceOperation', () => {
  it('rewires uses, in nested regions too, and forwards to what defines the values', () => {
    const module = sample();
    const [old] = named(module, 'test.source');
    const {
      module: after,
      results,
      forward,
    } = edit(module, { registry }, (r) => {
      const target = r.find(old!);
      r.setInsertionPointBefore(target);
      const replacement = r.create(source.state({ resultTypes: [i32] }));
      r.replaceOperation(target, replacement.results);
      return replacement.id;
    });
    expect(follow(forward.operations, old!.id)).toEqual([results]);
    const value = named(after, 'test.source')[0]!.results[0]!;
    expect(follow(forward.values, old!.results[0]!.id)).toEqual([value.id]);
    expect(named(after, 'test.use').map((op) => op.operands.map((operand) => operand.id))).toEqual([
      [value.id, value.id],
      [value.id],
    ]);
    checkInvariants(after);
  });

  it('tells a listener, while the operation is still there', () => {
    const module = sample();
    const old = named(module, 'test.source')[0]!;
    const told: unknown[] = [];
    edit(module, { registry }, (r) => {
      const replacing: NonNullable<RewriteListener['replacing']> = (operation, values) => {
        const names = values.map((value) => r.definingOperation(value)!.name);
        told.push(operation.id, r.lookup(operation.id) === operation, names);
      };
      r.listening({ replacing }, () => r.replaceWith(r.find(old), source.state({ resultTypes: [i32] })));
    });
    expect(told).toEqual([old.id, true, ['test.source']]);
  });

  it.each([
    [undefined, 'in.mlir'],
    [fileLocation('other.mlir', 1, 2), 'other.mlir'],
  ])('stands where the state says, or where the old one stood: %j', (location, file) => {
    const module = parse('%a = "test.source"() : () -> i32');
    const { results } = edit(module, { registry }, (r) => {
      const old = r.walk(r.root)[1]!;
      return r.replaceWith(old, {
        ...source.state({ resultTypes: [i32] }),
        ...(location === undefined ? {} : { location }),
      }).location;
    });
    expect(results).toMatchObject({ file });
  });

  it('takes as many values as there are results', () => {
    const module = sample();
    expect(() =>
      edit(module, { registry }, (r) => r.replaceOperation(r.find(named(module, 'test.source')[0]!), [])),
    ).toThrow('test.source has 1 results, replaced by 0 values');
  });

  it('tells what stands for operations and values at each point', () => {
    const module = sample();
    const old = named(module, 'test.source')[0]!;
    edit(module, { registry }, (r) => {
      expect([r.standsFor(old), r.standsForValue(old.results[0]!)]).toEqual([[old.id], [old.results[0]!.id]]);
      const first = r.replaceWith(r.find(old), source.state({ resultTypes: [i32] }));
      const second = r.replaceWith(first, source.state({ resultTypes: [i32] }));
      expect([r.standsFor(old), r.standsForValue(old.results[0]!)]).toEqual([
        [second.id],
        [second.results[0]!.id],
      ]);
    });
  });

  it('follows chains of replacements made in one edit', () => {
    const module = sample();
    const old = named(module, 'test.source')[0]!;
    const { results, forward } = edit(module, { registry }, (r) => {
      const step = (target: DraftOperation) => r.replaceWith(target, source.state({ resultTypes: [i32] }));
      return step(step(r.find(old))).id;
    });
    expect(follow(forward.operations, old.id)).toEqual([results]);
  });
});

describe('setAttribute', () => {
  it('gives, replaces and takes away', () => {
    const module = sample();
    const [operation] = named(module, 'test.source');
    const names = (of: Module) => Object.keys(named(of, 'test.source')[0]!.attributes);
    const given = edit(module, { registry }, (r) => {
      r.setAttribute(r.find(operation!), 'a', unitAttribute);
      r.setAttribute(r.find(operation!), 'b', unitAttribute);
    }).module;
    expect(names(given)).toEqual(['a', 'b']);
    const taken = edit(given, { registry }, (r) => r.setAttribute(r.find(operation!), 'a', undefined));
    expect(names(taken.module)).toEqual(['b']);
    expect([...taken.forward.changed]).toEqual([operation!.id]);
  });
});

describe('eraseOperation', () => {
  it('refuses while a result is used', () => {
    const module = sample();
    expect(() =>
      edit(module, { registry }, (r) => r.eraseOperation(r.find(named(module, 'test.source')[0]!))),
    ).toThrow('test.source is erased while its result is used');
  });

  it('forwards everything below to nothing', () => {
    const module = sample();
    const target = named(module, 'test.loop')[0]!;
    const { forward } = edit(module, { registry }, (r) => r.eraseOperation(r.find(target)));
    for (const op of walk(target)) expect(follow(forward.operations, op.id)).toEqual([]);
  });
});

describe('clone', () => {
  it('copies regions with fresh ids and maps what is inside', () => {
    const module = sample();
    const after = edit(module, { registry }, (r) => {
      const target = r.find(named(module, 'func.func')[0]!);
      r.setInsertionPointAfter(target);
      r.clone(target);
    }).module;
    expect(named(after, 'func.func')).toHaveLength(2);
    checkInvariants(after);
  });

  it('replaces each operand once, also where the replacement has a copy', () => {
    const module = parse(
      `%a = "test.source"() : () -> i32
      %b = "test.source"() : () -> i32
      "test.regions"() ({
        "test.use"(%a) : (i32) -> ()
      }) : () -> ()`,
    );
    const { module: after, results } = edit(module, { registry }, (r) => {
      const [first, second, target] = r.root.regions[0]!.blocks[0]!.operations;
      r.setInsertionPointAfter(target!);
      const mapping = new Map([[first!.results[0]!.id, second!.results[0]!]]);
      r.clone(second!, mapping);
      return [second!.results[0]!.id, r.clone(target!, mapping).id] as const;
    });
    const [wanted, copy] = results;
    const used = [...walk(after.root)].find(({ id }) => id === copy)!.regions[0]!.blocks[0]!.operations[0]!;
    expect(used.operands.map(({ id }) => id)).toEqual([wanted]);
    checkInvariants(after);
  });

  it.each([
    ['an operation', (r: Rewriter, op: DraftOperation) => r.clone(op)],
    [
      'a region',
      (r: Rewriter, op: DraftOperation) => {
        const other = r.walk(r.root).find(({ name }) => name === 'test.other')!;
        r.cloneRegion(op.regions[0]!, other.regions[0]!);
      },
    ],
  ])('of %s uses its own values and blocks, in whatever order these stand', (_, copy) => {
    const module = parse(
      `"test.regions"() ({
        "test.branch"()[^bb2] : () -> ()
      ^bb1:
        "test.use"(%x) : (i32) -> ()
        "test.branch"()[^bb1] : () -> ()
      ^bb2:
        %x = "test.source"() : () -> i32
        "test.branch"()[^bb1] : () -> ()
      }) : () -> ()
      "test.other"() ({}) : () -> ()`,
    );
    const { module: after } = edit(module, { registry }, (r) => {
      const target = r.find(named(module, 'test.regions')[0]!);
      r.setInsertionPointAfter(target);
      copy(r, target);
    });
    const [own, ...others] = [...walk(after.root)].filter(
      ({ regions, name }) => name !== 'builtin.module' && (regions[0]?.blocks.length ?? 0) > 0,
    );
    const ids = others[0]!.regions[0]!.blocks.map(({ id }) => id);
    const inside = [...walk(others[0]!)];
    expect(inside.find(({ name }) => name === 'test.use')!.operands).toEqual(
      inside.find(({ name }) => name === 'test.source')!.results,
    );
    expect(inside.flatMap(({ successors }) => successors)).toEqual([ids[2], ids[1], ids[1]]);
    expect([...walk(own!)].find(({ name }) => name === 'test.use')!.operands).toEqual(
      [...walk(own!)].find(({ name }) => name === 'test.source')!.results,
    );
  });
});

describe('an operation that was erased', () => {
  it.each([
    ['operands', (r: Rewriter, op: DraftOperation, value: Value) => r.setOperands(op, [value])],
    ['an attribute', (r: Rewriter, op: DraftOperation) => r.setAttribute(op, 'a', unitAttribute)],
  ])('takes no %s, and leaves no trace of it', (_, change) => {
    const module = sample();
    edit(module, { registry }, (r) => {
      const [old] = named(module, 'test.source').map((op) => r.find(op));
      const user = r.find(named(module, 'test.use').at(-1)!);
      r.eraseOperation(user);
      const { operands } = user;
      expect(() => change(r, user, old!.results[0]!)).toThrow(
        `this 'test.use' is not in the module: it was erased`,
      );
      expect(user.operands).toBe(operands);
      expect(user.attributes['a']).toBeUndefined();
    });
  });
});

describe('random edits', () => {
  it('keep the invariants over a chain of modules', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(4), fc.nat(), fc.nat()), { maxLength: 25 }), (steps) => {
        let module = sample(2);
        for (const [kind, a, b] of steps) {
          module = edit(module, { registry }, (r) => {
            const all = r.walk(r.root).filter((op) => op.name.startsWith('test.'));
            const pick = all[a % all.length]!;
            const values = all
              .filter(
                (op) =>
                  op.block === pick.block &&
                  op.block!.operations.indexOf(op) < op.block!.operations.indexOf(pick),
              )
              .flatMap((op) => op.results);
            const value: Value | undefined = values[b % Math.max(1, values.length)];
            r.setInsertionPointBefore(pick);
            if (kind === 0) r.create(source.state({ resultTypes: [i32] }));
            if (kind === 1 && value !== undefined)
              r.create(use.state({ operands: { inputs: [value] }, resultTypes: [i32] }));
            if (kind === 2 && pick.name !== 'test.loop')
              r.replaceWith(pick, source.state({ resultTypes: [i32] }));
            if (kind === 3 && pick.results.every((result) => !r.hasUses(result)) && all.length > 3)
              r.eraseOperation(pick);
            if (kind === 4) r.clone(pick);
          }).module;
          checkInvariants(module);
        }
      }),
      { numRuns: 60 },
    );
  });
});

it('a copy of several blocks branches among its own', () => {
  const module = parse(`"t.loop"() ({
    "t.br"()[^b, ^c] : () -> ()
  ^b:
    "t.br"()[^c] : () -> ()
  ^c:
    "t.inner"() ({
      "t.br"()[^d] : () -> ()
    ^d:
      "t.end"() : () -> ()
    }) : () -> ()
    "t.end"() : () -> ()
  }) : () -> ()`);
  const edited = edit(module, { registry }, (r) => {
    const [loop] = named(module, 't.loop');
    r.setInsertionPointAfter(r.find(loop!));
    r.clone(loop!);
  }).module;
  const [original, copy] = named(edited, 't.loop');
  const targets = (operation: Operation): readonly (readonly number[])[] => {
    const blocks = [...walk(operation)].flatMap((each) => each.regions.flatMap((region) => region.blocks));
    const position = new Map(blocks.map((block, i) => [block.id, i]));
    return [...walk(operation)]
      .filter(({ successors }) => successors.length > 0)
      .map(({ successors }) => successors.map((block) => position.get(block) ?? -1));
  };
  expect(targets(copy!)).toEqual(targets(original!));
  expect(targets(copy!)).toEqual([[1, 2], [2], [4]]);
  expect(errorsIn(edited)).toEqual([]);
});

describe('blockWith', () => {
  it('finds the blocks that are in the tree, also new ones, and no values', () => {
    const module = parse(`"test.region"() ({
        %a = "test.source"() : () -> i32
        "test.go"() [^next] : () -> ()
      ^next:
        "test.end"() : () -> ()
      }) : () -> ()
      "test.region"() ({
        "test.end"() : () -> ()
      }) : () -> ()`);
    edit(module, { registry }, (r) => {
      const [first, second] = r.walk(r.root).filter(({ name }) => name === 'test.region');
      const [entry, next] = first!.regions[0]!.blocks;
      const [go] = r.walk(first!).filter(({ name }) => name === 'test.go');
      expect(r.blockWith(go!.successors[0]!)).toBe(next);
      expect(r.blockWith(go!.id)).toBeUndefined();
      expect(r.blockWith(entry!.operations[0]!.results[0]!.id)).toBeUndefined();
      const rest = r.splitBlock(go!);
      expect(r.blockWith(rest.id)).toBe(rest);
      r.eraseBlock(rest);
      expect(r.blockWith(rest.id)).toBeUndefined();
      const [inner] = second!.regions[0]!.blocks;
      r.eraseOperation(second!);
      expect(r.blockWith(inner!.id)).toBeUndefined();
    });
  });
});
