import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DraftOperation, Edit, Forward, Id, Module, Operation, Rewriter } from '../src/index.ts';
import {
  composeForward,
  edit,
  follow,
  forwardFromJson,
  forwardToJson,
  i32,
  noForward,
  unitAttribute,
  walk,
} from '../src/index.ts';
import { parse, registry } from './test-dialect.ts';

const start = parse(`
  %a = "t.a"() : () -> i32
  %b = "t.b"(%a) ({
  ^body(%x: i32):
    %c = "t.c"(%x, %a) : (i32, i32) -> i32
    "t.d"() ({
    ^inner(%y: i32):
      "t.e"(%y) : (i32) -> ()
    }) : () -> ()
    "t.f"(%c) : (i32) -> ()
  }) : (i32) -> i32
  "t.g"(%a, %b) : (i32, i32) -> ()
  "t.h"() ({
  ^other(%z: i32):
    "t.i"(%z) : (i32) -> ()
  }) : () -> ()`);

interface Step {
  readonly kind: keyof typeof changes;
  readonly at: number;
  readonly other: number;
}

/** Whether nothing outside uses what is defined below an operation; moves do not check dominance and may cause that. */
const isClosed = (r: Rewriter, op: DraftOperation): boolean => {
  const below = r.walk(op);
  const inner = [
    ...below.slice(1).flatMap(({ results }) => results),
    ...below.flatMap(({ regions }) =>
      regions.flatMap(({ blocks }) => blocks.flatMap((block) => block.arguments)),
    ),
  ];
  return inner.every((value) => r.users(value).every((user) => r.isWithin(user, op)));
};

/** Replaces an operation by a new one with as many results, plus another. */
const replace = (r: Rewriter, op: DraftOperation): void => {
  if (!isClosed(r, op)) return;
  const state = { operands: [], attributes: {}, bodies: [], successors: [], location: undefined };
  r.setInsertionPointBefore(op);
  const made = r.create({ ...state, name: 't.made', resultTypes: op.results.map(() => i32) });
  const beside = r.create({ ...state, name: 't.beside', resultTypes: [] });
  r.replaceOperation(op, made.results, [beside, made]);
};

const canGo = (r: Rewriter, op: DraftOperation): boolean =>
  isClosed(r, op) && op.results.every((result) => !r.hasUses(result));

/** Each makes a change at `op`, if possible, using `other`. */
const changes = {
  erase: (r: Rewriter, op: DraftOperation) => {
    if (canGo(r, op)) r.eraseOperation(op);
  },
  replace,
  clone: (r: Rewriter, op: DraftOperation) => {
    r.setInsertionPointBefore(op);
    r.clone(op);
  },
  mark: (r: Rewriter, op: DraftOperation) => r.setAttribute(op, 'mark', unitAttribute),
  move: (r: Rewriter, op: DraftOperation, other: DraftOperation) => {
    if (!r.isWithin(other, op)) r.moveBefore(op, other);
  },
  rewire: (r: Rewriter, op: DraftOperation, other: DraftOperation) => {
    const [value] = other.results;
    if (value !== undefined && op.operands.length > 0) r.setOperand(op, 0, value);
  },
  replaceUses: (r: Rewriter, op: DraftOperation, other: DraftOperation) => {
    const [from, to] = [op.results[0], other.results[0]];
    if (from !== undefined && to !== undefined && from !== to) r.replaceAllUsesWith(from, to);
  },
  inline: (r: Rewriter, op: DraftOperation, other: DraftOperation) => {
    const block = op.regions[0]?.blocks[0];
    const [value] = other.results;
    if (block === undefined || value === undefined || r.isWithin(other, op)) return;
    r.setInsertionPointBefore(op);
    r.inlineBlock(
      block,
      block.arguments.map(() => value),
    );
    if (canGo(r, op)) r.eraseOperation(op);
  },
  moveRegion: (r: Rewriter, op: DraftOperation, other: DraftOperation) => {
    const [from, to] = [op.regions[0], other.regions[0]];
    if (from !== undefined && to !== undefined && from !== to && !r.isWithin(other, op))
      r.moveRegion(from, to);
  },
  retype: (r: Rewriter, op: DraftOperation) => {
    const block = op.regions[0]?.blocks[0];
    if (block !== undefined && block.arguments.length > 0) r.changeArgumentType(block, 0, i32);
  },
  addArgument: (r: Rewriter, op: DraftOperation) => {
    const block = op.regions[0]?.blocks[0];
    if (block !== undefined) r.addArgument(block, i32);
  },
} as const;

const kinds = Object.keys(changes) as (keyof typeof changes)[];
const steps = fc.array(fc.record<Step>({ kind: fc.constantFrom(...kinds), at: fc.nat(), other: fc.nat() }), {
  maxLength: 6,
});

const apply = (module: Module, list: readonly Step[]): Edit<undefined> =>
  edit(module, { registry }, (r) => {
    for (const { kind, at, other } of list) {
      const all = r.walk(r.root).slice(1);
      if (all.length > 0) changes[kind](r, all[at % all.length]!, all[other % all.length]!);
    }
    return undefined;
  });

interface Place {
  readonly operation: Operation;
  readonly parent: Id | undefined;
}

const placesOf = (module: Module): ReadonlyMap<Id, Place> => {
  const places = new Map<Id, Place>([[module.root.id, { operation: module.root, parent: undefined }]]);
  for (const parent of walk(module.root)) {
    for (const region of parent.regions) {
      for (const block of region.blocks) {
        for (const operation of block.operations) places.set(operation.id, { operation, parent: parent.id });
      }
    }
  }
  return places;
};

const valuesOf = (module: Module): ReadonlySet<Id> =>
  new Set(
    [...walk(module.root)].flatMap((operation) => [
      ...operation.results.map(({ id }) => id),
      ...operation.regions.flatMap((region) =>
        region.blocks.flatMap((block) => block.arguments.map(({ id }) => id)),
      ),
    ]),
  );

const ownText = (operation: Operation): string =>
  JSON.stringify([
    operation.operands.map(({ id }) => id),
    Object.keys(operation.attributes),
    operation.regions.map((region) =>
      region.blocks.map((block) => [block.id, block.arguments.map(({ id }) => id)]),
    ),
  ]);

/** Checks a forward against both modules: it must list every difference, and nothing else. */
const checkComplete = (before: Module, after: Module, forward: Forward): void => {
  const [old, now] = [placesOf(before), placesOf(after)];
  const { created } = forward;
  const isCreated = (id: Id): boolean => created !== undefined && id >= created.from && id < created.to;
  for (const [id, { operation, parent }] of old) {
    const place = now.get(id);
    expect(forward.operations.has(id)).toBe(place === undefined);
    if (place === undefined) continue;
    if (place.parent !== parent) expect(forward.moved.get(id)).toEqual({ from: parent, to: place.parent });
    if (ownText(place.operation) !== ownText(operation)) expect(forward.changed).toContain(id);
  }
  for (const id of now.keys()) expect(isCreated(id)).toBe(!old.has(id));
  for (const id of [...forward.operations.keys(), ...forward.moved.keys(), ...forward.changed]) {
    expect(old.has(id)).toBe(true);
  }
  for (const id of [...forward.moved.keys(), ...forward.changed]) expect(now.has(id)).toBe(true);
  for (const to of [...forward.operations.values()].flat()) expect(now.has(to)).toBe(true);
  const [oldValues, values] = [valuesOf(before), valuesOf(after)];
  for (const id of oldValues) expect(forward.values.has(id)).toBe(!values.has(id));
  for (const id of values) expect(isCreated(id)).toBe(!oldValues.has(id));
  for (const id of forward.values.keys()) expect(oldValues.has(id)).toBe(true);
  for (const to of [...forward.values.values()].flat()) expect(values.has(to)).toBe(true);
};

describe('the forward of random edits', () => {
  it('is complete, for one edit and for two composed', () => {
    fc.assert(
      fc.property(steps, steps, (first, second) => {
        const one = apply(start, first);
        checkComplete(start, one.module, one.forward);
        const two = apply(one.module, second);
        checkComplete(one.module, two.module, two.forward);
        checkComplete(start, two.module, composeForward(one.forward, two.forward));
      }),
      { numRuns: 300 },
    );
  });

  it('of an edit names the ids that its two halves, composed, name', () => {
    fc.assert(
      fc.property(steps, steps, (first, second) => {
        const half = apply(start, first);
        const composed = composeForward(half.forward, apply(half.module, second).forward);
        const whole = apply(start, [...first, ...second]).forward;
        const sorted = (ids: Iterable<Id>) => [...ids].sort((a, b) => a - b);
        expect(sorted(composed.operations.keys())).toEqual(sorted(whole.operations.keys()));
        expect(sorted(composed.values.keys())).toEqual(sorted(whole.values.keys()));
        for (const [id, to] of whole.operations) expect(composed.operations.get(id)).toEqual(to);
        expect(sorted(composed.changed)).toEqual(sorted(whole.changed));
        expect(sorted(composed.moved.keys())).toEqual(sorted(whole.moved.keys()));
        expect(composed.created).toEqual(whole.created);
      }),
      { numRuns: 200 },
    );
  });

  it('composes associatively, with noForward as identity, and survives JSON', () => {
    fc.assert(
      fc.property(steps, steps, steps, (...lists) => {
        let module = start;
        const [a, b, c] = lists.map((list) => {
          const step = apply(module, list);
          ({ module } = step);
          return step.forward;
        }) as [Forward, Forward, Forward];
        expect(composeForward(composeForward(a, b), c)).toEqual(composeForward(a, composeForward(b, c)));
        expect(composeForward(noForward, a)).toEqual(a);
        expect(composeForward(a, noForward)).toEqual(a);
        expect(forwardFromJson(JSON.parse(JSON.stringify(forwardToJson(a))) as never)).toEqual(a);
      }),
      { numRuns: 200 },
    );
  });
});

describe('one edit', () => {
  const named = (module: Module, name: string): Operation =>
    [...walk(module.root)].find((operation) => operation.name === name)!;
  const of = (change: (r: Rewriter, find: (name: string) => DraftOperation) => void): Forward =>
    edit(start, { registry }, (r) => change(r, (name) => r.find(named(start, name)))).forward;
  const id = (name: string): Id => named(start, name).id;

  it('that does nothing gives noForward', () => {
    expect(of(() => undefined)).toBe(noForward);
  });
  it('that creates and erases leaves the range of ids alone', () => {
    const forward = of((r, find) => {
      r.setInsertionPointBefore(find('t.g'));
      r.eraseOperation(r.clone(find('t.h')));
    });
    expect(forward).toEqual({ ...noForward, created: { from: start.nextId, to: forward.created!.to } });
    expect(forward.created!.to).toBeGreaterThan(start.nextId);
  });
  it('moves: from where it was first to where it is last', () => {
    const forward = of((r, find) => {
      r.moveBefore(find('t.i'), find('t.e'));
      r.moveBefore(find('t.i'), find('t.f'));
    });
    expect([...forward.moved]).toEqual([[id('t.i'), { from: id('t.h'), to: id('t.b') }]]);
    expect(forward.changed.size).toBe(0);
  });
  it('has nothing to say of an operation that is moved before itself', () => {
    expect(of((r, find) => r.moveBefore(find('t.g'), find('t.g')))).toBe(noForward);
  });
  it('inlines: arguments are replaced, operations moved', () => {
    const forward = of((r, find) => {
      const loop = find('t.h');
      r.setInsertionPointBefore(loop);
      r.inlineBlock(loop.regions[0]!.blocks[0]!, find('t.a').results);
      r.eraseOperation(loop);
    });
    const [argument] = named(start, 't.h').regions[0]!.blocks[0]!.arguments;
    expect(forward.values.get(argument!.id)).toEqual([named(start, 't.a').results[0]!.id]);
    expect(forward.moved.get(id('t.i'))).toEqual({ from: id('t.h'), to: start.root.id });
    expect([...forward.changed]).toEqual([id('t.i')]);
    expect([...forward.operations]).toEqual([[id('t.h'), []]]);
  });
  it('replaces all uses and erases later: the value is replaced, the operation erased', () => {
    const forward = of((r, find) => {
      r.replaceAllUsesWith(find('t.b').results[0]!, find('t.a').results[0]!);
      r.eraseOperation(find('t.b'));
    });
    expect(forward.values.get(named(start, 't.b').results[0]!.id)).toEqual([
      named(start, 't.a').results[0]!.id,
    ]);
    expect(forward.operations.get(id('t.b'))).toEqual([]);
  });
  it('says by what an operation was replaced, in that order, whatever defines the values', () => {
    const forward = of((r, find) => replace(r, find('t.b')));
    expect(forward.operations.get(id('t.b'))).toHaveLength(2);
    expect(follow(forward.operations, id('t.b'))).toEqual(forward.operations.get(id('t.b')));
  });
});
