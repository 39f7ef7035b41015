/** Running a script that is text, with everything that can go wrong as a value. */
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

/** What a script did to a payload. */
export interface Run {
  /** The payload ids of each handle that the entry point yields. */
  readonly result: Diagnosed<readonly (readonly Id[])[]>;
  readonly payload: Module;
  /** The payload after each op of the script that succeeded. */
  readonly stages: readonly { readonly transform: string; readonly module: Module }[];
}

/** What a run gave, or the fault that shows. */
export type Trial = { readonly run: Run } | { readonly fault: Fault };

/** The text of a module. */
export const printed = (module: Module, registry: Registry): string => printModule(module, { registry });

/** Diagnostics as text, one after the other. */
export const rendered = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics.map((diagnostic) => render(diagnostic)).join('\n');

/** What a thrown value says, with the innermost frames. */
export const thrownText = (thrown: unknown): string =>
  thrown instanceof Error
    ? `${thrown.name}: ${thrown.message}\n${(thrown.stack ?? '').split('\n').slice(1, 6).join('\n')}`
    : String(thrown);

/** What a script is run on. */
export interface RunSubject {
  readonly payload: Module;
  readonly registry: Registry;
  /** The op at which what goes wrong shows. */
  readonly transform: string;
  /** What the arguments of the entry point stand for; the root, if it is not said. */
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
