/**
 * The transform interpreter: applies a schedule to a payload, op by op. The payload is a value, so a failing op
 * leaves it unchanged, as the same object.
 *
 * @deviation If an op fails silenceably, upstream keeps its changes to earlier targets; here an op changes all of its
 * targets or none.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { expectModule, expectRegistry } from '@sconv/ir';
import { findSequence, sequenceNames } from './find-sequence.ts';
import type { Payload } from './payload.ts';
import { payloadKindOf } from './payload.ts';
import type { RunOptions, RunResult, RunResultOf } from './run-options.ts';
import { ScheduleRun } from './schedule-run.ts';
import { entryPoint } from './script.ts';
import { TraceRecorder } from './trace-recorder.ts';
import { collectTrace } from './trace.ts';

/** The names of entry point arguments in diagnostics. */
const topLevelNames: Readonly<Record<Payload['kind'], string>> = {
  operations: 'top-level operation handle',
  values: 'the top-level value handle',
  params: 'top-level parameter',
};

/** Runs the entry point of `script` on `payload`. An unsuppressed silenceable failure becomes a definite one. */
export const runSchedule = <const O extends RunOptions>(
  script: Module,
  payload: Module,
  options: O,
): Diagnosed<RunResultOf<O>> => {
  expectModule('script', script);
  expectModule('payload', payload);
  expectRegistry('runSchedule', options);
  const name = options.entryPoint ?? entryPoint;
  const sequence = findSequence(script, name);
  if (sequence === undefined) {
    const there = sequenceNames(script);
    const list = there.length === 0 ? '' : ` (there are ${there.map((each) => `@${each}`).join(', ')})`;
    const message = `could not find a nested named sequence with name: ${name}${list}`;
    return definite(error('transform/no-entry-point', message, script.root.location));
  }
  const [body] = sequence.regions[0]!.blocks;
  if (body === undefined) {
    const message = `the sequence '@${name}' has no body`;
    return definite(error('transform/no-entry-point', message, sequence.location));
  }
  const { bindings = [] } = options;
  const [root, ...trailing] = body.arguments;
  if (trailing.length !== bindings.length) {
    const message =
      `operation expects ${trailing.length} extra value bindings, but ${bindings.length} were provided ` +
      'to the interpreter';
    return definite(error('transform/entry-arguments', message, sequence.location));
  }
  for (const [i, { type }] of trailing.entries()) {
    const kind = payloadKindOf(type);
    if (bindings[i]!.kind === kind) continue;
    const message = `wrong kind of value provided for ${topLevelNames[kind]}`;
    return definite(error('transform/entry-arguments', message, sequence.location));
  }
  const trace = options.trace === true ? collectTrace() : undefined;
  const observer = options.trace === true ? trace : options.trace;
  const run = new ScheduleRun(script, payload, {
    ...options,
    tracer: observer === undefined ? undefined : new TraceRecorder(observer, options.now),
  });
  if (root !== undefined) run.bind(root, run.rootPayload);
  trailing.forEach((argument, i) => {
    run.bind(argument, bindings[i]!);
  });
  const result = run.runBlock(body);
  if (result.status !== 'success') return definite(...run.warnings, ...result.diagnostics);
  const made: RunResult = { module: run.payload, yielded: result.value.map((each) => run.resolve(each)) };
  // The compiler cannot infer that there is a trace exactly if the options request one.
  return success((trace === undefined ? made : { ...made, trace }) as RunResultOf<O>, run.warnings);
};
