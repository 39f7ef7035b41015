/** The work of `sconv run`: a payload is scheduled, bufferized, compiled to WebAssembly, run and checked. */
import type { FunctionSignature, RunValue } from '@sconv/backend';
import { oneShotBufferize } from '@sconv/bufferization';
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import {
  andThen,
  definite,
  error,
  fileLocation,
  filePosition,
  success,
  unknownName,
} from '@sconv/diagnostics';
import type { Module, Operation } from '@sconv/ir';
import { children, parseModule, walk } from '@sconv/ir';
import type { Edges } from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import type { WasmInstance } from '@sconv/wasm';
import { emitModule, instantiate } from '@sconv/wasm';
import type { SourceFile } from '../console.ts';
import { defaultRegistry } from '../default-registry.ts';
import { countMultiplyAdds } from '../multiply-adds.ts';
import type { PlannedConvolution, ScheduledModule } from '../observed-plans.ts';
import { runObserved } from '../observed-plans.ts';
import { parseSchedule } from '../parse-schedule.ts';
import { convolutionsOf, targetSchedule } from '../target-schedule.ts';
import type { Comparison, Output } from './check-result.ts';
import { checkResult } from './check-result.ts';
import { fillArguments } from './fill-arguments.ts';
import type { Timed } from './measure.ts';
import { measure } from './measure.ts';
import { unscheduledConvolutions } from './unscheduled.ts';

export interface RunRequest {
  readonly payload: SourceFile;
  /** Undefined: the one that the target asks for. */
  readonly schedule: SourceFile | undefined;
  /** A WebAssembly target. */
  readonly target: Target;
  /** What becomes of remainders, where there is no schedule that says so. */
  readonly edges: Edges;
  /** The function to run; undefined: the only one. */
  readonly functionName: string | undefined;
  /** Raw little-endian elements, for the first buffers that the function takes. */
  readonly inputs: readonly SourceBytes[];
  readonly check: boolean;
  readonly repeat: number;
  /** Called with what is done next. */
  readonly onProgress?: (what: string) => void;
}

/** A file of bytes. */
export interface SourceBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What came of it. */
export interface RunOutcome {
  readonly functionName: string;
  readonly plans: readonly PlannedConvolution[];
  /** Multiply-adds of one run, and the part of them that microkernels make; undefined where sizes are dynamic. */
  readonly multiplyAdds: number | undefined;
  readonly microkernelMacShare: number | undefined;
  readonly time: Timed;
  /** Elements of all results, or of the buffers that are written where there are none. */
  readonly elements: number;
  /** Whether a check was asked for. */
  readonly isChecked: boolean;
  /** Undefined where no check was asked for, or where there is nothing to compare with. */
  readonly comparison: Comparison | undefined;
}

/** Runs a payload. The diagnostics of a success are warnings of its transforms. */
export const runPayload = (request: RunRequest): Diagnosed<RunOutcome> => {
  const { payload, onProgress } = request;
  const registry = defaultRegistry;
  onProgress?.('parsing');
  return andThen(parseModule(payload.text, { registry, fileName: payload.name }), (module) =>
    andThen(functionToRun(module, request), (functionName) => {
      onProgress?.('scheduling');
      return andThen(observed(module, functionName, request), (result) =>
        andThen(compile(result.module, request), ({ instance, description }) =>
          execute(module, result, functionName, instance, description(functionName), request),
        ),
      );
    }),
  );
};

const nameOf = (operation: Operation): string => {
  const symbol = operation.attributes['sym_name'];
  return symbol?.kind === 'string' ? symbol.value : '';
};

/** The function that the request names, or the only one there is. */
const functionToRun = (module: Module, { payload, functionName }: RunRequest): Diagnosed<string> => {
  const functions = children(module.root)
    .filter(({ name, regions }) => name === 'func.func' && (regions[0]?.blocks.length ?? 0) > 0)
    .map(nameOf);
  const [only, ...others] = functions;
  const location = fileLocation(payload.name, 1, 1);
  if (only === undefined) {
    return definite(error('run/no-function', 'the payload has no function to run', location));
  }
  const known = functions.map((name) => `@${name}`).join(', ');
  if (functionName === undefined) {
    if (others.length === 0) return success(only);
    return definite(error('run/which-function', `which function? there are ${known}`, location));
  }
  if (functions.includes(functionName)) return success(functionName);
  return definite(error('run/no-function', unknownName('function', functionName, functions), location));
};

/** The function and those that it calls. */
const functionsRun = (module: Module, functionName: string): readonly Operation[] => {
  const names = [functionName];
  // The list grows while it is read.
  for (const name of names) {
    const definition = children(module.root).find((operation) => nameOf(operation) === name);
    for (const { attributes } of definition === undefined ? [] : walk(definition)) {
      const { callee } = attributes;
      if (callee?.kind === 'symbol-ref' && !names.includes(callee.root)) names.push(callee.root);
    }
  }
  return children(module.root).filter((operation) => names.includes(nameOf(operation)));
};

/** The payload after its schedule, with the plans of what is run, and warnings about what has none. */
const observed = (module: Module, functionName: string, request: RunRequest): Diagnosed<ScheduledModule> =>
  andThen(scheduled(module, request), (result) => {
    const run = functionsRun(module, functionName);
    const ids = new Set(run.flatMap((each) => [...walk(each)]).map(({ id }) => id));
    const plans = result.plans.filter(({ operation }) => ids.has(operation.id));
    const warnings = unscheduledConvolutions(run, result.module, request.schedule !== undefined);
    return success({ module: result.module, plans }, warnings);
  });

/** The payload after the schedule of the request, or after that of the target. */
const scheduled = (
  module: Module,
  { payload, schedule, target, edges }: RunRequest,
): Diagnosed<ScheduledModule> => {
  const registry = defaultRegistry;
  if (schedule !== undefined) {
    return andThen(parseSchedule(schedule, registry), (script) => runObserved(script, module, { registry }));
  }
  if (convolutionsOf(module).length === 0) return success({ module, plans: [] });
  const result = andThen(targetSchedule(module, target, edges), (recorded) =>
    runObserved(recorded.module, module, { registry }),
  );
  return { ...result, diagnostics: result.diagnostics.map((each) => inPayload(each, payload.name)) };
};

/** A diagnostic of a schedule that no person wrote, with what it says of the payload only. */
const inPayload = (diagnostic: Diagnostic, file: string): Diagnostic => {
  const isInside = ({ location }: Pick<Diagnostic, 'location'>) => filePosition(location)?.file === file;
  const notes = diagnostic.notes.filter(isInside);
  const [first] = notes;
  return isInside(diagnostic) || first === undefined
    ? { ...diagnostic, notes }
    : { ...diagnostic, location: first.location, notes: notes.slice(1) };
};

interface Compiled {
  readonly instance: WasmInstance;
  readonly description: (functionName: string) => FunctionSignature;
}

const compile = (module: Module, { target, onProgress }: RunRequest): Diagnosed<Compiled> => {
  onProgress?.('compiling');
  // The result stays a result, so that a function need not be known to write into an argument.
  const bufferized = oneShotBufferize(module, {
    registry: defaultRegistry,
    dropEquivalentBufferResults: false,
  });
  return andThen(bufferized, (onBuffers) =>
    andThen(
      emitModule(onBuffers, { relaxed: target.machine.vector?.fused ?? false }),
      (emitted): Diagnosed<Compiled> => {
        try {
          const instance = instantiate(emitted);
          const description = (functionName: string) =>
            emitted.functions.find(({ name }) => name === functionName)!;
          return success({ instance, description });
        } catch (problem) {
          // The host refuses a memory that it has no room for.
          if (!(problem instanceof RangeError)) throw problem;
          return definite(error('run/memory', `cannot allocate: ${problem.message}`, module.root.location));
        }
      },
    ),
  );
};

const execute = (
  payload: Module,
  { module, plans }: ScheduledModule,
  functionName: string,
  instance: WasmInstance,
  description: FunctionSignature,
  request: RunRequest,
): Diagnosed<RunOutcome> =>
  andThen(
    fillArguments(description, instance.buffers(functionName), request),
    (values): Diagnosed<RunOutcome> => {
      const { check, repeat, onProgress } = request;
      onProgress?.('running');
      const given = check ? values.map(copied) : [];
      const first = instance.call(functionName, ...values);
      if (first.status !== 'success') return first;
      const outputs = outputsOf(description, values, first.value);
      const kept = check ? outputs.map(({ value, argument }) => ({ value: copied(value), argument })) : [];
      const time = timed(() => instance.call(functionName, ...values), repeat);
      if (time.status !== 'success') return time;
      const functionOf = (each: Module) =>
        children(each.root).find((operation) => nameOf(operation) === functionName)!;
      const done = countMultiplyAdds(functionOf(module));
      const outcome = {
        functionName,
        isChecked: check,
        plans,
        multiplyAdds: done?.total,
        microkernelMacShare:
          done === undefined || done.total === 0 ? undefined : done.inMicrokernels / done.total,
        time: time.value,
        elements: outputs.reduce((sum, { value }) => sum + (typeof value === 'object' ? value.length : 1), 0),
      };
      if (!check) return success({ ...outcome, comparison: undefined });
      onProgress?.('checking');
      const execution = { given, outputs: kept, isExact: request.inputs.length === 0 };
      return andThen(checkResult(payload, functionOf(payload), execution), (comparison) =>
        success({ ...outcome, comparison }),
      );
    },
  );

/** Times calls. A later one takes what the earlier ones have written, so it may fail where the first has not. */
const timed = (call: () => Diagnosed<unknown>, repeat: number): Diagnosed<Timed> => {
  const failures: Diagnosed<never>[] = [];
  const time = measure(() => {
    const result = call();
    if (result.status !== 'success') failures.push(result);
  }, repeat);
  return failures[0] ?? success(time);
};

const copied = (value: RunValue): RunValue => (typeof value === 'object' ? value.slice() : value);

/** What a function computes: its results, or, if it has none, the buffers that it writes. */
const outputsOf = (
  { parameters }: FunctionSignature,
  values: readonly RunValue[],
  results: readonly RunValue[],
): readonly Output[] =>
  results.length > 0
    ? results.map((value) => ({ value, argument: undefined }))
    : values.flatMap((value, argument) => {
        const parameter = parameters[argument];
        return parameter?.kind === 'buffer' && parameter.written ? [{ value, argument }] : [];
      });
