/**
 * Schedules as typed code. The callback of `schedule` *records*: it sees no payload, only handles; what it recorded is
 * Transform-dialect IR, which is printed, or run by the same interpreter that runs a schedule read from text.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, unknownLocation } from '@sconv/diagnostics';
import type { Module, Registry, Rewriter, Value } from '@sconv/ir';
import {
  createRegistry,
  edit,
  functionType,
  printModule,
  stringAttribute,
  typeAttribute,
  unitAttribute,
  verify,
} from '@sconv/ir';
import type { ScriptValue } from './handle.ts';
import { anyOp } from './handle-type.ts';
import type { Recorder } from './recorder.ts';
import { ScheduleRecorder } from './recorder.ts';
import type { RunOptions, RunResult } from './run-options.ts';
import { runSchedule } from './run.ts';
import { entryPoint } from './script.ts';

/** A recorded schedule. */
export interface Schedule {
  /** A module with a `transform.named_sequence @__transform_main`. */
  readonly module: Module;
  /** The schedule as Transform-dialect text. */
  toMlir(registry: Registry): string;
  /** Applies the schedule to a payload. */
  run(payload: Module, options: RunOptions): Diagnosed<RunResult>;
}

/**
 * Records a schedule. `record` gets the recorder and returns the handles that the schedule yields, if it is one to be
 * composed with others. `Root` are the names that the payload's root may have: a whole module, if it is not said.
 *
 * Throws `DiagnosticError` (`schedule/consumed-handle`) when a handle is used after an op consumed it; the diagnostic
 * names both call sites. Throws it (`schedule/yield`) for a callback that returns anything but handles of its own schedule.
 */
export const schedule = <Root extends string = 'builtin.module'>(
  record: (recorder: Recorder<Root>) => readonly ScriptValue[] | undefined,
): Schedule => {
  const { module } = edit(emptyScript, { registry: createRegistry([]) }, (rewriter) => {
    rewriter.setInsertionPointToEnd(rewriter.root.regions[0]!.blocks[0]!);
    const yielded: Value[] = [];
    const sequence = rewriter.create({
      name: 'transform.named_sequence',
      operands: [],
      resultTypes: [],
      attributes: { sym_name: stringAttribute(entryPoint) },
      bodies: [
        {
          argumentTypes: [anyOp],
          build: (body: Rewriter, root: Value) => {
            const recorder = new ScheduleRecorder<Root>(body, root);
            yielded.push(...recorder.yielded(record(recorder)));
            body.create({
              name: 'transform.yield',
              operands: yielded,
              resultTypes: [],
              attributes: {},
              bodies: [],
              successors: [],
              location: undefined,
            });
          },
        },
      ],
      successors: [],
      location: unknownLocation,
    });
    const type = functionType(
      [anyOp],
      yielded.map((value) => value.type),
    );
    rewriter.setAttribute(sequence, 'function_type', typeAttribute(type));
  });
  return {
    module,
    toMlir: (registry) => printModule(module, { registry }),
    run: (payload, options) => {
      // Text is verified where it is parsed; what is wrong with recorded ops stands at their call sites.
      const wrong = verify(module, options.registry);
      return wrong.length > 0 ? definite(...wrong) : runSchedule(module, payload, options);
    },
  };
};

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
