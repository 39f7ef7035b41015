/** The process that measures plans for another one: loads code, fills copies of its arguments, checks its output. */
import type { Artifact, Emitted, FunctionSignature, LoadOptions, RunValue } from '@sconv/backend';
import { byteLengthOf } from '@sconv/backend';
import { unwrap } from '@sconv/diagnostics';
import type { MeasuringSide, Subject, Temperature } from '@sconv/tuning';
import { cacheFlusher, copiesFor, serveMeasurements } from '@sconv/tuning';
import { clocks } from '../bench/clock.ts';
import { mixOf } from '../bench/ours.ts';
import { targetPeaks } from '../bench/target-peaks.ts';
import { mismatches } from '../bench/workload.ts';
import { nodeBackends } from '../node-backends.ts';
import { enableRelaxedSimd } from '../relaxed-simd.ts';
import { fillArguments } from '../run/fill-arguments.ts';
import { outputsOf } from '../run/outputs.ts';
import type { Setup } from './setup.ts';

/** Answers the parent process until it is gone. */
export const serveTuning = (): void => {
  serveMeasurements((setup) => Promise.resolve(openSide(setup as Setup)));
};

const openSide = (setup: Setup): MeasuringSide => {
  const { target, clock: clockName, cacheBytes } = setup;
  if (target.machine.vector?.fused === true && target.machine.isa === 'wasm32') enableRelaxedSimd();
  const clock = clocks[clockName];
  const flush = cacheFlusher(cacheBytes);
  // Native code for it is built, or looked up.
  let peaks: ReturnType<typeof targetPeaks> | undefined;
  return {
    clock,
    flush,
    peak: async () => {
      peaks ??= targetPeaks(target, clock);
      return (await peaks)[mixOf(target)]?.();
    },
    load: (code, temperature) => loadSubject(code as Emitted, temperature, setup),
  };
};

/** Each array of the artifact begins at such a multiple. */
const arrayAlignment = 64;

/** What is kept of bound arguments: a copy of them, packed, and edges of these. */
const keptOfBound = 4;

/** Throws a `DiagnosticError` for code that does not load, and where there is no room for its arguments. */
const loadSubject = async (code: Emitted, temperature: Temperature, setup: Setup): Promise<Subject> => {
  const signature = code.functions.find(({ name }) => name === setup.functionName)!;
  const sizes = signature.parameters.map((parameter) => byteLengthOf(parameter) + arrayAlignment);
  const tensorBytes = sizes.reduce((sum, each) => sum + each, 0);
  const boundBytes = setup.bound.reduce((sum, position) => sum + (sizes[position] ?? 0), 0);
  const copies = copiesFor(temperature, tensorBytes, setup.cacheBytes);
  const heapBytes = copies * (tensorBytes + keptOfBound * boundBytes) + 2 ** 20;
  const artifact = await loaded(code, { heapBytes });
  try {
    return subjectOf(artifact, signature, copies, setup);
  } catch (problem) {
    artifact.dispose();
    throw problem;
  }
};

/** Loads code by the backend that has emitted it. */
const loaded = async (code: Emitted, options: LoadOptions): Promise<Artifact> => {
  const backend = nodeBackends.find(({ name }) => name === code.backend);
  if (backend === undefined) throw new Error(`no backend '${code.backend}'`);
  return unwrap(await backend.load(code, options));
};

const subjectOf = (
  artifact: Artifact,
  signature: FunctionSignature,
  copies: number,
  { functionName, bound, expected }: Setup,
): Subject => {
  const values = Array.from({ length: copies }, () =>
    unwrap(fillArguments(signature, artifact, { inputs: [] })),
  );
  const first = values[0]!.map((value) => (typeof value === 'object' ? value.slice() : value));
  const written = signature.parameters.flatMap((parameter, i) =>
    parameter.kind === 'buffer' && parameter.written ? [i] : [],
  );
  const bindings = values.map((ofCopy) =>
    bound.length === 0
      ? undefined
      : artifact.bind(
          functionName,
          Object.fromEntries(bound.map((position) => [position, ofCopy[position]!])),
        ),
  );
  const unbound = values.map((ofCopy) => ofCopy.filter((_, position) => !bound.includes(position)));
  const results: (readonly RunValue[])[] = values.map(() => []);
  const outputs = (copy: number): readonly RunValue[] =>
    outputsOf(signature, values[copy]!, results[copy]!).map(({ value }) => value);
  return {
    copies,
    call: (copy) => {
      results[copy] =
        bindings[copy] === undefined
          ? artifact.run(functionName, ...values[copy]!)
          : bindings[copy].run(...unbound[copy]!);
    },
    reset: (copy) => {
      for (const position of written) {
        const value = values[copy]![position];
        bytesOf(value).set(bytesOf(first[position]));
      }
    },
    wrong: (copy) => {
      const found = outputs(copy).map(elementsOf);
      const wanted = (expected ?? []).map(elementsOf);
      return {
        wrong: wanted.reduce((sum, each, i) => sum + mismatches(each, found[i] ?? []), 0),
        elements: wanted.reduce((sum, { length }) => sum + length, 0),
      };
    },
    output: (copy) => outputs(copy).map((value) => (typeof value === 'object' ? value.slice() : value)),
    dispose: () => artifact.dispose(),
  };
};

/** The bytes of an array; none of a number. */
const bytesOf = (value: RunValue | undefined): Uint8Array =>
  typeof value === 'object'
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array();

const elementsOf = (value: RunValue): ArrayLike<unknown> => (typeof value === 'object' ? value : [value]);
