/**
 * The end of a session: runs the whole schedule, as text and as code; prints and re-parses the payload; bufferizes it;
 * runs it on WebAssembly.
 */
import { bufferizeModule } from '@sconv/bufferization';
import type { SoundOptions } from '@sconv/bufferization';
import { DiagnosticError } from '@sconv/diagnostics';
import { toTensor } from '@sconv/dialects/bufferization';
import { pack, unpack } from '@sconv/dialects/tensor';
import type { Module, Registry } from '@sconv/ir';
import { edit, parseModule, walk } from '@sconv/ir';
import { lowerPackOp, lowerUnpackOp } from '@sconv/packing';
import { emitModule } from '@sconv/wasm';
import { difference, executeWasm, functionOf } from './execution.ts';
import type { Fault, FaultKind } from './fault.ts';
import { printed, rendered, runText, thrownText } from './run-text.ts';
import { recordedSchedule, scriptText } from './script.ts';
import type { Session } from './session.ts';
import { checkModule } from './session.ts';

/** The results of the end of a session. */
export interface Finish {
  readonly fault?: Fault;
  /** What was printed, for other tools to read. */
  readonly texts: readonly string[];
  /** The refusal's code if there is no WebAssembly; undefined if it ran. */
  readonly notOnWasm?: string;
}

/** Codes with which the backend may refuse unsupported payloads. */
const wasmRefusals: ReadonlySet<string> = new Set(['wasm/unsupported', 'wasm/dynamic-shape']);

class Found extends Error {
  readonly fault: Fault;
  constructor(kind: FaultKind, message: string) {
    super(message);
    this.fault = { kind, transform: undefined, message };
  }
}

/**
 * Whether tensors are made from buffers that others may write, as in functions that keep their types: unsupported by
 * bufferization.
 */
const hasUnrestricted = ({ root }: Module): boolean =>
  [...walk(root)].some((each) => toTensor.is(each) && !toTensor.attributes(each).restrict);

/** Runs all final checks; `options` are those of the bufferization. */
export const finish = (session: Session, options: SoundOptions = {}): Finish => {
  const texts: string[] = [];
  let kind: FaultKind = 'throw';
  try {
    texts.push(checkRoundTrip(session.module, session.registry));
    checkSchedule(session);
    if (hasUnrestricted(session.module)) return { texts, notOnWasm: 'bufferize/unsupported-op' };
    kind = 'bufferization';
    const buffers = bufferized(session, options);
    texts.push(checkRoundTrip(buffers, session.registry));
    kind = 'wasm';
    const notOnWasm = checkWasm(session, buffers);
    return notOnWasm === undefined ? { texts } : { texts, notOnWasm };
  } catch (thrown) {
    if (thrown instanceof Found) return { fault: thrown.fault, texts };
    return {
      fault: { kind: 'throw', transform: kind === 'throw' ? undefined : kind, message: thrownText(thrown) },
      texts,
    };
  }
};

/** The text of a module, checked to round-trip. */
const checkRoundTrip = (module: Module, registry: Registry): string => {
  const text = printed(module, registry);
  const parsed = parseModule(text, { registry, fileName: 'printed.mlir' });
  if (parsed.status !== 'success') throw new Found('round-trip', `${rendered(parsed.diagnostics)}\n${text}`);
  const again = printed(parsed.value, registry);
  if (again !== text) throw new Found('round-trip', `prints as\n${again}\ninstead of\n${text}`);
  return text;
};

/**
 * Checks that the whole schedule gives the same as its steps one by one: as text, and either recorded as code or as
 * that code's text, alternating by the number of steps.
 */
const checkSchedule = ({ steps, payload, module, registry }: Session): void => {
  const expected = printed(module, registry);
  const compare = (form: string, actual: Module): void => {
    const text = printed(actual, registry);
    if (text !== expected) throw new Found('code', `${form} gives\n${text}\ninstead of\n${expected}`);
  };
  const compareText = (form: string, text: string): void => {
    const trial = runText(text, { payload, registry, transform: 'schedule' });
    if ('fault' in trial) throw new Found('code', `${form}: ${trial.fault.message}`);
    const { result } = trial.run;
    if (result.status !== 'success') throw new Found('code', `${form}: ${rendered(result.diagnostics)}`);
    compare(form, trial.run.payload);
  };
  compareText('the whole script', scriptText(steps));
  try {
    const code = recordedSchedule(steps);
    if (steps.length % 2 === 0) compareText('the recorded schedule as text', code.toMlir(registry));
    else {
      const result = code.run(payload, { registry });
      if (result.status !== 'success') throw new Found('code', rendered(result.diagnostics));
      compare('code', result.value.module);
    }
  } catch (thrown) {
    if (!(thrown instanceof DiagnosticError)) throw thrown;
    // Text accepts an empty handle with another op name; code does not.
    if (thrown.diagnostics.every(({ code }) => code === 'schedule/operand')) return;
    throw new Found('code', thrown.message);
  }
};

/** Packing ops have no bufferization; lowers them to reshapes and transposes first. */
const withoutPackings = ({ module, registry }: Session): Module =>
  edit(module, { registry }, (rewriter) => {
    for (const operation of rewriter.walk(rewriter.root)) {
      if (pack.is(operation)) lowerPackOp(rewriter, operation);
      else if (unpack.is(operation)) lowerUnpackOp(rewriter, operation);
    }
  }).module;

const bufferized = (session: Session, options: SoundOptions): Module => {
  const { registry, values, expected } = session;
  const result = bufferizeModule(withoutPackings(session), {
    registry,
    dropEquivalentBufferResults: false,
    ...options,
  });
  if (result.status !== 'success') throw new Found('bufferization', rendered(result.diagnostics));
  const wrong = checkModule(result.value, registry, values, expected);
  if (wrong !== undefined) throw new Found('bufferization', `${wrong.kind}: ${wrong.message}`);
  return result.value;
};

/** Emits and runs the function; returns the refusal's code if it cannot be emitted. */
const checkWasm = ({ registry, values, expected }: Session, buffers: Module): string | undefined => {
  const emitted = emitModule(buffers, { registry });
  if (emitted.status !== 'success') {
    const refused = emitted.diagnostics.find(({ severity }) => severity === 'error');
    if (refused !== undefined && wasmRefusals.has(refused.code)) return `${refused.code}: ${refused.message}`;
    throw new Found('wasm', rendered(emitted.diagnostics));
  }
  if (functionOf(buffers) === undefined) throw new Found('wasm', 'the function is gone');
  const outcomes = executeWasm(emitted.value, buffers, values);
  if (outcomes.status !== 'success') throw new Found('wasm', rendered(outcomes.diagnostics));
  for (const [i, outcome] of outcomes.value.entries()) {
    const wrong = difference(outcome, expected);
    if (wrong !== undefined) throw new Found('wasm', i === 0 ? wrong : `in the second run: ${wrong}`);
  }
  return undefined;
};
