/** Runs functions natively and in the interpreter: every operation of the dialects, many functions a library. */
import { arrayTypeOf, halfBits, halfValues } from '@sconv/backend';
import type { Artifact, BufferSignature, Elements } from '@sconv/backend';
import type { Diagnostic, Location } from '@sconv/diagnostics';
import { printLocation, render } from '@sconv/diagnostics';
import type { ElementArray, MemRefValue } from '@sconv/interpreter';
import { interpret, memref } from '@sconv/interpreter';
import type { Module, Type } from '@sconv/ir';
import {
  bf16,
  f16,
  f32,
  f64,
  i1,
  i32,
  i64,
  indexType,
  integerType,
  operationsIn,
  parseModule,
  verify,
} from '@sconv/ir';
import { nativeBackend } from '@sconv/native';
import type { Target } from '@sconv/targets';
import { defaultRegistry as registry } from 'sconv';
import type { Campaign, FoundFault, Share } from './campaign.ts';
import { addCampaigns, noCampaign } from './campaign.ts';
import { drawNative } from './draw-native.ts';
import type { Fault } from './fault.ts';
import type { NativeArgument, NativeElement, NativeProgram } from './native-writer.ts';
import { randomOf } from './random.ts';
import { thrownText } from './run-text.ts';
import { noStatistics } from './statistics.ts';

const types: Readonly<Record<NativeElement, Type>> = {
  i1,
  i8: integerType(8),
  i16: integerType(16),
  i32,
  i64,
  index: indexType,
  f16,
  bf16,
  f32,
  f64,
};

type Numbers = readonly (number | bigint)[];

/** A program that the interpreter executes: what each argument holds afterwards. */
interface Sample {
  readonly index: number;
  readonly program: NativeProgram;
  readonly module: Module;
  readonly expected: readonly Numbers[];
}

const emptyArray = (element: NativeElement, length: number): ElementArray => {
  switch (element) {
    case 'i1':
      return new Uint8Array(length);
    case 'i8':
      return new Int8Array(length);
    case 'i16':
      return new Int16Array(length);
    case 'i32':
      return new Int32Array(length);
    case 'i64':
      return new BigInt64Array(length);
    case 'f16':
    case 'bf16':
    case 'f32':
      return new Float32Array(length);
    default:
      return new Float64Array(length);
  }
};

/** An argument for the interpreter. */
const interpreted = ({ element, shape, values }: NativeArgument): MemRefValue => {
  const data = emptyArray(element, values.length);
  const rounded =
    element === 'f16' || element === 'bf16'
      ? halfValues(element, halfBits(element, values.map(Number)))
      : values;
  rounded.forEach((value, i) => {
    (data as Record<number, number | bigint>)[i] = element === 'index' ? Number(value) : value;
  });
  return memref(shape ?? [], data, { elementType: types[element] });
};

/** An argument for native code. */
const native = ({ element, values }: NativeArgument, signature: BufferSignature): Elements => {
  if (element === 'f16' || element === 'bf16') return halfBits(element, values.map(Number));
  const array = new (arrayTypeOf(signature))(new ArrayBuffer(values.length * signature.elementBytes));
  values.forEach((value, i) => {
    (array as unknown as Record<number, number | bigint>)[i] =
      array instanceof BigInt64Array ? BigInt(value) : value;
  });
  return array;
};

const plain = (element: NativeElement, data: ArrayLike<number | bigint>): Numbers =>
  Array.from(
    data instanceof Uint16Array && (element === 'f16' || element === 'bf16')
      ? halfValues(element, data)
      : data,
    (value) => (element === 'index' ? Number(value) : value),
  );

/** Whether a result may be so far from another. */
const isClose = (
  a: number | bigint,
  b: number | bigint,
  element: NativeElement,
  tolerance: number,
): boolean => {
  if (Object.is(a, b) || (Number.isNaN(a) && Number.isNaN(b))) return true;
  if (tolerance === 0 || typeof a === 'bigint' || typeof b === 'bigint') return a === b && a !== 0;
  const unit = { f16: 2 ** -10, bf16: 2 ** -7, f32: 2 ** -23 }[element as string] ?? 2 ** -52;
  return Math.abs(a - b) <= tolerance * unit * Math.max(Math.abs(a), Math.abs(b), 2 ** -12);
};

/** The diagnostics as one text. */
const rendered = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics.map((diagnostic) => render(diagnostic)).join('\n');

/** What program `index` of a seed computes in the interpreter; a fault if it is invalid, undefined if it cannot be executed. */
const sampleOf = (seed: number, index: number): Sample | Fault | undefined => {
  const program = drawNative(randomOf(seed, index));
  const parsed = parseModule(program.text, { registry });
  const wrong = (message: string): Fault => ({ kind: 'payload', transform: undefined, message });
  if (parsed.status !== 'success') return wrong(rendered(parsed.diagnostics));
  const errors = verify(parsed.value, registry);
  if (errors.length > 0) return wrong(rendered(errors));
  const values = program.arguments.map(interpreted);
  const outcome = interpret(parsed.value, 'f', values);
  if (outcome.status !== 'success') {
    const [first] = outcome.diagnostics;
    // Divisions by zero, for example.
    if (first?.code !== 'interpreter/unsupported-op') return undefined;
    return wrong(rendered(outcome.diagnostics));
  }
  const expected = values.map(({ allocation: { data } }, i) => plain(program.arguments[i]!.element, data));
  return { index, program, module: parsed.value, expected };
};

/** The programs as one module, each with symbols of its own. */
const together = (samples: readonly Sample[]): string =>
  samples
    .map(({ program: { text } }, i) => text.replaceAll(/@([a-z]+)\b/g, (_, name: string) => `@${name}_${i}`))
    .join('\n');

/** How the memory differs after a call; undefined if it does not. */
const difference = (artifact: Artifact, name: string, { program, expected }: Sample): string | undefined => {
  const signature = artifact.functions.find((each) => each.name === name)!;
  const values = program.arguments.map((each, i) => native(each, signature.parameters[i] as BufferSignature));
  artifact.run(name, ...values);
  for (const [i, { element }] of program.arguments.entries()) {
    const actual = plain(element, values[i]!);
    const at = actual.findIndex((value, k) => !isClose(value, expected[i]![k]!, element, program.tolerance));
    if (at >= 0) {
      return `element ${at} of argument ${i} is ${String(actual[at])}, and ${String(expected[i]![at])} in the interpreter`;
    }
  }
  return undefined;
};

const fault = (
  seed: number,
  { index, program }: Pick<Sample, 'index' | 'program'>,
  found: Fault,
): FoundFault => ({
  seed,
  index,
  times: 1,
  fault: found,
  payload: program.text,
  dynamicSizes: [],
  script: '',
});

/** What differs of programs that are built as one library; a library that cannot be built is built in halves. */
const compare = async (
  seed: number,
  samples: readonly Sample[],
  target: Target,
): Promise<readonly FoundFault[]> => {
  if (samples.length === 0) return [];
  const halves = async (): Promise<readonly FoundFault[]> => {
    const middle = samples.length >> 1;
    return [
      ...(await compare(seed, samples.slice(0, middle), target)),
      ...(await compare(seed, samples.slice(middle), target)),
    ];
  };
  const found = (sample: Sample, kind: Fault['kind'], message: string): FoundFault =>
    fault(seed, sample, { kind, transform: operationOf(sample), message });
  try {
    const parsed = parseModule(together(samples), { registry });
    if (parsed.status !== 'success') throw new Error(rendered(parsed.diagnostics));
    const emitted = nativeBackend.emit(parsed.value, { target, registry });
    if (emitted.status !== 'success')
      return samples.map((each) => found(each, 'native', rendered(emitted.diagnostics)));
    const loaded = await nativeBackend.load(emitted.value);
    if (loaded.status !== 'success') {
      const [failure] = loaded.diagnostics;
      const at = functionAt(failure!, emitted.value.functions);
      if (samples.length > 1 && at === undefined) return await halves();
      const bad = samples[at ?? 0]!;
      const rest = samples.filter((each) => each !== bad);
      return [
        found(bad, 'native', render(failure!, undefined, { details: true })),
        ...(await compare(seed, rest, target)),
      ];
    }
    const artifact = loaded.value;
    const faults = samples.flatMap((sample, i) => {
      const message = difference(artifact, `f_${i}`, sample);
      return message === undefined ? [] : [found(sample, 'result', message)];
    });
    artifact.dispose();
    return faults;
  } catch (thrown) {
    if (samples.length > 1) return halves();
    return [found(samples[0]!, 'throw', thrownText(thrown))];
  }
};

/** The number of the function whose location a diagnostic has; undefined if it is the first one's, which any failure may have. */
const functionAt = (
  { location, message }: Diagnostic,
  functions: readonly { readonly name: string; readonly location: Location }[],
): number | undefined => {
  const found = functions.find((each) => printLocation(each.location) === printLocation(location));
  const at = found === undefined ? undefined : Number(found.name.split('_')[1]);
  return at === 0 && !message.includes(' on ') ? undefined : at;
};

/** Operations that programs have to make data and results of others. */
const plumbing = /^(builtin|func\.(func|return)|arith\.constant|memref\.(load|store|copy|cast))/;

const namesIn = ({ module }: Sample): readonly string[] => operationsIn(module.root).map(({ name }) => name);

/** The operation that a program shows. */
const operationOf = (sample: Sample): string =>
  [
    ...new Set(namesIn(sample).filter((name) => !plumbing.test(name) && !/transfer_(read|write)/.test(name))),
  ].join(' ') || [...new Set(namesIn(sample).filter((name) => !plumbing.test(name)))].join(' ');

/** Programs a library. */
const batch = 50;

/** Compares the programs of a share; what is refused by name is counted, by operation. */
export const runNative = async ({ seed, from, to }: Share, target: Target): Promise<Campaign> => {
  let campaign = noCampaign;
  for (let start = from; start < to; start += batch) {
    const samples: Sample[] = [];
    for (let index = start; index < Math.min(to, start + batch); index++) {
      const sample = sampleOf(seed, index);
      const features: Record<string, number> = {};
      const faults: FoundFault[] = [];
      if (sample === undefined) features['not executed'] = 1;
      else if (!('program' in sample)) {
        faults.push(fault(seed, { index, program: drawNative(randomOf(seed, index)) }, sample));
      } else {
        for (const name of new Set(namesIn(sample))) features[name] = 1;
        const emitted = emittedAlone(sample, target);
        if (emitted === undefined) samples.push(sample);
        else if (emitted.code === 'native/unsupported') features[`refused: ${emitted.message}`] = 1;
        else
          faults.push(
            fault(seed, sample, { kind: 'native', transform: operationOf(sample), message: render(emitted) }),
          );
      }
      campaign = addCampaigns(campaign, {
        statistics: { ...noStatistics, payloads: 1, features },
        faults,
        texts: [],
      });
    }
    const faults = await compare(seed, samples, target);
    campaign = addCampaigns(campaign, { ...noCampaign, faults });
  }
  return campaign;
};

/** Why a program is not compiled; undefined if it is. */
const emittedAlone = (sample: Sample, target: Target): Diagnostic | undefined => {
  try {
    const { status, diagnostics } = nativeBackend.emit(sample.module, { target, registry });
    return status === 'success' ? undefined : diagnostics[0];
  } catch {
    // Found again with the others.
    return undefined;
  }
};
