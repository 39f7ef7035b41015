/** The element types of ONNX tensors, as types of the IR and as typed arrays. */
import type { Type } from '@sconv/ir';
import {
  bf16,
  f16,
  f32,
  f64,
  floatFromBits,
  floatToBits,
  i1,
  i32,
  i64,
  integerType,
  roundToFloat,
} from '@sconv/ir';

/** The arrays that a class makes, whose memory is not shared; before TypeScript 5.7 they have no parameter. */
type OwnArray<C extends { of(...items: never[]): unknown }> = ReturnType<C['of']>;

/** Elements as they lie in a file; halves of floats as their bits. */
export type ElementArray =
  | OwnArray<typeof Float32Array>
  | OwnArray<typeof Float64Array>
  | OwnArray<typeof Int8Array>
  | OwnArray<typeof Int16Array>
  | OwnArray<typeof Int32Array>
  | OwnArray<typeof BigInt64Array>
  | OwnArray<typeof Uint8Array>
  | OwnArray<typeof Uint16Array>
  | OwnArray<typeof Uint32Array>
  | OwnArray<typeof BigUint64Array>;

/** An element type: the IR has signless integers, so that signedness is known here only. */
export interface ElementType {
  readonly name: string;
  /** The number in `TensorProto.DataType`. */
  readonly code: number;
  readonly type: Type;
  readonly kind: 'float' | 'integer' | 'boolean';
  readonly isUnsigned: boolean;
  /** Bytes of an element in a file. */
  readonly size: number;
  readonly view: (buffer: ArrayBuffer, byteOffset?: number, length?: number) => ElementArray;
}

const [i8, i16] = [integerType(8), integerType(16)];

const define = (
  code: number,
  name: string,
  type: Type,
  kind: ElementType['kind'],
  size: number,
  view: ElementType['view'],
): ElementType => ({ name, code, type, kind, isUnsigned: name.startsWith('uint'), size, view });

const bytesOf: ElementType['view'] = (...at) => new Uint8Array(...at);
const words: ElementType['view'] = (...at) => new Uint16Array(...at);

export const float32 = define(1, 'float', f32, 'float', 4, (...at) => new Float32Array(...at));
export const float64 = define(11, 'double', f64, 'float', 8, (...at) => new Float64Array(...at));
export const int64 = define(7, 'int64', i64, 'integer', 8, (...at) => new BigInt64Array(...at));
export const int32 = define(6, 'int32', i32, 'integer', 4, (...at) => new Int32Array(...at));
export const boolean = define(9, 'bool', i1, 'boolean', 1, bytesOf);

const elementTypes: readonly ElementType[] = [
  float32,
  define(2, 'uint8', i8, 'integer', 1, bytesOf),
  define(3, 'int8', i8, 'integer', 1, (...at) => new Int8Array(...at)),
  define(4, 'uint16', i16, 'integer', 2, words),
  define(5, 'int16', i16, 'integer', 2, (...at) => new Int16Array(...at)),
  int32,
  int64,
  boolean,
  define(10, 'float16', f16, 'float', 2, words),
  float64,
  define(12, 'uint32', i32, 'integer', 4, (...at) => new Uint32Array(...at)),
  define(13, 'uint64', i64, 'integer', 8, (...at) => new BigUint64Array(...at)),
  define(16, 'bfloat16', bf16, 'float', 2, words),
];

const byCode: ReadonlyMap<number, ElementType> = new Map(elementTypes.map((type) => [type.code, type]));

/** The element type of a number of `TensorProto.DataType`; undefined for strings, complex and newer ones. */
export const elementTypeOfCode = (code: number): ElementType | undefined => byCode.get(code);

/** The IR's name of a float of two bytes, which is kept as its bits. */
const halfName = ({ type, size }: ElementType): string | undefined =>
  type.kind === 'float' && size === 2 ? type.name : undefined;

/** An element as a number; integers above 2^53 are rounded. */
export const numberAt = (type: ElementType, elements: ElementArray, position: number): number => {
  const element = elements[position]!;
  const half = halfName(type);
  return half === undefined ? Number(element) : floatFromBits(BigInt(element), half);
};

/** Writes a number as an element, rounded to the type. */
export const setNumber = (
  type: ElementType,
  elements: ElementArray,
  position: number,
  value: number,
): void => {
  const half = halfName(type);
  if (half !== undefined) elements[position] = Number(floatToBits(roundToFloat(value, half), half));
  else if (elements instanceof BigInt64Array || elements instanceof BigUint64Array)
    elements[position] = BigInt(Math.trunc(value));
  else if (type.kind === 'boolean') elements[position] = value === 0 ? 0 : 1;
  else elements[position] = value;
};
