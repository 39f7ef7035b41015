/** What packings store: elements of 32 bits, read from what has as many or is converted to that. */
import type { ElementName } from '@sconv/backend';
import type { ElementConversion } from '@sconv/dialects';
import type { Operation, Value } from '@sconv/ir';
import type { FunctionBuilder } from './encoder.ts';
import { widenVector } from './half-floats.ts';
import type { Code, Expr } from './instructions.ts';
import { i16x8, i32, i32x4, typed, v128 } from './instructions.ts';
import type { Buffer, Lowering } from './lowering.ts';
import { scalarOf } from './lowering.ts';
import type { Storage } from './storage.ts';
import { loadVector } from './vector-access.ts';

/** Bytes of an element that is packed. */
export const packedBytes = 4;

/** How elements are read, converted and stored. Reads touch no byte beyond their elements. */
export interface PackedElement {
  /** Bytes of an element in the source. */
  readonly bytes: number;
  /** One element, converted. */
  readonly load: (address: Expr<'i32'>, offset?: number) => Expr;
  readonly store: (address: Expr<'i32'>, value: Expr, offset?: number) => Code;
  /** What an element of this value is when it was read. */
  readonly convert: (value: Expr) => Expr;
  /** Four elements that lie side by side, converted. */
  readonly loadFour: (address: Expr<'i32'>, offset: number) => Expr<'v128'>;
  /** The first `count` (1 … 4) as `loadFour`, the other lanes 0; undefined where there is no such load. */
  readonly loadSome?: (address: Expr<'i32'>, offset: number, count: number) => Expr<'v128'>;
}

/** Four elements of a storage in lanes of 32 bits, extended. */
const fourOf = (
  f: FunctionBuilder,
  name: ElementName,
  address: Expr<'i32'>,
  offset: number,
): Expr<'v128'> | undefined => {
  switch (name) {
    case 'f32':
    case 'i32':
      return v128.load(address, offset);
    case 'f16':
    case 'bf16':
      return widenVector(f, name, v128.load16x4U(address, offset));
    case 'i16':
      return v128.load16x4S(address, offset);
    case 'i8':
      return i32x4.extendLowI16x8S(i16x8.extendLowI8x16S(v128.load32Zero(address, offset)));
    default:
      return undefined;
  }
};

/** The storage that elements of another are converted to by the one extension that there is code for; itself without one. */
const extensions: Readonly<Record<string, readonly [string, ElementName]>> = {
  f16: ['arith.extf', 'f32'],
  bf16: ['arith.extf', 'f32'],
  i8: ['arith.extsi', 'i32'],
  i16: ['arith.extsi', 'i32'],
};

/**
 * How the elements of a packing are read from its source; undefined for a conversion without code on vectors. `around` is the
 * operation that packs.
 */
export const packedElement = (
  state: Lowering,
  around: Operation,
  source: Buffer,
  target: Buffer,
  { steps }: ElementConversion,
): PackedElement | undefined => {
  const { f } = state;
  const [from, to] = [source.storage, target.storage];
  if (to.name !== 'f32' && to.name !== 'i32') return undefined;
  const extension = from.name === to.name ? undefined : extensions[from.name];
  if (from.name !== to.name && extension?.[1] !== to.name) return undefined;
  const last = steps.at(-1);
  const subtraction = last?.name === 'arith.subi' ? last : undefined;
  const zeroPoint = subtraction?.operands[1];
  // What a zero point is made of comes before it is subtracted.
  const made = steps.filter(({ results }) => results[0]?.id === zeroPoint?.id);
  const others = steps.filter((step) => step !== subtraction && !made.includes(step));
  if (others.map(({ name }) => name).join() !== (extension?.[0] ?? '')) return undefined;
  return elementOf(f, from, to, zeroPoint && zeroPointOf(state, around, zeroPoint, made));
};

/** A number of i32, and four of it. */
interface ZeroPoint {
  readonly scalar: Expr<'i32'>;
  readonly vector: Expr<'v128'>;
}

/** Elements of one storage as those of another one, of which there is code for vectors, less a zero point. */
export const elementOf = (
  f: FunctionBuilder,
  from: Storage,
  to: Storage,
  zero?: ZeroPoint,
): PackedElement => {
  const less = (value: Expr): Expr =>
    zero === undefined ? value : i32.sub(typed(value, 'i32'), zero.scalar);
  const lessFour = (value: Expr<'v128'>): Expr<'v128'> =>
    zero === undefined ? value : i32x4.sub(value, zero.vector);
  return {
    bytes: from.bytes,
    load: (address, offset) => less(from.load(address, offset)),
    convert: less,
    store: (address, value, offset) => to.store(address, value, offset),
    loadFour: (address, offset) => lessFour(fourOf(f, from.name, address, offset)!),
    ...(from.bytes === packedBytes
      ? { loadSome: (address, offset, count) => lessFour(loadVector(address, offset, count)) }
      : {}),
  };
};

/** A zero point, computed once. */
const zeroPointOf = (
  state: Lowering,
  around: Operation,
  value: Value,
  made: readonly Operation[],
): ZeroPoint => {
  for (const step of made) state.lowerOperation(step);
  const { f } = state;
  const scalar = f.get(f.let(typed(scalarOf(state, around, value), 'i32')));
  return { scalar, vector: f.get(f.let(i32x4.splat(scalar))) };
};
