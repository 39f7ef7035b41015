/**
 * Four elements in the lanes of a vector: floats as f32, integers as i32, sign-extended, as a scalar loop holds them.
 */
import type { ElementName } from '@sconv/backend';
import type { FunctionBuilder } from './encoder.ts';
import { isHalf, widenVector } from './half-floats.ts';
import type { Code, Expr } from './instructions.ts';
import { f32x4, i16x8, i32, i32x4, v128 } from './instructions.ts';
import type { Storage } from './storage.ts';
import { loadVector, storeVector } from './vector-access.ts';

export const lanes = 4;

/** Bytes of an element in a lane. */
export const laneBytes = 4;

type Vector = Expr<'v128'>;

const loaded: readonly ElementName[] = ['f32', 'f16', 'bf16', 'i8', 'i16', 'i32'];
const stored: readonly ElementName[] = ['f32', 'i32'];

/** Whether elements can be loaded into lanes, or stored from them. */
export const isLoaded = ({ name }: Storage): boolean => loaded.includes(name);
export const isStored = ({ name }: Storage): boolean => stored.includes(name);

/** Loads `count` elements `stride` bytes apart, from `offset` bytes after the pointer; never reads beyond them. */
export const loadLanes = (
  f: FunctionBuilder,
  { name, bytes, load }: Pick<Storage, 'name' | 'bytes' | 'load'>,
  pointer: Expr<'i32'>,
  stride: number,
  offset = 0,
  count = lanes,
): Vector => {
  if (bytes === laneBytes) return loadWords(pointer, stride, offset, count);
  if (isHalf(name)) {
    const bits = stride === bytes && count === lanes ? v128.load16x4U(pointer, offset) : undefined;
    return widenVector(f, name, bits ?? gathered(i32.load16U, pointer, stride, offset, count));
  }
  if (stride === bytes && count === lanes) {
    if (name === 'i16') return v128.load16x4S(pointer, offset);
    return i32x4.extendLowI16x8S(i16x8.extendLowI8x16S(v128.load32Zero(pointer, offset)));
  }
  return gathered(load as typeof i32.load, pointer, stride, offset, count);
};

const loadWords = (pointer: Expr<'i32'>, stride: number, offset: number, count: number): Vector => {
  if (stride === 0) return v128.load32Splat(pointer, offset);
  if (stride === laneBytes) return loadVector(pointer, offset, count);
  if (stride === 2 * laneBytes && count === lanes) {
    const [first, second] = [v128.load(pointer, offset), v128.load(pointer, offset + 3 * laneBytes)];
    return f32x4.shuffle(first, second, [0, 2, 5, 7]);
  }
  let vector = v128.load32Zero(pointer, offset);
  for (let lane = 1; lane < count; lane++) {
    vector = v128.load32Lane(pointer, vector, lane, offset + lane * stride);
  }
  return vector;
};

/** Elements loaded one by one; lanes from `count` are like the first one. */
const gathered = (
  load: typeof i32.load,
  pointer: Expr<'i32'>,
  stride: number,
  offset: number,
  count: number,
): Vector => {
  let vector = i32x4.splat(load(pointer, offset));
  if (stride === 0) return vector;
  for (let lane = 1; lane < count; lane++)
    vector = i32x4.replaceLane(vector, lane, load(pointer, offset + lane * stride));
  return vector;
};

/** The inverse of `loadLanes`, for elements of 32 bits. */
export const storeLanes = (
  pointer: Expr<'i32'>,
  value: Vector,
  stride: number,
  offset = 0,
  count = lanes,
): Code =>
  stride === laneBytes
    ? storeVector(pointer, value, offset, count)
    : Array.from({ length: count }, (_, lane) =>
        v128.store32Lane(pointer, value, lane, offset + lane * stride),
      );

/** Instructions that `loadLanes` takes. */
export const loadCost = ({ bytes }: Storage, stride: number): number => {
  if (stride === 0) return 1;
  if (stride === bytes) return bytes === laneBytes ? 1 : 3;
  return bytes === laneBytes && stride === 2 * laneBytes ? 3 : lanes * (laneBytes / bytes);
};
