import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { bodyOf } from '@sconv/ir';
import { entryPoint, findSequence, operationsPayload, ScheduleRun } from '../src/index.ts';
import { attributesOf, main, parse, payload, registry, step } from './support.ts';

/** A run of which nothing has run yet, and what runs its ops. */
const started = (body: string) => {
  const script = parse(main(body), 'script.mlir');
  const block = bodyOf(findSequence(script, entryPoint)!);
  const run = new ScheduleRun(script, payload, { registry });
  run.bind(block.arguments[0]!, operationsPayload([payload.root.id]));
  /** Runs the ops from one position to before another. */
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
