/**
 * Masks of a vector unit whose masks are lanes of vectors, loaded from a table:
 *
 *     lanes below 3 of 4:        -1 -1 -1 -1  0  0  0  0
 *                                   └─────────┘
 *
 * LLVM compares the numbers of the lanes with a bound. In a large function these numbers occupy a register from end to
 * end, also in the microkernels, which have none to spare.
 */
import { createConstantValue, createIndex, uniformConstant } from '@sconv/dialects';
import { cmpi, maxsi, minsi, subi } from '@sconv/dialects/arith';
import { getGlobal, global } from '@sconv/dialects/memref';
import { createMask, load } from '@sconv/dialects/vector';
import type { DraftOperation, MemRefType, Rewriter, Value, VectorType } from '@sconv/ir';
import { bodyOf, builder, denseElementsAttribute, i32, memrefType, tensorType, vectorType } from '@sconv/ir';
import type { VectorUnit } from '@sconv/targets';

/** A unit's lanes of 32 bits, the elements of nearly all masked accesses. */
const laneBits = 32;
/** The alignment of tables, a line of the caches. */
const tableAlignment = 64;

/** Loads the masks of `vector.create_mask` that fill at most one register; other units compare faster, or have none. */
export const loadMasks = (
  rewriter: Rewriter,
  { bits, maskedLoads, maskRegisters = false }: Pick<VectorUnit, 'bits' | 'maskedLoads' | 'maskRegisters'>,
): void => {
  if (maskedLoads === undefined || maskRegisters) return;
  const tables = new Map<number, string>();
  for (const operation of rewriter.walk(rewriter.root)) {
    if (!createMask.is(operation)) continue;
    const { shape, scalable } = operation.results[0]!.type as VectorType;
    const [lanes = 0] = shape;
    if (shape.length !== 1 || scalable.includes(true) || lanes * laneBits > bits) continue;
    const name = tables.get(lanes) ?? createTable(rewriter, lanes);
    tables.set(lanes, name);
    loadMask(rewriter, operation, name, lanes);
  }
};

const tableOf = (lanes: number): MemRefType => memrefType([2 * lanes], i32);

/** Creates the table of masks of so many lanes; returns its name. */
const createTable = (rewriter: Rewriter, lanes: number): string => {
  const symName = `sconv$mask.${lanes}`;
  const type = tableOf(lanes);
  const elements = Array.from({ length: 2 * lanes }, (_, i) => (i < lanes ? -1n : 0n));
  rewriter.setInsertionPointToStart(bodyOf(rewriter.root));
  rewriter.create(
    global.state({
      attributes: {
        symName,
        symVisibility: 'private',
        type,
        initialValue: denseElementsAttribute(elements, tensorType(type.shape, i32)),
        constant: true,
        alignment: tableAlignment,
      },
    }),
  );
  return symName;
};

/** A lane is set where the sign of its number is: what the instructions for masked accesses test. */
const loadMask = (rewriter: Rewriter, operation: DraftOperation, name: string, lanes: number): void => {
  rewriter.setInsertionPointBefore(operation);
  const b = builder(rewriter);
  const [bound] = operation.operands as [Value];
  const [none, all] = [createIndex(rewriter, 0), createIndex(rewriter, lanes)];
  const atLeast: Value = b(maxsi, { lhs: bound, rhs: none });
  const set: Value = b(minsi, { lhs: atLeast, rhs: all });
  const first: Value = b(subi, { lhs: all, rhs: set });
  const base: Value = b(getGlobal, { name }, { resultTypes: [tableOf(lanes)] });
  const type = vectorType([lanes], i32);
  const lhs: Value = b(load, { base, indices: [first] }, { resultTypes: [type] });
  const rhs = createConstantValue(rewriter, uniformConstant(0n, type)!, type);
  rewriter.replaceOperation(operation, [b(cmpi, { predicate: 'slt', lhs, rhs })]);
};
