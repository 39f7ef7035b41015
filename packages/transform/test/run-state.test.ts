import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { bodyOf } from '@sconv/ir';
import { anyOp, entryPoint, findSequence, operationsPayload, ScheduleRun } from '../src/index.ts';
import { idsIn } from '../src/payload.ts';
import type { RunState } from '../src/run-state.ts';
import { RunStateCell } from '../src/run-state.ts';
import { attributesOf, main, parse, payload, registry, step } from './support.ts';

/** A run before its first op, and a function that runs ops. */
const started = (body: string) => {
  const script = parse(main(body), 'script.mlir');
  const block = bodyOf(findSequence(script, entryPoint)!);
  const run = new ScheduleRun(script, payload, { registry });
  run.bind(block.arguments[0]!, operationsPayload([payload.root.id]));
  /** Runs the ops in a range of positions. */
  const steps = (from: number, to: number) =>
    run.runBlock({ ...block, operations: block.operations.slice(from, to) });
  const valueOf = (index: number) => block.operations[index]!.results[0]!;
  return { run, steps, valueOf };
};

describe('the state of a run', () => {
  const two = `%none = transform.structured.match ops{["x.y"]} in %root : ${step}
    %m = transform.test.mark %all : ${step}`;

  it('is restored with payload, handles, what is invalid, and warnings', () => {
    const { run, steps, valueOf } = started(two);
    unwrap(steps(0, 1));
    const kept = run.state;
    unwrap(steps(1, 3));
    expect(attributesOf(run.payload)).toEqual(['n marked', 'n marked']);
    expect(run.warnings).toHaveLength(1);
    expect(steps(2, 3).diagnostics[0]!.code).toBe('transform/invalidated-handle');
    run.restore(kept);
    expect(run.payload).toBe(payload);
    expect(run.warnings).toEqual([]);
    expect(run.operations(run.idsOf(valueOf(0)))).toEqual(payload.root.regions[0]!.blocks[0]!.operations);
    expect(() => run.idsOf(valueOf(2))).toThrow('a script value that no op has bound');
    unwrap(steps(1, 3));
    expect(attributesOf(run.payload)).toEqual(['n marked', 'n marked']);
  });

  it('does not change once it is kept, and can be restored twice', () => {
    const { run, steps } = started(two);
    unwrap(steps(0, 1));
    const first = run.state;
    unwrap(steps(1, 3));
    const second = run.state;
    for (const [state, handles, invalid, warnings] of [
      [second, 3, 1, 1],
      [first, 2, 0, 0],
      [second, 3, 1, 1],
      [first, 2, 0, 0],
    ] as const) {
      run.restore(state);
      expect(run.state.handles.size).toBe(handles);
      expect(run.state.invalidated.size).toBe(invalid);
      expect(run.warnings).toHaveLength(warnings);
      steps(1, 3);
    }
  });

  it('holds what is tracked', () => {
    const { run, steps } = started(`transform.test.duplicate %all : !transform.any_op`);
    unwrap(steps(0, 1));
    const ids = payload.root.regions[0]!.blocks[0]!.operations.map(({ id }) => id);
    run.tracking((track) => {
      const tracked = track(operationsPayload(ids));
      const kept = run.state;
      unwrap(steps(1, 2));
      expect(run.resolve(tracked.payload)).toEqual({
        kind: 'operations',
        operations: run.payload.root.regions[0]!.blocks[0]!.operations,
      });
      run.restore(kept);
      expect(tracked.payload).toEqual(operationsPayload(ids));
    });
  });
});

/** A state change: which script value, which payload ids, which of the saved states. */
type Change =
  | readonly ['set', value: number, ids: readonly number[]]
  | readonly ['drop', value: number]
  | readonly ['keep']
  | readonly ['restore', state: number];

const changes = fc.array(
  fc.oneof(
    fc.tuple(fc.constant('set' as const), fc.nat(3), fc.array(fc.nat(3), { maxLength: 3 })),
    fc.tuple(fc.constant('drop' as const), fc.nat(3)),
    fc.tuple(fc.constant('keep' as const)),
    fc.tuple(fc.constant('restore' as const), fc.nat(9)),
  ),
  { maxLength: 12 },
);

it('the handles of a state are those that were set last before it was kept', () => {
  fc.assert(
    fc.property(changes, (list: readonly Change[]) => {
      const cell = new RunStateCell(payload);
      let handles = new Map<number, readonly number[]>();
      const kept: (readonly [RunState, ReadonlyMap<number, readonly number[]>])[] = [];
      const of = (state: RunState) =>
        new Map([...state.handles].map(([id, { payload: each }]) => [id, idsIn(each)]));
      for (const change of list) {
        if (change[0] === 'set') {
          cell.setHandle({ id: change[1], type: anyOp }, operationsPayload(change[2]));
          handles.delete(change[1]);
          handles.set(change[1], change[2]);
        } else if (change[0] === 'drop') {
          cell.dropHandle(change[1]);
          handles.delete(change[1]);
        } else if (change[0] === 'keep') {
          kept.push([cell.keep(), new Map(handles)]);
        } else if (kept.length > 0) {
          const [state, before] = kept[change[1] % kept.length]!;
          cell.restore(state);
          handles = new Map(before);
        }
        expect(of(cell.now)).toEqual(handles);
        for (let id = 0; id < 4; id++) {
          const holders = [...handles].flatMap(([value, ids]) => (ids.includes(id) ? [value] : []));
          expect([...cell.holdersOf([id])].toSorted()).toEqual(holders.toSorted());
        }
        for (const [state, before] of kept) expect(of(state)).toEqual(before);
      }
    }),
  );
});
