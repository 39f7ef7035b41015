/** What a function on tensors computes, before and after bufferization. */
import { unwrap } from '@sconv/diagnostics';
import type { MemRefValue, RuntimeValue } from '@sconv/interpreter';
import { elementsOf, interpret, memref, tensor } from '@sconv/interpreter';
import type { Module, Type } from '@sconv/ir';
import { bodyOf, functionTypeOf } from '@sconv/ir';
import type { SoundOptions } from '../src/index.ts';
import { bufferizeModule } from '../src/index.ts';
import { parse, registry } from './support.ts';

type Numbers = readonly (number | bigint)[];

/** The argument types of `@f`. */
const inputTypes = (module: Module): readonly Type[] => {
  const definition = bodyOf(module.root).operations.find(
    ({ attributes: { sym_name: name } }) => name?.kind === 'string' && name.value === 'f',
  );
  return functionTypeOf(definition?.attributes['function_type'])?.inputs ?? [];
};

/** 1, 2, 3, … in f32 for each shaped argument, starting at a different hundred for each; 1 for a number. */
const valuesOf = (types: readonly Type[], numbers: readonly number[]): readonly (Float32Array | number)[] => {
  const left = [...numbers];
  return types.map((type, i) => {
    if (type.kind !== 'tensor') return left.shift() ?? 1;
    const count = type.shape.reduce((product, size) => product * size, 1);
    return Float32Array.from({ length: count }, (_, k) => 100 * i + k + 1);
  });
};

const shapeOf = (type: Type): readonly number[] => (type.kind === 'tensor' ? type.shape : []);

const plain = (value: RuntimeValue): Numbers => {
  if (typeof value !== 'object') return [value];
  return value.kind === 'tensor' ? [...elementsOf(value)] : elementsOfView(value);
};

const elementsOfView = ({ sizes, strides, offset, allocation }: MemRefValue): Numbers => {
  let positions = [offset];
  sizes.forEach((size, d) => {
    positions = positions.flatMap((at) => Array.from({ length: size }, (_, i) => at + i * strides[d]!));
  });
  return positions.map((at) => allocation.data[at]!);
};

/**
 * The results of `@f` on f32 tensors, and on buffers after bufferization; results are kept as results. Scalar
 * arguments are `numbers`, then 1.
 */
export const computed = (
  text: string,
  numbers: readonly number[] = [],
  options: SoundOptions = {},
): Computed =>
  computedBy(text, numbers, (module) =>
    unwrap(bufferizeModule(module, { registry, dropEquivalentBufferResults: false, ...options })),
  );

interface Computed {
  readonly onTensors: readonly Numbers[];
  readonly onBuffers: readonly Numbers[];
}

/** `computed` with another bufferization, which changes function signatures. */
export const computedBy = (
  text: string,
  numbers: readonly number[],
  bufferize: (module: Module) => Module,
): Computed => {
  const module = parse(text);
  const types = inputTypes(module);
  const values = valuesOf(types, numbers);
  const run = (of: Module, make: typeof tensor | typeof memref): readonly Numbers[] =>
    unwrap(
      interpret(
        of,
        'f',
        values.map((value, i) =>
          typeof value === 'number' ? value : make(shapeOf(types[i]!), value.slice()),
        ),
      ),
    ).map(plain);
  return { onTensors: run(module, tensor), onBuffers: run(bufferize(module), memref) };
};
