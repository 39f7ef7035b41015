/**
 * Schedules as typed code. The callback of `schedule` *records*: it sees handles, not payload. The recorded
 * Transform-dialect IR can be printed, or run by the same interpreter as a schedule parsed from text.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, describeValue, unknownLocation } from '@sconv/diagnostics';
import type { Module, Registry } from '@sconv/ir';
import { createRegistry, edit, printModule, unitAttribute, verify } from '@sconv/ir';
import { anyOp } from './handle-type.ts';
import type { Recorder } from './recorder.ts';
import type { RunOptions, RunResultOf } from './run-options.ts';
import { runSchedule } from './run.ts';
import { entryPoint } from './script.ts';
import { ScriptRecording } from './script-recording.ts';
import type { Yields } from './yields.ts';

/** A recorded schedule. */
export interface Schedule {
  /** A module with a `transform.named_sequence @__transform_main`. */
  readonly module: Module;
  /** The schedule as Transform-dialect text. */
  toMlir(registry: Registry): string;
  /** Applies the schedule to a payload. */
  run<const O extends RunOptions>(payload: Module, options: O): Diagnosed<RunResultOf<O>>;
}

/**
 * Records a schedule. `record` receives the recorder and returns the handles that the schedule yields, for
 * composition with others. `Root` lists the possible names of the payload's root: a whole module by default.
 *
 * Throws `DiagnosticError` (`schedule/consumed-handle`) if a handle is used after an op consumed it; the diagnostic
 * names both call sites. Throws it (`schedule/yield`) if a callback returns anything but handles of its own schedule.
 */
export const schedule = <Root extends string = 'builtin.module'>(
  record: (recorder: Recorder<Root>) => Yields,
): Schedule => {
  if (typeof (record as unknown) !== 'function') {
    throw new TypeError(`schedule expects a function that records, not ${describeValue(record)}`);
  }
  const { module } = edit(emptyScript, { registry: nothingKnown }, (rewriter) => {
    const script = new ScriptRecording(rewriter);
    script.sequence<Root>(entryPoint, [anyOp], unknownLocation, record, 'a schedule');
  });
  return {
    module,
    toMlir: (registry) => printModule(module, { registry }),
    run: (payload, options) => {
      // Text is verified when parsed; errors in recorded ops are located at their call sites.
      const wrong = verify(module, options.registry);
      return wrong.length > 0 ? definite(...wrong) : runSchedule(module, payload, options);
    },
  };
};

/** Recording needs no definitions. */
const nothingKnown = createRegistry([]);

const emptyScript: Module = Object.freeze({
  root: Object.freeze({
    id: 0,
    name: 'builtin.module',
    operands: [],
    results: [],
    attributes: Object.freeze({ 'transform.with_named_sequence': unitAttribute }),
    regions: [{ blocks: [{ id: 1, arguments: [], operations: [] }] }],
    successors: [],
    location: unknownLocation,
  }),
  nextId: 2,
});
