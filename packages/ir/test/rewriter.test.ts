import fc from 'fast-check';
import { fileLocation } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import { edit, follow, i32, printModule, Rewriter, unitAttribute, verify, walk } from '../src/index.ts';
import type { DraftOperation, Module, Operation, RewriteListener, Value } from '../src/index.ts';
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
      expect(() => change(r, user, old!.results[0]!)).toThrow(`'test.use' is changed, but was erased`);
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

describe('a change alone', () => {
  // Two operations with regions: unmarked changes would be lost, since unchanged parts are taken from the old module.
  const text = `
    "t.first"() ({
    ^a(%x: i8, %y: i8):
      %u = "t.u"(%x) : (i8) -> i8
      "t.v"(%u) : (i8) -> ()
    }) : () -> ()
    "t.second"() ({
    ^a(%z: i8):
      "t.w"(%z) : (i8) -> ()
    }) : () -> ()`;
  const first = `"t.first"() ({
^bb0(%arg0: i8, %arg1: i8):
  %0 = "t.u"(%arg0) : (i8) -> i8
  "t.v"(%0) : (i8) -> ()
}) : () -> ()
`;
  const second = `"t.second"() ({
^bb0(%arg0: i8):
  "t.w"(%arg0) : (i8) -> ()
}) : () -> ()
`;

  type Change = (r: Rewriter, find: (name: string) => DraftOperation) => void;
  const blockIn = (operation: DraftOperation) => operation.regions[0]!.blocks[0]!;
  const state = (name: string) => ({
    ...{ name, operands: [], resultTypes: [], attributes: {}, bodies: [], successors: [] },
    location: undefined,
  });

  it.each<[string, Change, string]>([
    [
      'create',
      (r, find) => {
        r.setInsertionPointBefore(find('t.v'));
        r.create(state('t.new'));
      },
      first.replace('  "t.v"', '  "t.new"() : () -> ()\n  "t.v"') + second,
    ],
    [
      'createBlock',
      (r, find) => void r.createBlock(find('t.second').regions[0]!, [i32]),
      first + second.replace('})', '^bb1(%0: i32):  // no predecessors\n})'),
    ],
    [
      'createRegion',
      (r, find) => void r.createRegion(find('t.second')),
      first + second.replace('})', '}, {\n})'),
    ],
    [
      'clone',
      (r, find) => {
        r.setInsertionPointToEnd(blockIn(find('t.second')));
        r.clone(
          find('t.u'),
          new Map([[blockIn(find('t.first')).arguments[0]!.id, blockIn(find('t.second')).arguments[0]!]]),
        );
      },
      first + second.replace('})', '  %0 = "t.u"(%arg0) : (i8) -> i8\n})'),
    ],
    [
      'cloneRegion',
      (r, find) => {
        r.cloneRegion(find('t.second').regions[0]!, find('t.first').regions[0]!);
      },
      first.replace('})', '^bb1(%1: i8):  // no predecessors\n  "t.w"(%1) : (i8) -> ()\n})') + second,
    ],
    [
      'setAttribute',
      (r, find) => {
        r.setAttribute(find('t.v'), 'mark', unitAttribute);
      },
      first.replace('(%0) :', '(%0) {mark} :') + second,
    ],
    [
      'setOperand',
      (r, find) => {
        r.setOperand(find('t.v'), 0, blockIn(find('t.first')).arguments[1]!);
      },
      first.replace('(%0)', '(%arg1)') + second,
    ],
    [
      'replaceAllUsesWith',
      (r, find) => {
        r.replaceAllUsesWith(find('t.u').results[0]!, blockIn(find('t.first')).arguments[1]!);
      },
      first.replace('(%0)', '(%arg1)') + second,
    ],
    [
      'eraseOperation',
      (r, find) => {
        r.eraseOperation(find('t.w'));
      },
      first + second.replace(/ {2}"t.w".*\n/, ''),
    ],
    [
      'moveBefore',
      (r, find) => {
        r.moveBefore(find('t.v'), find('t.first'));
      },
      `"t.v"(%0) : (i8) -> ()\n${first.replace(/ {2}"t.v".*\n/, '')}${second}`,
    ],
    [
      'inlineBlock',
      (r, find) => {
        r.setInsertionPointToEnd(blockIn(find('t.first')));
        r.inlineBlock(blockIn(find('t.second')), [blockIn(find('t.first')).arguments[1]!]);
      },
      first.replace('})', '  "t.w"(%arg1) : (i8) -> ()\n})') + second.replace(/ {2}"t.w".*\n/, ''),
    ],
    [
      'moveRegion',
      (r, find) => {
        r.moveRegion(find('t.second').regions[0]!, find('t.first').regions[0]!);
      },
      `${first.replace('})', '^bb1(%1: i8):  // no predecessors\n  "t.w"(%1) : (i8) -> ()\n})')}"t.second"() ({\n}) : () -> ()\n`,
    ],
    [
      'changeArgumentType',
      (r, find) => void r.changeArgumentType(blockIn(find('t.second')), 0, i32),
      first + second.replaceAll('i8', 'i32'),
    ],
    [
      'addArgument',
      (r, find) => void r.addArgument(blockIn(find('t.second')), i32),
      first + second.replace('%arg0: i8', '%arg0: i8, %arg1: i32'),
    ],
    [
      'eraseArgument',
      (r, find) => {
        r.eraseArgument(blockIn(find('t.first')), 1);
      },
      first.replace(', %arg1: i8', '') + second,
    ],
  ])('%s is in the new module', (_, change, expected) => {
    const module = parse(text);
    const edited = edit(module, { registry }, (r) => {
      change(r, (name) => r.find(named(module, name)[0]!));
    }).module;
    const printed = printModule(edited, { registry }).split('\n').slice(1, -2);
    expect(printed.map((line) => `${line.slice(2)}\n`).join('')).toBe(expected);
    checkInvariants(edited);
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

describe('a listener', () => {
  /** The notifications during `change`. */
  const heard = (change: (rewriter: Rewriter, loopOp: DraftOperation, useOp: DraftOperation) => void) => {
    const events: string[] = [];
    const module = sample();
    edit(module, { registry }, (rewriter) => {
      const [loopOp, useOp] = [
        rewriter.find(named(module, 'test.loop')[0]!),
        rewriter.find(named(module, 'test.use')[1]!),
      ];
      const note = (event: string) => (operation: DraftOperation) =>
        void events.push(`${event} ${operation.name}${operation.block === undefined ? ' outside' : ''}`);
      rewriter.listening(
        { inserted: note('inserted'), changed: note('changed'), erasing: note('erasing') },
        () => change(rewriter, loopOp, useOp),
      );
      rewriter.setAttribute(useOp, 'after', unitAttribute);
    });
    return events;
  };

  it.each<[string, Parameters<typeof heard>[0], readonly string[]]>([
    ['attributes', (r, loopOp) => r.setAttribute(loopOp, 'mark', unitAttribute), ['changed test.loop']],
    ['operands', (r, _, useOp) => r.setOperands(useOp, useOp.operands), ['changed test.use']],
    [
      'operations that are created',
      (r, loopOp) => {
        r.setInsertionPointBefore(loopOp);
        r.create(source.state({ resultTypes: [i32] }));
      },
      ['inserted test.source'],
    ],
    ['operations that are moved', (r, loopOp, useOp) => r.moveBefore(useOp, loopOp), ['inserted test.use']],
    [
      'operations that are erased, from the outside in, while they are there',
      (r, loopOp) => r.eraseOperation(loopOp),
      ['erasing test.loop', 'erasing test.use'],
    ],
    [
      'copies, with what is in them',
      (r, loopOp, useOp) => {
        r.setInsertionPointBefore(useOp);
        r.clone(loopOp);
      },
      ['inserted test.loop', 'inserted test.use'],
    ],
    [
      'copied regions',
      (r, loopOp, useOp) => r.cloneRegion(loopOp.regions[0]!, r.createRegion(useOp)),
      ['changed test.use', 'changed test.use', 'inserted test.use'],
    ],
  ])('hears of %s', (_, change, events) => {
    expect(heard(change)).toEqual(events);
  });

  it('hears nothing more after an error', () => {
    const events: string[] = [];
    edit(sample(), { registry }, (rewriter) => {
      const listener = { changed: ({ name }: DraftOperation) => void events.push(name) };
      expect(() =>
        rewriter.listening(listener, () => {
          throw new Error('stop');
        }),
      ).toThrow('stop');
      rewriter.setAttribute(rewriter.root, 'mark', unitAttribute);
    });
    expect(events).toEqual([]);
  });
});
