/**
 * The transform interpreter: applies a schedule to a payload, op by op. The payload is a value, so an op that fails
 * leaves it as the very object that it was.
 *
 * @deviation Upstream keeps what the earlier targets of a silenceably failing op went through; here an op changes all of
 * its targets or none.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { findSequence } from './find-sequence.ts';
import { operationsPayload } from './payload.ts';
import type { RunOptions, RunResult, RunResultOf } from './run-options.ts';
import { ScheduleRun } from './schedule-run.ts';
import { entryPoint } from './script.ts';
import { TraceRecorder } from './trace-recorder.ts';
import { collectTrace } from './trace.ts';

/** Runs the entry point of `script` on `payload`. A silenceable failure that nothing suppresses is a definite one. */
export const runSchedule = <const O extends RunOptions>(
  script: Module,
  payload: Module,
  options: O,
): Diagnosed<RunResultOf<O>> => {
  const name = options.entryPoint ?? entryPoint;
  const sequence = findSequence(script, name);
  if (sequence === undefined) {
    const message = `could not find a nested named sequence with name: ${name}`;
    return definite(error('transform/no-entry-point', message, script.root.location));
  }
  const [body] = sequence.regions[0]!.blocks;
  if (body === undefined) {
    const message = `the sequence '@${name}' has no body`;
    return definite(error('transform/no-entry-point', message, sequence.location));
  }
  if (body.arguments.length > 1) {
    const message = `the entry point takes the payload's root alone, but has ${body.arguments.length} arguments`;
    return definite(error('transform/entry-arguments', message, sequence.location));
  }
  const trace = options.trace === true ? collectTrace() : undefined;
  const observer = options.trace === true ? trace : options.trace;
  const run = new ScheduleRun(script, payload, {
    ...options,
    tracer: observer === undefined ? undefined : new TraceRecorder(observer, options.now),
  });
  for (const root of body.arguments) run.bind(root, operationsPayload([payload.root.id]));
  const result = run.runBlock(body);
  if (result.status !== 'success') return definite(...run.warnings, ...result.diagnostics);
  const made: RunResult = { module: run.payload, yielded: result.value.map((each) => run.resolve(each)) };
  // The compiler does not follow that there is a trace just where the options ask for it.
  return success((trace === undefined ? made : { ...made, trace }) as RunResultOf<O>, run.warnings);
};
