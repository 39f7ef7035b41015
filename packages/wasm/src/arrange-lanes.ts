/** Registers made of the lanes of others, by shuffles. */
import type { Operation, Value } from '@sconv/ir';
import type { Expr } from './instructions.ts';
import { i8x16 } from './instructions.ts';
import type { LaneBytes, Lowering, VectorElement, VectorValue } from './lowering.ts';
import { laneCount, vectorOf, vectorTypeOf } from './vector-value.ts';

/** A byte of a register. */
interface Byte {
  readonly register: Expr<'v128'>;
  readonly byte: number;
}

const positions = Array.from({ length: 16 }, (_, i) => i);

/** A register of these sixteen bytes: one of the given ones if it has them in place, else a chain of shuffles. */
const gatherBytes = (bytes: readonly Byte[]): Expr<'v128'> => {
  const [first, second, ...others] = new Set(bytes.map(({ register }) => register));
  if (second === undefined && bytes.every(({ byte }, i) => byte === i)) return first!;
  const pair = [first!, second ?? first!];
  const begun = i8x16.shuffle(
    pair[0]!,
    pair[1]!,
    bytes.map(({ register, byte }, i) => {
      if (register === first) return byte;
      return register === second ? 16 + byte : i;
    }),
  );
  return others.reduce(
    (sum, next) =>
      i8x16.shuffle(
        sum,
        next,
        bytes.map(({ register, byte }, i) => (register === next ? 16 + byte : i)),
      ),
    begun,
  );
};

/**
 * Registers with these elements, in lanes of `bytes`. Lanes of another size are those of masks, whose bytes are all the
 * same.
 */
export const arrangeLanes = (
  bytes: LaneBytes,
  elements: readonly VectorElement[],
): readonly Expr<'v128'>[] => {
  const lanes = laneCount(bytes);
  return Array.from({ length: Math.ceil(elements.length / lanes) }, (_, r) => {
    const row = elements.slice(r * lanes, (r + 1) * lanes);
    return gatherBytes(
      positions.map((i) => {
        // What is in spare lanes does not matter: the same place as in the first one may make it a simpler shuffle.
        const lane = Math.floor(i / bytes);
        const { vector, position } = row[lane] ?? spare(row, lane);
        const own = laneCount(vector.bytes);
        return {
          register: vector.registers[Math.floor(position / own)]!,
          byte: (position % own) * vector.bytes + ((i % bytes) % vector.bytes),
        };
      }),
    );
  });
};

/** A spare lane, as if the row went on: in place if its first element is, else like the first one. */
const spare = (row: readonly VectorElement[], lane: number): VectorElement => {
  const { vector, position } = row[0]!;
  const isInPlace =
    row.length === 1 || row.every((each, i) => each.vector === vector && each.position === position + i);
  const own = laneCount(vector.bytes);
  return isInPlace && Math.floor((position + lane) / own) === Math.floor(position / own)
    ? { vector, position: position + lane }
    : { vector, position };
};

/** A mask with lanes of another size. */
export const maskIn = (mask: VectorValue, count: number, bytes: LaneBytes): VectorValue =>
  mask.bytes === bytes
    ? mask
    : {
        kind: 'vector',
        bytes,
        registers: arrangeLanes(
          bytes,
          Array.from({ length: count }, (_, position) => ({ vector: mask, position })),
        ),
      };

/** The registers of a vector, those of a mask with lanes of this size. */
export const registersIn = (
  state: Lowering,
  operation: Operation,
  value: Value,
  bytes: LaneBytes,
): readonly Expr<'v128'>[] => {
  const { count } = vectorTypeOf(operation, value);
  return maskIn(vectorOf(state, operation, value), count, bytes).registers;
};
