/** A backend whose code is JavaScript: it recognizes the laws' functions by name. */
import { definite, error, success, unknownLocation } from '@sconv/diagnostics';
import type {
  ArtifactCore,
  Backend,
  BufferSignature,
  Emitted,
  FunctionSignature,
  ParameterSignature,
  RunValue,
} from '../src/index.ts';
import { arrayTypeOf, checkArguments, createArtifact } from '../src/index.ts';

const buffer: BufferSignature = { kind: 'buffer', element: 'f32', elementBytes: 4, shape: [4], length: 4 };
const read: ParameterSignature = { ...buffer, written: false };
const number = { kind: 'scalar', type: 'f32' } as const;
const integer = { kind: 'scalar', type: 'i64' } as const;

const signature = (
  name: string,
  parameters: readonly ParameterSignature[],
  results: FunctionSignature['results'],
): FunctionSignature => ({ name, location: unknownLocation, parameters, results });

const functions: readonly FunctionSignature[] = [
  signature('mix', [read, read, { ...buffer, written: true }], [buffer]),
  signature('same', [read], [buffer]),
  signature('fresh', [read], [buffer]),
  signature('add', [number, number], [number]),
  signature('count', [integer, { kind: 'scalar', type: 'i32' }, integer], [integer]),
];

type Code = (...values: readonly RunValue[]) => RunValue;

/** The code, with its own memory for the result of `fresh`. */
const codeOf = (): Readonly<Record<string, Code>> => {
  const memory = new Float32Array(4);
  return {
    mix: (x, y, o) => {
      const [a, b, c] = [x, y, o] as [Float32Array, Float32Array, Float32Array];
      c.forEach((old, i) => (c[i] = old + (a[i] ?? 0) + 10 * (b[i] ?? 0)));
      return c;
    },
    same: (x) => x,
    fresh: (x) => {
      memory.set(x as Float32Array);
      return memory;
    },
    add: (a, b) => Number(a) + Number(b),
    count: (a, b, c) => (a as bigint) + BigInt(b as number) + (c as bigint),
  };
};

/** Bytes that an artifact can allocate. */
const capacity = 4096;

export const coreOf = (): ArtifactCore & Required<Pick<ArtifactCore, 'call'>> => {
  const code = codeOf();
  let used = 0;
  return {
    functions,
    call: (name, values) => {
      const found = functions.find((each) => each.name === name)!;
      checkArguments(found, values);
      return success([code[name]!(...values)]);
    },
    allocate: (element, length) => {
      const elementBytes = {
        f32: 4,
        f64: 8,
        f16: 2,
        bf16: 2,
        i1: 1,
        i8: 1,
        i16: 2,
        i32: 4,
        i64: 8,
        index: 8,
      }[element];
      if (used + length * elementBytes > capacity) throw new RangeError('no room');
      used += length * elementBytes;
      const bytes = new ArrayBuffer(length * elementBytes);
      return new (arrayTypeOf({ element, elementBytes }))(bytes) as never;
    },
    release: ({ byteLength }) => {
      used -= byteLength;
    },
  };
};

const load: NonNullable<Backend['loadSync']> = (emitted, { signal } = {}) => {
  if (emitted.backend !== 'script') throw new TypeError(`'${emitted.backend}' has emitted it`);
  return signal?.aborted === true
    ? definite(error('test/aborted', 'aborted', unknownLocation))
    : success(createArtifact(coreOf()));
};

export const scriptBackend: Required<Omit<Backend, 'save'>> = {
  name: 'script',
  serves: () => true,
  emit: (): ReturnType<Backend['emit']> => success<Emitted>({ backend: 'script', functions }),
  load: (emitted, options) => Promise.resolve().then(() => load(emitted, options)),
  loadSync: load,
};
