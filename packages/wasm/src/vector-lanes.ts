/**
 * Elements in the lanes of a vector. In lanes of 32 bits they are held as a scalar loop holds them: floats as f32,
 * integers as i32, sign-extended. Lanes of other sizes hold them as the memory does.
 */
import type { ElementName } from '@sconv/backend';
import type { FunctionBuilder } from './encoder.ts';
import { isHalf, narrowVector, widenVector } from './half-floats.ts';
import type { Code, Expr } from './instructions.ts';
import { f32x4, i16x8, i32, i32x4, i8x16, v128 } from './instructions.ts';
import type { Storage } from './storage.ts';
import { loadBytes, loadVector, pieceOf, storeBytes } from './vector-access.ts';

type Vector = Expr<'v128'>;

/** How a vector is divided. */
export interface LaneShape {
  readonly name: 'i8' | 'i16' | 'words' | 'f64';
  readonly lanes: number;
  /** Bytes of a lane. */
  readonly bytes: number;
}

/** The divisions of a vector; `words` holds elements of 32 bits, and smaller ones extended. */
export const laneShapes: { readonly [N in LaneShape['name']]: LaneShape & { readonly name: N } } = {
  i8: { name: 'i8', lanes: 16, bytes: 1 },
  i16: { name: 'i16', lanes: 8, bytes: 2 },
  words: { name: 'words', lanes: 4, bytes: 4 },
  f64: { name: 'f64', lanes: 2, bytes: 8 },
};

const loaded: readonly ElementName[] = ['f32', 'f16', 'bf16', 'i8', 'i16', 'i32'];
const stored: readonly ElementName[] = ['f32', 'f16', 'bf16', 'i32'];

/** Whether elements can be loaded into lanes of this shape, or stored from them. */
export const isLoaded = ({ name, bytes }: Storage, shape: LaneShape): boolean =>
  shape.name === 'words' ? loaded.includes(name) : bytes === shape.bytes;
export const isStored = ({ name, bytes }: Storage, shape: LaneShape): boolean =>
  shape.name === 'words' ? stored.includes(name) : bytes === shape.bytes;

/** Loads `count` elements `stride` bytes apart, from `offset` bytes after the pointer; never reads beyond them. */
export const loadLanes = (
  f: FunctionBuilder,
  shape: LaneShape,
  { name, bytes, load }: Pick<Storage, 'name' | 'bytes' | 'load'>,
  pointer: Expr<'i32'>,
  stride: number,
  offset = 0,
  count = shape.lanes,
): Vector => {
  if (shape.name !== 'words') return loadElements(shape, pointer, stride, offset, count);
  const { lanes } = shape;
  if (bytes === shape.bytes) return loadWords(pointer, stride, offset, count);
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
  const { bytes, lanes } = laneShapes.words;
  if (stride === 0) return v128.load32Splat(pointer, offset);
  if (stride === bytes) return loadVector(pointer, offset, count);
  if (stride === 2 * bytes && count === lanes) {
    const [first, second] = [v128.load(pointer, offset), v128.load(pointer, offset + 3 * bytes)];
    return f32x4.shuffle(first, second, [0, 2, 5, 7]);
  }
  let vector = v128.load32Zero(pointer, offset);
  for (let lane = 1; lane < count; lane++) {
    vector = v128.load32Lane(pointer, vector, lane, offset + lane * stride);
  }
  return vector;
};

const splats = { i8: v128.load8Splat, i16: v128.load16Splat, words: v128.load32Splat, f64: v128.load64Splat };

/** Elements as large as the lanes; lanes from `count` are unspecified. */
const loadElements = (
  { name, bytes, lanes }: LaneShape,
  pointer: Expr<'i32'>,
  stride: number,
  offset: number,
  count: number,
): Vector => {
  if (stride === bytes) return loadBytes(pointer, offset, count * bytes);
  const first = splats[name](pointer, offset);
  if (stride === 0) return first;
  if (stride === 2 * bytes && count === lanes && lanes > 2) {
    // The second vector ends with the last element.
    const [low, high] = [v128.load(pointer, offset), v128.load(pointer, offset + lanes * bytes - bytes)];
    const places = Array.from({ length: lanes }, (_, lane) =>
      2 * lane < lanes ? 2 * lane * bytes : (2 * lane + 1) * bytes,
    );
    return i8x16.shuffle(
      low,
      high,
      places.flatMap((place) => Array.from({ length: bytes }, (_, byte) => place + byte)),
    );
  }
  const { load } = pieceOf(bytes);
  return Array.from({ length: count - 1 }, (_, i) => i + 1).reduce(
    (vector, lane) => load(pointer, vector, lane, offset + lane * stride),
    first,
  );
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

/** The inverse of `loadLanes`. */
export const storeLanes = (
  f: FunctionBuilder,
  { lanes }: LaneShape,
  { name, bytes }: Pick<Storage, 'name' | 'bytes'>,
  pointer: Expr<'i32'>,
  value: Vector,
  stride: number,
  offset = 0,
  count = lanes,
): Code => {
  const elements = isHalf(name) && lanes === laneShapes.words.lanes ? narrowVector(f, name, value) : value;
  if (stride === bytes) return storeBytes(pointer, elements, offset, count * bytes);
  const { store } = pieceOf(bytes);
  return Array.from({ length: count }, (_, lane) => store(pointer, elements, lane, offset + lane * stride));
};

/** Instructions that `loadLanes` takes. */
export const loadCost = (
  { lanes, bytes: laneBytes }: LaneShape,
  { bytes }: Storage,
  stride: number,
): number => {
  if (stride === 0) return 1;
  if (stride === bytes) return bytes === laneBytes ? 1 : 3;
  return bytes === laneBytes && stride === 2 * laneBytes ? 3 : lanes * (laneBytes / bytes);
};
