/**
 * Accesses of `vector` to buffers. What is in bounds and contiguous moves by whole registers; where a mask or a bound
 * is known at run time only, elements are accessed one by one unless all of them are.
 */
import type { AffineExpr } from '@sconv/affine';
import { add, constant, dim, mul } from '@sconv/affine';
import type { AccessPlaces } from '@sconv/dialects/vector';
import { accessPlaces, transferOf, vectorShape } from '@sconv/dialects/vector';
import type { Operation, Type, Value } from '@sconv/ir';
import { elementCount } from '@sconv/ir';
import { maskIn } from './arrange-lanes.ts';
import type { Local } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { i32, typed, v128 } from './instructions.ts';
import type { Buffer, LaneBytes, Lowering, VectorValue } from './lowering.ts';
import {
  bufferOf,
  constantOf,
  elementOffset,
  indexCode,
  indexOf,
  operandOf,
  resultOf,
  scalarOf,
  unsupported,
} from './lowering.ts';
import type { ElementPlace } from './vector-places.ts';
import { loadPlaces, storePlaces } from './vector-places.ts';
import type { Register } from './vector-value.ts';
import {
  bindVector,
  elementAt,
  heldNumber,
  isMask,
  kept,
  laneCount,
  registerCount,
  splatOf,
  vectorOf,
  vectorTypeOf,
  withElement,
} from './vector-value.ts';
import type { WasmLowering } from './wasm-lowering.ts';

/** A read or write of a vector's elements. */
interface Access {
  readonly buffer: Buffer;
  /** The index of the first element. */
  readonly start: readonly AffineExpr[];
  readonly vector: Value;
  readonly places: AccessPlaces;
  readonly masks: readonly Value[];
}

const maskingOf = (state: Lowering, operation: Operation): readonly Value[] => {
  const around = state.maskings.get(operation.id);
  return around === undefined ? [] : [around.mask];
};

const bufferAt = (state: Lowering, operation: Operation, value: Value): Buffer => {
  if (value.type.kind.endsWith('tensor'))
    return unsupported(operation, `a value of kind ${value.type.kind}`, ': bufferize it first');
  return bufferOf(state, operation, value);
};

const indicesOf = (state: Lowering, operation: Operation, values: readonly Value[]): readonly AffineExpr[] =>
  values.map((value) => indexOf(state, operation, value));

/** A `vector.transfer_read` or `vector.transfer_write`. */
const transferAccess = (state: Lowering, operation: Operation): Access => {
  const transfer = transferOf(operation) ?? unsupported(operation, 'this transfer');
  const { type } = vectorTypeOf(operation, transfer.vector);
  const buffer = bufferAt(state, operation, transfer.source);
  return {
    buffer,
    start: indicesOf(state, operation, transfer.indices),
    vector: transfer.vector,
    places: accessPlaces(type.shape, buffer.sizes.length, transfer.map.results, transfer.inBounds),
    masks: [...(transfer.mask === undefined ? [] : [transfer.mask]), ...maskingOf(state, operation)],
  };
};

/** An access to the last dimensions, in bounds. */
const contiguousAccess = (
  state: Lowering,
  operation: Operation,
  base: Value,
  indices: readonly Value[],
  vector: Value,
  masks: readonly Value[] = [],
): Access => {
  const { type } = vectorTypeOf(operation, vector);
  const buffer = bufferAt(state, operation, base);
  const { length: rank } = buffer.sizes;
  const map = type.shape.map((_, i) => dim(rank - type.shape.length + i));
  return {
    buffer,
    start: indicesOf(state, operation, indices),
    vector,
    places: accessPlaces(
      type.shape,
      rank,
      map,
      map.map(() => true),
    ),
    masks,
  };
};

/** The distance of each element from the first one of the access, in elements, dimension by dimension. */
const stepsOf = ({ dimensions }: AccessPlaces, index: readonly number[]): readonly number[] =>
  dimensions.map((dimension) => (dimension < 0 ? 0 : index[dimension]!));

/**
 * Where the elements are: constant distances from as few pointers as there are positions along dimensions whose stride
 * is known at run time only.
 */
const placesOf = (state: Lowering, { buffer, start, places }: Access): readonly ElementPlace[] => {
  const { bytes } = buffer.storage;
  const strides = buffer.strides.map(constantOf);
  const distances = places.indices.map((index) => {
    const steps = stepsOf(places, index);
    return {
      fixed: steps.reduce((sum, step, d) => sum + step * (strides[d] ?? 0) * bytes, 0),
      moving: steps.map((step, d) => (strides[d] === undefined ? step : 0)),
    };
  });
  // An address plus a distance does not wrap around: the pointer is to the lowest element.
  const least = distances.reduce((all, { fixed }) => Math.min(all, fixed), 0);
  const first = add(elementOffset(buffer, start), least);
  const pointers = new Map<string, Expr<'i32'>>();
  return distances.map(({ fixed, moving }) => {
    const key = moving.join();
    const known = pointers.get(key);
    if (known !== undefined) return { pointer: known, offset: fixed - least };
    const moved = moving.reduce<AffineExpr>(
      (sum, step, d) => (step === 0 ? sum : add(sum, mul(buffer.strides[d]!, step * bytes))),
      first,
    );
    const pointer = state.f.get(state.f.let(i32.add(buffer.base, state.indices.emit(moved))));
    pointers.set(key, pointer);
    return { pointer, offset: fixed - least };
  });
};

/** Conditions of an access. */
interface Conditions {
  /** Whether all elements are accessed; undefined if that is known. */
  readonly all: Expr<'i32'> | undefined;
  /** Whether this one is; undefined if that is known. */
  readonly each: (element: number) => Expr<'i32'> | undefined;
}

const conjunction = (conditions: readonly Expr<'i32'>[]): Expr<'i32'> | undefined =>
  conditions.length === 0 ? undefined : conditions.reduce((all, each) => i32.and(all, each));

/** Whether all elements of a mask are set: none of those of its complement. */
const allSet = (mask: VectorValue, count: number): Expr<'i32'> => {
  const lanes = laneCount(mask.bytes);
  const parts = mask.registers.map((register, r) => {
    const used = Math.min(lanes, count - r * lanes) * mask.bytes;
    const own = v128.const(Uint8Array.from({ length: 16 }, (_, byte) => (byte < used ? 255 : 0)));
    return used === 16 ? v128.not(register) : v128.and(v128.not(register), own);
  });
  return i32.eqz(v128.anyTrue(parts.reduce((all, each) => v128.or(all, each))));
};

const conditionsOf = (state: Lowering, operation: Operation, access: Access): Conditions => {
  const { f } = state;
  const { buffer, start, places } = access;
  const shape = vectorShape(access.vector.type);
  const masks = access.masks.map((value) => ({
    mask: vectorOf(state, operation, value),
    count: elementCount(vectorShape(value.type)),
    type: value.type.kind === 'vector' ? value.type.elementType : value.type,
  }));
  const bounds = buffer.sizes.map((size, d) => {
    if (places.strict[d] !== false) return undefined;
    const at = f.get(f.let(indexCode(state, operation, start[d]!)));
    const end = f.get(f.let(indexCode(state, operation, size)));
    const extent = shape[places.dimensions[d]!]!;
    const isIn = Array.from({ length: extent }, (_, i) =>
      f.get(f.let(i32.ltU(i === 0 ? at : i32.add(at, i32.const(i)), end))),
    );
    // Also the first one: a size is never negative, so that what begins before 0 is not below it.
    return { isIn, whole: extent === 1 ? isIn[0]! : i32.and(isIn[0]!, isIn[extent - 1]!) };
  });
  const whole = [
    ...bounds.flatMap((each) => each?.whole ?? []),
    ...masks.map(({ mask, count }) => allSet(mask, count)),
  ];
  return {
    all: conjunction(whole),
    each: (element) => {
      const steps = stepsOf(places, places.indices[element]!);
      return conjunction([
        ...bounds.flatMap((each, d) => each?.isIn[steps[d]!] ?? []),
        ...masks.map(({ mask, type }) => typed(elementAt(mask, type, places.masks[element]!), 'i32')),
      ]);
    },
  };
};

/** What a read gives where it does not read: a number, or a vector's elements. */
type Rest = VectorValue | Expr;

/** New locals, with these values: the registers of a vector that is made element by element. */
const begun = (
  { f }: Lowering,
  bytes: LaneBytes,
  type: Type,
  count: number,
  rest: Rest | undefined,
): readonly Local<'v128'>[] => {
  const start = rest ?? heldNumber(type, 0);
  if ('registers' in start)
    return (isMask(type) ? maskIn(start, count, bytes) : start).registers.map((register) => f.let(register));
  const register = kept(f, splatOf(bytes, type, start));
  return Array.from({ length: registerCount(count, bytes) }, () => f.let(register));
};

const setElement = (
  { f }: Lowering,
  registers: readonly Local<'v128'>[],
  bytes: LaneBytes,
  type: Type,
  element: number,
  value: Expr,
): void => {
  const lanes = laneCount(bytes);
  const local = registers[Math.floor(element / lanes)]!;
  f.set(local, withElement(bytes, type, f.get(local), element % lanes, value));
};

/** An address that may be outside: the sum wraps around, as addresses do. */
const placeAddress = ({ pointer, offset }: ElementPlace): Expr<'i32'> =>
  offset === 0 ? pointer : i32.add(pointer, i32.const(offset));

const read = (
  state: Lowering,
  operation: Operation,
  access: Access,
  rest: (() => Rest) | undefined,
): void => {
  const { f } = state;
  const { type, count, bytes } = vectorTypeOf(operation, access.vector);
  const { elementType } = type;
  const { storage } = access.buffer;
  const { all, each } = conditionsOf(state, operation, access);
  const places = placesOf(state, access);
  const whole = (): readonly Register[] => loadPlaces(state, storage, elementType, places);
  if (all === undefined) {
    bindVector(state, access.vector, bytes, whole());
    return;
  }
  const registers = begun(state, bytes, elementType, count, rest?.());
  f.if(
    all,
    () => {
      whole().forEach((register, r) => {
        f.set(registers[r]!, register);
      });
    },
    () => {
      places.forEach((place, i) => {
        f.if(each(i)!, () => {
          setElement(state, registers, bytes, elementType, i, storage.load(placeAddress(place)));
        });
      });
    },
  );
  bindVector(
    state,
    access.vector,
    bytes,
    registers.map((local) => f.get(local)),
  );
};

const write = (state: Lowering, operation: Operation, access: Access): void => {
  const { f } = state;
  const { type } = vectorTypeOf(operation, access.vector);
  const { storage } = access.buffer;
  const vector = vectorOf(state, operation, access.vector);
  const { all, each } = conditionsOf(state, operation, access);
  const places = placesOf(state, access);
  const whole = (): void => {
    storePlaces(state, storage, type.elementType, places, vector);
  };
  if (all === undefined) {
    whole();
    return;
  }
  f.if(all, whole, () => {
    places.forEach((place, i) => {
      f.if(each(i)!, () => {
        f.statement(storage.store(placeAddress(place), elementAt(vector, type.elementType, i)));
      });
    });
  });
};

/** A value as what a read gives elsewhere. */
const restOf = (state: Lowering, operation: Operation, value: Value): Rest =>
  value.type.kind === 'vector' ? vectorOf(state, operation, value) : scalarOf(state, operation, value);

const lowerTransferRead: WasmLowering = (state, operation) => {
  const access = transferAccess(state, operation);
  const padding = operandOf(operation, 1 + access.start.length);
  const rest = state.maskings.get(operation.id)?.passthru ?? padding;
  read(state, operation, access, () => restOf(state, operation, rest));
};

const lowerTransferWrite: WasmLowering = (state, operation) => {
  write(state, operation, transferAccess(state, operation));
};

const lowerLoad: WasmLowering = (state, operation) => {
  const [base, ...indices] = operation.operands;
  if (base === undefined) return unsupported(operation, 'a load without buffer');
  read(state, operation, contiguousAccess(state, operation, base, indices, resultOf(operation)), undefined);
};

const lowerStore: WasmLowering = (state, operation) => {
  const [vector, base, ...indices] = operation.operands;
  if (vector === undefined || base === undefined) return unsupported(operation, 'a store without buffer');
  write(state, operation, contiguousAccess(state, operation, base, indices, vector));
};

/** The operands of a masked access: a buffer, indices, and the last ones. */
const maskedOperands = (
  operation: Operation,
  last: number,
): { readonly base: Value; readonly indices: readonly Value[]; readonly rest: readonly Value[] } => {
  const [base, ...others] = operation.operands;
  if (base === undefined || others.length < last) return unsupported(operation, 'this access');
  return { base, indices: others.slice(0, -last), rest: others.slice(-last) };
};

const lowerMaskedLoad: WasmLowering = (state, operation) => {
  const { base, indices, rest } = maskedOperands(operation, 2);
  const [mask, passthru] = rest as [Value, Value];
  const access = contiguousAccess(state, operation, base, indices, resultOf(operation), [mask]);
  read(state, operation, access, () => restOf(state, operation, passthru));
};

const lowerMaskedStore: WasmLowering = (state, operation) => {
  const { base, indices, rest } = maskedOperands(operation, 2);
  const [mask, vector] = rest as [Value, Value];
  write(state, operation, contiguousAccess(state, operation, base, indices, vector, [mask]));
};

/** An access to elements at other distances: those of a vector, or as many as elements before it are accessed. */
const lowerScattered =
  (isWrite: boolean, hasDistances: boolean): WasmLowering =>
  (state, operation) => {
    const { f } = state;
    const { base, indices, rest } = maskedOperands(operation, hasDistances ? 3 : 2);
    const [mask, given] = rest.slice(-2) as [Value, Value];
    const { type, count, bytes } = vectorTypeOf(operation, given);
    const { elementType } = type;
    const buffer = bufferAt(state, operation, base);
    const { storage } = buffer;
    const first = elementOffset(buffer, indicesOf(state, operation, indices));
    const pointer = f.get(f.let(i32.add(buffer.base, state.indices.emit(first))));
    const stride = indexCode(state, operation, mul(buffer.strides.at(-1) ?? constant(0), storage.bytes));
    const masks = [mask, ...maskingOf(state, operation)].map((each) => ({
      vector: vectorOf(state, operation, each),
      type: each.type.kind === 'vector' ? each.type.elementType : each.type,
    }));
    const passthru = state.maskings.get(operation.id)?.passthru ?? given;
    const values = vectorOf(state, operation, isWrite ? given : passthru);
    const registers = isWrite ? [] : begun(state, bytes, elementType, count, values);
    const next = hasDistances ? undefined : f.let(pointer);
    const addressOf = (element: number): Expr<'i32'> => {
      if (next !== undefined) return f.get(next);
      const [distances] = rest as [Value];
      const distance = distanceAt(state, operation, distances, element);
      return i32.add(pointer, i32.mul(distance, stride));
    };
    for (let i = 0; i < count; i++) {
      const isSet = conjunction(masks.map((each) => typed(elementAt(each.vector, each.type, i), 'i32')))!;
      f.if(isSet, () => {
        if (isWrite) f.statement(storage.store(addressOf(i), elementAt(values, elementType, i)));
        else setElement(state, registers, bytes, elementType, i, storage.load(addressOf(i)));
        if (next !== undefined) f.set(next, i32.add(f.get(next), stride));
      });
    }
    if (isWrite) return;
    bindVector(
      state,
      resultOf(operation),
      bytes,
      registers.map((local) => f.get(local)),
    );
  };

const distanceAt = (
  state: Lowering,
  operation: Operation,
  distances: Value,
  element: number,
): Expr<'i32'> => {
  const { type } = vectorTypeOf(operation, distances);
  const distance = elementAt(vectorOf(state, operation, distances), type.elementType, element);
  return distance.type === 'i64' ? i32.wrapI64(typed(distance, 'i64')) : typed(distance, 'i32');
};

/** By operation name. */
export const vectorMemoryOps: Readonly<Record<string, WasmLowering>> = {
  'vector.transfer_read': lowerTransferRead,
  'vector.transfer_write': lowerTransferWrite,
  'vector.load': lowerLoad,
  'vector.store': lowerStore,
  'vector.maskedload': lowerMaskedLoad,
  'vector.maskedstore': lowerMaskedStore,
  'vector.gather': lowerScattered(false, true),
  'vector.scatter': lowerScattered(true, true),
  'vector.expandload': lowerScattered(false, false),
  'vector.compressstore': lowerScattered(true, false),
};
