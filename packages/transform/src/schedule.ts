/**
 * Schedules as typed code. The callback of `schedule` *records*: it sees no payload, only handles; what it recorded is
 * Transform-dialect IR, which is printed, or run by the same interpreter that runs a schedule read from text.
 */
import type { Diagnosed, Location } from '@sconv/diagnostics';
import {
  definite,
  DiagnosticError,
  error,
  fileLocation,
  filePosition,
  unknownLocation,
} from '@sconv/diagnostics';
import type { DraftOperation, Id, Module, OperationState, Registry, Rewriter, Value } from '@sconv/ir';
import {
  arrayAttribute,
  createRegistry,
  edit,
  functionType,
  printModule,
  stringAttribute,
  typeAttribute,
  unitAttribute,
  verify,
} from '@sconv/ir';
import { consumedOperands } from './effects.ts';
import { anyOp } from './handle-type.ts';
import { isHandle } from './checked-inputs.ts';
import type { TransformOpDefinition } from './define-transform-op.ts';
import type { RunOptions, RunResult } from './run-options.ts';
import { entryPoint, stageAttribute, stagesOf } from './script.ts';
import { runSchedule } from './run.ts';

/** A handle while a schedule is being recorded: a value of the script. */
export interface Handle {
  readonly value: Value;
  readonly recorder: Recorder;
}

/** A recorded schedule. */
export interface Schedule {
  /** A module with a `transform.named_sequence @__transform_main`. */
  readonly module: Module;
  /** The schedule as Transform-dialect text. */
  toMlir(registry: Registry): string;
  /** Applies the schedule to a payload. */
  run(payload: Module, options: RunOptions): Diagnosed<RunResult>;
}

/** Collects the operations of a schedule. */
export interface Recorder {
  /** The root of the payload. */
  readonly root: Handle;
  /** Appends an operation; its results as handles. */
  record(definition: TransformOpDefinition, state: OperationState<Rewriter>): readonly Handle[];
  /** Runs `body` with what it records labelled as this stage (see `RunOptions.onStage`); it may record nothing. */
  stage<T>(name: string, body: () => T): T;
  /** A handle for a value of the script, such as the argument of a body. */
  handle(value: Value): Handle;
}

/** The schedule that handles belong to. */
export const recorderOf = (handles: readonly Handle[]): Recorder => {
  const recorder = handles[0]?.recorder;
  if (recorder === undefined) throw new Error('an op without operands is recorded through the recorder');
  if (handles.some((handle) => handle.recorder !== recorder)) {
    throw new Error('handles of different schedules are used together');
  }
  return recorder;
};

/**
 * Records a schedule. `record` gets the recorder and returns the handles that the schedule yields, if it is one to be
 * composed with others.
 *
 * Throws `DiagnosticError` (`schedule/consumed-handle`) when a handle is used after an op consumed it; the diagnostic
 * names both call sites. Throws it (`schedule/yield`) for a callback that returns anything but handles of its own schedule.
 */
export const schedule = (record: (recorder: Recorder) => readonly Handle[] | undefined): Schedule => {
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
            const recorder = new ScheduleRecorder(body, root);
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

class ScheduleRecorder implements Recorder {
  readonly root: Handle;
  private readonly rewriter: Rewriter;
  private readonly consumed = new Map<Id, { readonly by: string; readonly at: Location }>();
  private currentStage: string | undefined;
  private last: DraftOperation | undefined;

  constructor(rewriter: Rewriter, root: Value) {
    this.rewriter = rewriter;
    this.root = this.handle(root);
  }

  handle(value: Value): Handle {
    return { value, recorder: this };
  }

  stage<T>(name: string, body: () => T): T {
    const outer = this.currentStage;
    const before = this.last;
    this.currentStage = name;
    try {
      return body();
    } finally {
      this.currentStage = outer;
      // A stage that has nothing to do is over when the stage before it is.
      if (this.last === before && before !== undefined) this.label(before, name);
    }
  }

  record(definition: TransformOpDefinition, state: OperationState<Rewriter>): readonly Handle[] {
    const location = state.location ?? callSite();
    for (const operand of state.operands) this.checkUsable(operand, definition.name, location);
    const operation = this.rewriter.create({ ...state, location });
    this.last = operation;
    if (this.currentStage !== undefined) this.label(operation, this.currentStage);
    for (const operand of consumedOperands(definition, operation)) {
      this.consumed.set(operand.id, { by: definition.name, at: location });
    }
    return operation.results.map((value) => this.handle(value));
  }

  /** The values of the handles that the callback returned. */
  yielded(handles: unknown): readonly Value[] {
    const location = callSite();
    if (handles === undefined) return [];
    if (!Array.isArray(handles) || !handles.every((handle): handle is Handle => this.isMine(handle))) {
      const message = 'a schedule yields nothing, or a list of its own handles';
      throw new DiagnosticError([error('schedule/yield', message, location)]);
    }
    return handles.map(({ value }) => {
      this.checkUsable(value, 'the end of the schedule', location);
      return value;
    });
  }

  private isMine(handle: unknown): boolean {
    return isHandle(handle) && (handle as Handle).recorder === this;
  }

  private checkUsable(value: Value, user: string, location: Location): void {
    const before = this.consumed.get(value.id);
    if (before !== undefined) throw new DiagnosticError([usedAfterConsumed(user, location, before)]);
  }

  private label(operation: DraftOperation, stage: string): void {
    const stages = [...stagesOf(operation), stage].map(stringAttribute);
    this.rewriter.setAttribute(operation, stageAttribute, arrayAttribute(stages));
  }
}

const usedAfterConsumed = (
  name: string,
  location: Location,
  before: { readonly by: string; readonly at: Location },
) =>
  error('schedule/consumed-handle', `${name} uses a handle that ${before.by} has consumed`, location, [
    { message: `consumed here by ${before.by}`, location: before.at },
  ]);

/** Where a line of a stack trace points to. */
const positionIn = (
  frame: string,
): { readonly file: string; readonly line: number; readonly column: number } | undefined => {
  const match = /(?:\(|at )(?:file:\/\/)?([^()]+):(\d+):(\d+)\)?$/.exec(frame);
  return match === null ? undefined : { file: match[1]!, line: Number(match[2]), column: Number(match[3]) };
};

const stackFrames = () => (new Error().stack ?? '').split('\n').flatMap((frame) => positionIn(frame) ?? []);

const folderOf = (file: string): string => file.replace(/[^/\\]*$/, '');

/** Where the modules of this package are: that of the innermost frame while this one is loaded. */
const ownFolder = stackFrames()
  .slice(0, 1)
  .map(({ file }) => folderOf(file))[0];

/**
 * Where user code called the function that records an op: the first frame of the stack outside this package, and outside
 * of the folders of `helpers`, files whose functions record ops for others. Called while a file is loaded, it is there.
 */
export const callSite = (...helpers: readonly Location[]): Location => {
  const inside = [ownFolder, ...helpers.map((helper) => folderOf(filePosition(helper)?.file ?? ''))];
  const frame = stackFrames().find(({ file }) => !inside.includes(folderOf(file)));
  return frame === undefined ? unknownLocation : fileLocation(frame.file, frame.line, frame.column);
};
