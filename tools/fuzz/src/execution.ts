/** Executes a payload's function: on the same small integers for every form of it, with results as plain lists. */
import type { Elements, RunValue } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, error, mapSuccess, success } from '@sconv/diagnostics';
import type { ElementArray, RuntimeValue } from '@sconv/interpreter';
import { elementsOf, integerData, interpret, memref, tensor } from '@sconv/interpreter';
import type { Module, Operation, Type } from '@sconv/ir';
import { children, DYNAMIC, functionTypeOf } from '@sconv/ir';
import type { WasmModule } from '@sconv/wasm';
import { instantiate } from '@sconv/wasm';

/** A payload whose only public function, `@f`, is to be executed. */
export interface Subject {
  /** MLIR text. */
  readonly payload: string;
  /** The sizes for the `?`s in the argument types, in order. */
  readonly dynamicSizes: readonly number[];
}

/** The function of a payload that is executed. */
const functionName = 'f';

/** The contents of an argument or result, row-major; a scalar is a list of one. */
export type Numbers = readonly (number | bigint)[];

/** An argument with its actual shape; `undefined` for a scalar. */
export interface ArgumentData {
  readonly type: Type;
  readonly shape: readonly number[] | undefined;
  readonly numbers: Numbers;
}

/** The function `@f` of a module. */
export const functionOf = (module: Module): Operation | undefined =>
  children(module.root).find((operation) => {
    const symbol = operation.attributes['sym_name'];
    return operation.name === 'func.func' && symbol?.kind === 'string' && symbol.value === functionName;
  });

/** The argument and result types of `@f`. */
export const typesOf = (
  module: Module,
): { readonly inputs: readonly Type[]; readonly results: readonly Type[] } =>
  functionTypeOf(functionOf(module)?.attributes['function_type']) ?? { inputs: [], results: [] };

/** Small integers for each argument, all different; for buffers the same as in `sconv run`. */
export const argumentsOf = (module: Module, { dynamicSizes }: Subject): readonly ArgumentData[] => {
  const sizes = [...dynamicSizes];
  let buffers = 0;
  return typesOf(module).inputs.map((type): ArgumentData => {
    if (type.kind !== 'tensor' && type.kind !== 'memref') {
      const isBig = type.kind === 'integer' && type.width > 32;
      return { type, shape: undefined, numbers: [isBig ? 1n : 1] };
    }
    const shape = type.shape.map((size) => (size === DYNAMIC ? (sizes.shift() ?? 1) : size));
    buffers += 1;
    const data = Array.from(
      integerData(
        shape.reduce((product, size) => product * size, 1),
        buffers,
      ),
    );
    const { elementType } = type;
    if (elementType.kind !== 'integer') return { type, shape, numbers: data };
    if (elementType.width > 32) return { type, shape, numbers: data.map(BigInt) };
    return { type, shape, numbers: elementType.width === 1 ? data.map((value) => value & 1) : data };
  });
};

/** These elements in an array for their type. */
export const arrayOf = (elementType: Type, numbers: Numbers): ElementArray => {
  const plain = numbers as readonly number[];
  if (elementType.kind === 'float') {
    return elementType.name === 'f64' ? Float64Array.from(plain) : Float32Array.from(plain);
  }
  if (elementType.kind !== 'integer') return Float64Array.from(plain);
  if (elementType.width > 32) return BigInt64Array.from(numbers as readonly bigint[]);
  if (elementType.width === 1) return Uint8Array.from(plain);
  if (elementType.width <= 8) return Int8Array.from(plain);
  return elementType.width <= 16 ? Int16Array.from(plain) : Int32Array.from(plain);
};

const runtimeValue = (type: Type, { shape, numbers }: ArgumentData): RuntimeValue => {
  if (shape === undefined || (type.kind !== 'tensor' && type.kind !== 'memref')) return numbers[0]!;
  const data = arrayOf(type.elementType, numbers);
  return type.kind === 'tensor'
    ? tensor(shape, data, type.elementType)
    : memref(shape, data, { elementType: type.elementType });
};

/** The elements of a value, row-major. */
export const numbersOf = (value: RuntimeValue): Numbers => {
  if (typeof value !== 'object') return [value];
  if (value.kind === 'tensor') return Array.from<number | bigint>(elementsOf(value));
  const numbers: (number | bigint)[] = [];
  const visit = (dimension: number, at: number): void => {
    if (dimension === value.sizes.length) {
      numbers.push(value.allocation.data[at]!);
      return;
    }
    for (let i = 0; i < value.sizes[dimension]!; i++)
      visit(dimension + 1, at + i * value.strides[dimension]!);
  };
  visit(0, value.offset);
  return numbers;
};

/** The outcome of a run: the results, and the argument buffers. */
export interface Outcome {
  readonly results: readonly Numbers[];
  readonly buffers: readonly Numbers[];
}

/** More than any payload worth generating takes. */
const maxSteps = 20_000_000;

/** Runs the function in the interpreter. */
export const execute = (module: Module, values: readonly ArgumentData[]): Diagnosed<Outcome> => {
  const { inputs } = typesOf(module);
  const given = values.map((value, i) => runtimeValue(inputs[i] ?? value.type, value));
  return mapSuccess(interpret(module, functionName, given, { maxSteps }), (results) => ({
    results: results.map(numbersOf),
    buffers: given.flatMap((value) =>
      typeof value === 'object' && value.kind === 'memref' ? [numbersOf(value)] : [],
    ),
  }));
};

const wasmArray = (elementType: Type, numbers: Numbers): Elements => {
  const array = arrayOf(elementType, numbers);
  if (array instanceof Uint8Array) return Int8Array.from(array);
  // An index is an i32 there.
  if (elementType.kind === 'index') return Int32Array.from(array as Float64Array);
  return array as Elements;
};

const wasmNumbers = (value: RunValue): Numbers =>
  typeof value === 'object' ? Array.from<number | bigint>(value) : [value];

/**
 * Runs the function of an emitted module twice on fresh data, to detect state left by the first run; returns both
 * outcomes.
 */
export const executeWasm = (
  emitted: WasmModule,
  module: Module,
  values: readonly ArgumentData[],
): Diagnosed<readonly Outcome[]> => {
  const { inputs } = typesOf(module);
  const instance = instantiate(emitted);
  const run = (): Outcome => {
    const given = values.map(({ shape, numbers }, i): RunValue => {
      const type = inputs[i]!;
      return shape === undefined || type.kind !== 'memref'
        ? numbers[0]!
        : wasmArray(type.elementType, numbers);
    });
    const results = instance.run(functionName, ...given).map(wasmNumbers);
    return { results, buffers: given.filter((value) => typeof value === 'object').map(wasmNumbers) };
  };
  try {
    return success([run(), run()]);
  } catch (problem) {
    if (!(problem instanceof WebAssembly.RuntimeError)) throw problem;
    return definite(error('fuzz/wasm-trap', problem.message, module.root.location));
  }
};

const same = (actual: Numbers, expected: Numbers): boolean =>
  actual.length === expected.length &&
  actual.every((value, i) => value === expected[i] || (Number.isNaN(value) && Number.isNaN(expected[i])));

const shown = (numbers: Numbers): string =>
  `[${numbers.slice(0, 24).join(', ')}${numbers.length > 24 ? ', …' : ''}]`;

/**
 * How an outcome differs from the expected results; undefined if it does not. A bufferized function may return fewer
 * results: the missing ones must be in one of the buffers.
 */
export const difference = (outcome: Outcome, expected: readonly Numbers[]): string | undefined => {
  const { results, buffers } = outcome;
  if (results.length === expected.length) {
    const i = expected.findIndex((numbers, position) => !same(results[position]!, numbers));
    return i < 0 ? undefined : `result ${i} is ${shown(results[i]!)}, not ${shown(expected[i]!)}`;
  }
  const explains = (position: number, next: number): boolean => {
    const wanted = expected[position];
    if (wanted === undefined) return next === results.length;
    const returned = results[next];
    if (returned !== undefined && same(returned, wanted) && explains(position + 1, next + 1)) return true;
    return buffers.some((buffer) => same(buffer, wanted)) && explains(position + 1, next);
  };
  if (explains(0, 0)) return undefined;
  const found = [...results, ...buffers].map(shown).join(', ');
  return `the results ${expected.map(shown).join(', ')} are not among ${found}`;
};

/** `difference` for the outcome of a run, or its failure. */
export const problemOf = (run: Diagnosed<Outcome>, expected: readonly Numbers[]): string | undefined => {
  const result = andThen(run, (outcome) => success(difference(outcome, expected)));
  return result.status === 'success'
    ? result.value
    : result.diagnostics.map(({ code, message }) => `${code}: ${message}`).join('; ');
};
