/** What packings store: elements of 32 bits, read as such or converted, or f64. */
import type { ElementName } from '@sconv/backend';
import type { ConversionStep } from '@sconv/dialects/kernel';
import type { Operation, Value } from '@sconv/ir';
import { i32 as int32 } from '@sconv/ir';
import type { FunctionBuilder } from './encoder.ts';
import { widenVector } from './half-floats.ts';
import type { Code, Expr } from './instructions.ts';
import { f32x4, i16x8, i32, i32x4, typed, v128 } from './instructions.ts';
import type { Lowering } from './lowering.ts';
import { scalarOf } from './lowering.ts';
import type { Storage } from './storage.ts';
import { storageOf } from './storage.ts';
import { loadVector } from './vector-access.ts';

/** How elements are loaded, converted and stored. Loads touch no byte beyond their elements. */
export interface PackedElement {
  /** Bytes of a source element. */
  readonly bytes: number;
  /** Bytes of a packed element. */
  readonly packedBytes: 4 | 8;
  /** One element, converted. */
  readonly load: (address: Expr<'i32'>, offset?: number) => Expr;
  readonly store: (address: Expr<'i32'>, value: Expr, offset?: number) => Code;
  /** Converts a loaded element. */
  readonly convert: (value: Expr) => Expr;
  /** As many contiguous elements as fill a vector, converted. */
  readonly loadWhole: (address: Expr<'i32'>, offset: number) => Expr<'v128'>;
  /** The first `count` of them, at least 1, the other lanes 0; undefined if there is no such load. */
  readonly loadSome?: (address: Expr<'i32'>, offset: number, count: number) => Expr<'v128'>;
}

/** Four elements of a storage, extended to 32-bit lanes; two f64. */
const vectorOf = (
  f: FunctionBuilder,
  name: ElementName,
  address: Expr<'i32'>,
  offset: number,
): Expr<'v128'> | undefined => {
  switch (name) {
    case 'f32':
    case 'f64':
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

const word = storageOf(int32)!;

/**
 * The storage that the only supported extension of another one converts to; without an extension the storage itself.
 */
const extensions: Readonly<Record<string, readonly [string, ElementName]>> = {
  f16: ['arith.extf', 'f32'],
  bf16: ['arith.extf', 'f32'],
  i8: ['arith.extsi', 'i32'],
  i16: ['arith.extsi', 'i32'],
};

/** The conversions of a packing that have a vector form. */
interface KnownConversion {
  readonly from: Storage;
  /** That of the converted elements, or of both halves of a pair. */
  readonly to: Storage;
  readonly zeroPoint: Value | undefined;
  /** Whether elements are stored as 16 bits, two of them adjacent. */
  readonly isHalved: boolean;
}

/** The conversion of a packing's elements; undefined if it has no vector form. `isPaired`: see `unpaired`. */
export const knownConversion = (
  source: Storage | undefined,
  target: Storage | undefined,
  steps: readonly ConversionStep[],
  isPaired: boolean,
): KnownConversion | undefined => {
  const isHalved = isPaired && target?.name === 'i16' && steps.at(-1)?.name === 'arith.trunci';
  const to = isHalved ? word : target;
  if (source === undefined || (to?.name !== 'f32' && to?.name !== 'f64' && to?.name !== 'i32'))
    return undefined;
  const extension = source.name === to.name ? undefined : extensions[source.name];
  if (source.name !== to.name && extension?.[1] !== to.name) return undefined;
  const whole = isHalved ? steps.slice(0, -1) : steps;
  const zeroPoint = whole.at(-1)?.zeroPoint;
  const others = zeroPoint === undefined ? whole : whole.slice(0, -1);
  if (others.map(({ name }) => name).join() !== (extension?.[0] ?? '')) return undefined;
  return { from: source, to, zeroPoint, isHalved };
};

/** How the elements of a packing are read from its source; the halves of a pair are `apart` bytes apart there. */
export const packedElement = (
  state: Lowering,
  around: Operation,
  { from, to, zeroPoint, isHalved }: KnownConversion,
  apart = 0,
): PackedElement => {
  const element = elementOf(state.f, from, to, zeroPoint && zeroPointOf(state, around, zeroPoint));
  return isHalved ? pairOf(state.f, element, apart) : element;
};

/** An i32 number, and its broadcast. */
interface ZeroPoint {
  readonly scalar: Expr<'i32'>;
  readonly vector: Expr<'v128'>;
}

/** Elements of one storage converted to another, by conversions with a vector form, minus a zero point. */
export const elementOf = (
  f: FunctionBuilder,
  from: Storage,
  to: Storage,
  zero?: ZeroPoint,
): PackedElement => {
  const less = (value: Expr): Expr =>
    zero === undefined ? value : i32.sub(typed(value, 'i32'), zero.scalar);
  const lessWhole = (value: Expr<'v128'>): Expr<'v128'> =>
    zero === undefined ? value : i32x4.sub(value, zero.vector);
  return {
    bytes: from.bytes,
    packedBytes: to.bytes === 8 ? 8 : 4,
    load: (address, offset) => less(from.load(address, offset)),
    convert: less,
    store: (address, value, offset) => to.store(address, value, offset),
    loadWhole: (address, offset) => lessWhole(vectorOf(f, from.name, address, offset)!),
    ...(from.bytes === to.bytes
      ? {
          loadSome: (address, offset, count) =>
            lessWhole(loadVector(address, offset, (count * from.bytes) / 4)),
        }
      : {}),
  };
};

/** Pairs of elements `apart` bytes apart, packed as 16 bits each into 32. Converted elements have to fit. */
export const pairOf = (f: FunctionBuilder, element: PackedElement, apart: number): PackedElement => {
  const joined = (low: Expr, high: Expr): Expr<'i32'> =>
    i32.or(i32.and(typed(low, 'i32'), i32.const(0xffff)), i32.shl(typed(high, 'i32'), i32.const(16)));
  const joinedFour = (low: Expr<'v128'>, high: Expr<'v128'>): Expr<'v128'> =>
    v128.or(v128.and(low, i32x4.splat(i32.const(0xffff))), i32x4.shl(high, i32.const(16)));
  const isAdjacent = apart === element.bytes;
  return {
    bytes: isAdjacent ? 2 * element.bytes : element.bytes,
    packedBytes: 4,
    load: (address, offset = 0) =>
      joined(element.load(address, offset), element.load(address, offset + apart)),
    convert: (value) => {
      const converted = f.get(f.let(element.convert(value)));
      return joined(converted, converted);
    },
    store: (address, value, offset) => i32.store(address, typed(value, 'i32'), offset),
    loadWhole: (address, offset) => {
      if (!isAdjacent)
        return joinedFour(element.loadWhole(address, offset), element.loadWhole(address, offset + apart));
      const first = f.get(f.let(element.loadWhole(address, offset)));
      const second = f.get(f.let(element.loadWhole(address, offset + 4 * apart)));
      return joinedFour(
        f32x4.shuffle(first, second, [0, 2, 4, 6]),
        f32x4.shuffle(first, second, [1, 3, 5, 7]),
      );
    },
  };
};

/** A zero point, computed once. */
const zeroPointOf = (state: Lowering, around: Operation, value: Value): ZeroPoint => {
  const { f } = state;
  const scalar = f.get(f.let(typed(scalarOf(state, around, value), 'i32')));
  return { scalar, vector: f.get(f.let(i32x4.splat(scalar))) };
};
