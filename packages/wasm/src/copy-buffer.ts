/** Copies of buffers: bytes at once where both are contiguous, else row by row in vectors. */
import { constant } from '@sconv/affine';
import type { FunctionBuilder, Local } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { i32, memoryCopy, v128 } from './instructions.ts';
import type { NestLoop } from './loops.ts';
import { countedLoop, emitNest } from './loops.ts';
import type { Buffer, Lowering } from './lowering.ts';
import { constantOf, elementOffset, isContiguous } from './lowering.ts';
import { loadBytes, storeBytes } from './vector-access.ts';
import { laneShapes, loadLanes } from './vector-lanes.ts';

const vectorBytes = 16;

/** Vectors that are copied without a loop around them. */
const vectorsAtOnce = 8;

/** Copies all elements; the buffers have the same shape. */
export const copyBuffer = (state: Lowering, source: Buffer, target: Buffer): void => {
  const { f, indices } = state;
  if (isContiguous(source) && isContiguous(target)) {
    const origin = source.sizes.map(() => constant(0));
    const [from, to] = [source, target].map((buffer) =>
      i32.add(buffer.base, indices.emit(elementOffset(buffer, origin))),
    ) as [Expr<'i32'>, Expr<'i32'>];
    const count = source.sizes.reduce((product, size) => product.mul(size), constant(source.storage.bytes));
    f.statement(memoryCopy(to, from, indices.emit(count)));
    return;
  }
  const { rank, bytes, stride } = rowOf(source, target);
  const loops = source.sizes.slice(0, rank).map((extent): NestLoop => {
    const count = constantOf(extent) ?? 2 ** 31;
    return { variable: indices.of(f.local('i32'), 0, count), extent };
  });
  const at = source.sizes.map((_, i) => loops[i]?.variable.expr ?? constant(0));
  emitNest(f, indices, {
    loops,
    accesses: [source, target].map((buffer) => ({ base: buffer.base, offset: elementOffset(buffer, at) })),
    body: ([from, to]) => {
      if (bytes === undefined)
        f.statement(target.storage.store(f.get(to!), source.storage.load(f.get(from!))));
      else if (stride === undefined) copyRow(f, from!, to!, bytes);
      else gatherRow(f, source.storage, from!, to!, bytes, stride);
    },
  });
};

/** Elements that are next to each other in the target, and regularly apart in the source. */
interface Row {
  /** The dimensions around rows. */
  readonly rank: number;
  /** Bytes of a row; undefined for single elements. */
  readonly bytes: number | undefined;
  /** Bytes from one element to the next in the source; undefined if they are next to each other. */
  readonly stride: number | undefined;
}

const rowOf = (source: Buffer, target: Buffer): Row => {
  const element = source.storage.bytes;
  let rank = source.sizes.length;
  let bytes = element;
  while (rank > 0) {
    const [size, ...strides] = [source.sizes, source.strides, target.strides].map((each) =>
      constantOf(each[rank - 1]),
    );
    const apart = bytes / element;
    if (size === undefined || (size !== 1 && strides.some((stride) => stride !== apart))) break;
    bytes *= size;
    rank -= 1;
  }
  if (bytes > element || rank === 0) return { rank, bytes, stride: undefined };
  const [size, from, to] = [source.sizes, source.strides, target.strides].map((each) =>
    constantOf(each[rank - 1]),
  );
  if (size === undefined || from === undefined || from < 1 || to !== 1 || element !== 4)
    return { rank, bytes: undefined, stride: undefined };
  return { rank: rank - 1, bytes: size * element, stride: from * element };
};

/** Copies words that are `stride` bytes apart to as many bytes; the last vector may lie over its predecessor. */
const gatherRow = (
  f: FunctionBuilder,
  storage: Buffer['storage'],
  from: Local<'i32'>,
  to: Local<'i32'>,
  bytes: number,
  stride: number,
): void => {
  const { words } = laneShapes;
  const copyAt = (first: number, count: number, source = from, target = to): void => {
    const vector = f.let(loadLanes(f, words, storage, f.get(source), stride, first * stride, count));
    f.statement(storeBytes(f.get(target), f.get(vector), first * words.bytes, count * words.bytes));
  };
  const count = bytes / words.bytes;
  const vectors = Math.floor(count / words.lanes);
  if (vectors <= vectorsAtOnce) {
    for (let i = 0; i < vectors; i++) copyAt(i * words.lanes, words.lanes);
  } else {
    const [source, target] = [f.let(f.get(from)), f.let(f.get(to))];
    countedLoop(f, vectors, () => {
      copyAt(0, words.lanes, source, target);
      f.set(source, i32.add(f.get(source), i32.const(words.lanes * stride)));
      f.set(target, i32.add(f.get(target), i32.const(vectorBytes)));
    });
  }
  if (vectors === 0) copyAt(0, count);
  else if (count % words.lanes > 0) copyAt(count - words.lanes, words.lanes);
};

/** Copies the bytes behind a pointer; the last vector may lie over its predecessor. */
const copyRow = (f: FunctionBuilder, from: Local<'i32'>, to: Local<'i32'>, bytes: number): void => {
  if (bytes < vectorBytes) {
    f.statement(storeBytes(f.get(to), f.get(f.let(loadBytes(f.get(from), 0, bytes))), 0, bytes));
    return;
  }
  const atOnce = vectorsAtOnce * vectorBytes;
  const blocks = bytes < 2 * atOnce ? 0 : Math.floor(bytes / atOnce);
  const [source, target] = blocks === 0 ? [from, to] : [f.let(f.get(from)), f.let(f.get(to))];
  const copyAt = (offset: number): void => {
    f.statement(v128.store(f.get(target), v128.load(f.get(source), offset), offset));
  };
  countedLoop(f, blocks, () => {
    for (let i = 0; i < vectorsAtOnce; i++) copyAt(i * vectorBytes);
    for (const pointer of [source, target]) f.set(pointer, i32.add(f.get(pointer), i32.const(atOnce)));
  });
  const rest = bytes - blocks * atOnce;
  for (let offset = 0; offset + vectorBytes <= rest; offset += vectorBytes) copyAt(offset);
  if (rest % vectorBytes === 0) return;
  // Negative offsets are no immediates.
  const back = rest - vectorBytes;
  if (back >= 0) copyAt(back);
  else {
    const last = [target, source].map((pointer) => i32.add(f.get(pointer), i32.const(back))) as [
      Expr<'i32'>,
      Expr<'i32'>,
    ];
    f.statement(v128.store(last[0], v128.load(last[1])));
  }
};
