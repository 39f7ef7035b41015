/** Vectors moved from and to memory, element by element or by as many as are next to each other. */
import type { Type } from '@sconv/ir';
import { maskIn } from './arrange-lanes.ts';
import { isHalf } from './half-floats.ts';
import type { Expr } from './instructions.ts';
import { i8x16, v128 } from './instructions.ts';
import type { LaneBytes, Lowering, VectorValue } from './lowering.ts';
import type { Storage } from './storage.ts';
import { loadBytes, pieceOf, storeBytes } from './vector-access.ts';
import { laneShapes, loadLanes, storeLanes } from './vector-lanes.ts';
import type { Register } from './vector-value.ts';
import { elementAt, isMask, kept, laneCount, registersOf } from './vector-value.ts';

/** Where an element is: `offset` bytes, not negative, behind a pointer. */
export interface ElementPlace {
  readonly pointer: Expr<'i32'>;
  readonly offset: number;
}

/** Elements of a register that are next to each other in memory, and as many bytes as one access has. */
interface Run {
  readonly place: ElementPlace;
  /** Bytes from the start of the register, a multiple of `bytes`. */
  readonly at: number;
  readonly bytes: number;
}

const isNext = (a: ElementPlace, b: ElementPlace | undefined, bytes: number): boolean =>
  b?.pointer === a.pointer && b.offset === a.offset + bytes;

/** How many elements, from the first, are next to each other. */
const contiguous = (row: readonly ElementPlace[], bytes: number): number => {
  let count = 1;
  while (count < row.length && isNext(row[count - 1]!, row[count], bytes)) count += 1;
  return count;
};

/** The largest accesses, of 1, 2, 4 or 8 bytes, that make up a register. */
const runsOf = (row: readonly ElementPlace[], bytes: number): readonly Run[] => {
  const runs: Run[] = [];
  for (let i = 0; i < row.length;) {
    const available = contiguous(row.slice(i), bytes) * bytes;
    let size = bytes;
    while (size < 8 && 2 * size <= available && (i * bytes) % (2 * size) === 0) size *= 2;
    runs.push({ place: row[i]!, at: i * bytes, bytes: size });
    i += size / bytes;
  }
  return runs;
};

/** Elements that memory holds as lanes do. */
const loadRow = (row: readonly ElementPlace[], bytes: LaneBytes): Register => {
  const [{ pointer, offset }] = row as [ElementPlace];
  if (contiguous(row, bytes) === row.length) return loadBytes(pointer, offset, row.length * bytes);
  const isRepeated = row.every((each) => each.pointer === pointer && each.offset === offset);
  const { splat } = pieceOf(bytes);
  if (isRepeated) return splat(pointer, offset);
  const [first, ...others] = runsOf(row, bytes);
  return others.reduce(
    (register, run) =>
      pieceOf(run.bytes).load(run.place.pointer, register, run.at / run.bytes, run.place.offset),
    pieceOf(first!.bytes).loadFirst(first!.place.pointer, first!.place.offset),
  );
};

const rowsOf = <T>(elements: readonly T[], lanes: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(elements.length / lanes) }, (_, r) =>
    elements.slice(r * lanes, (r + 1) * lanes),
  );

/** Masks are bytes in memory, of which the lowest bit counts. */
const lowestBit = v128.const(new Uint8Array(16).fill(1));
const zeros = v128.const(new Uint8Array(16));

/** The elements at these places; those of masks in lanes of bytes. */
export const loadPlaces = (
  { f }: Lowering,
  storage: Storage,
  type: Type,
  places: readonly ElementPlace[],
): readonly Register[] => {
  const { name, bytes } = storage;
  if (isHalf(name)) {
    return rowsOf(places, 4).map((row) => {
      const [{ pointer, offset }] = row as [ElementPlace];
      return contiguous(row, bytes) === row.length
        ? loadLanes(f, laneShapes.words, storage, pointer, bytes, offset, row.length)
        : registersOf(
            4,
            type,
            row.map((each) => storage.load(each.pointer, each.offset)),
          )[0]!;
    });
  }
  return rowsOf(places, laneCount(bytes as LaneBytes)).map((row) => {
    const register = loadRow(row, bytes as LaneBytes);
    return isMask(type) ? i8x16.ne(v128.and(register, lowestBit), zeros) : register;
  });
};

/** Stores the elements, in their order: where several have one place, the last one remains. */
export const storePlaces = (
  { f }: Lowering,
  storage: Storage,
  type: Type,
  places: readonly ElementPlace[],
  vector: VectorValue,
): void => {
  const { name, bytes } = storage;
  if (isHalf(name)) {
    rowsOf(places, 4).forEach((row, r) => {
      const [{ pointer, offset }] = row as [ElementPlace];
      if (contiguous(row, bytes) === row.length)
        f.statement(
          storeLanes(f, laneShapes.words, storage, pointer, vector.registers[r]!, bytes, offset, row.length),
        );
      else
        row.forEach((each, i) => {
          f.statement(storage.store(each.pointer, elementAt(vector, type, 4 * r + i), each.offset));
        });
    });
    return;
  }
  const lanes = bytes as LaneBytes;
  const { registers } = isMask(type) ? withBits(maskIn(vector, places.length, lanes)) : vector;
  rowsOf(places, laneCount(lanes)).forEach((row, r) => {
    const register = kept(f, registers[r]!);
    const [{ pointer, offset }] = row as [ElementPlace];
    if (contiguous(row, bytes) === row.length) {
      f.statement(storeBytes(pointer, register, offset, row.length * bytes));
      return;
    }
    for (const run of runsOf(row, bytes))
      f.statement(
        pieceOf(run.bytes).store(run.place.pointer, register, run.at / run.bytes, run.place.offset),
      );
  });
};

const withBits = (mask: VectorValue): VectorValue => ({
  ...mask,
  registers: mask.registers.map((register) => v128.and(register, lowestBit)),
});
