/** Runs a textual script, with all failures as values. */
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { mapSuccess, render } from '@sconv/diagnostics';
import type { Id, Module, Registry } from '@sconv/ir';
import { bodyOf, parseModule, printModule } from '@sconv/ir';
import {
  entryPoint,
  findSequence,
  idsIn,
  operationsPayload,
  ScheduleRun,
  TraceRecorder,
} from '@sconv/transform';
import type { Fault } from './fault.ts';

/** The effect of a script on a payload. */
export interface Run {
  /** The payload ids of each handle that the entry point yields. */
  readonly result: Diagnosed<readonly (readonly Id[])[]>;
  readonly payload: Module;
  /** The payload after each successful op of the script. */
  readonly stages: readonly { readonly transform: string; readonly module: Module }[];
}

/** The outcome of a run, or the fault that it shows. */
export type Trial = { readonly run: Run } | { readonly fault: Fault };

/** The text of a module. */
export const printed = (module: Module, registry: Registry): string => printModule(module, { registry });

/** Diagnostics as text. */
export const rendered = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics.map((diagnostic) => render(diagnostic)).join('\n');

/** The message of a thrown value, with its innermost frames. */
export const thrownText = (thrown: unknown): string =>
  thrown instanceof Error
    ? `${thrown.name}: ${thrown.message}\n${(thrown.stack ?? '').split('\n').slice(1, 6).join('\n')}`
    : String(thrown);

/** The inputs of a run. */
export interface RunSubject {
  readonly payload: Module;
  readonly registry: Registry;
  /** The op to attribute faults to. */
  readonly transform: string;
  /** The payload of the entry point's arguments; default: the root. */
  readonly handles?: readonly (readonly Id[])[];
}

/** Runs a script on a payload. */
export const runText = (text: string, { payload, registry, transform, handles }: RunSubject): Trial => {
  const bindings = handles ?? [[payload.root.id]];
  const stages: { readonly transform: string; readonly module: Module }[] = [];
  try {
    const script = parseModule(text, { registry, fileName: 'script.mlir' });
    if (script.status !== 'success') {
      return { fault: { kind: 'script', transform, message: `${rendered(script.diagnostics)}\n${text}` } };
    }
    const run = new ScheduleRun(script.value, payload, {
      registry,
      tracer: new TraceRecorder({
        leave: (node, module) => {
          if (node.kind === 'step' && node.expandedFrom === undefined && node.status === 'success') {
            stages.push({ transform: node.operation.name, module });
          }
        },
      }),
    });
    const body = bodyOf(findSequence(script.value, entryPoint)!);
    body.arguments.forEach((argument, i) => run.bind(argument, operationsPayload(bindings[i]!)));
    const result = mapSuccess(run.runBlock(body), (yielded) => yielded.map(idsIn));
    return { run: { result, payload: run.payload, stages } };
  } catch (thrown) {
    return { fault: { kind: 'throw', transform, message: thrownText(thrown) } };
  }
};
