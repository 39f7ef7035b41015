/**
 * Elementwise ops, such as a bias and an activation, fills and copies, as loops over vectors: lanes along the
 * contiguous dimension of the output. An operand that is invariant across lanes is broadcast once for a row; one with a
 * lane stride of one or two elements is a vector.
 */
import type { AffineExpr } from '@sconv/affine';
import { add, constant, isProjectedPermutation } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { mayShareMemory } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { structured } from '@sconv/dialects/linalg';
import { load as loadElement } from '@sconv/dialects/memref';
import { broadcast, load, store } from '@sconv/dialects/vector';
import type { Block, DraftOperation, Id, MemRefType, Rewriter, Type, Value } from '@sconv/ir';
import { DYNAMIC, typeEquals, vectorType } from '@sconv/ir';
import { everySecond } from './copy-linear.ts';
import type { LaneStride } from './lane-stride.ts';
import { laneStride } from './lane-stride.ts';
import { createIndices, createRows } from './row-loops.ts';
import type { VectorRegisters } from './vector-unit.ts';
import { createVectorBody, isLanewise } from './vector-body.ts';
import { bitsOf, lanesOf } from './vector-unit.ts';

/** Vectors that are worked on at once. */
const vectorsAtOnce = 4;

interface Elementwise {
  readonly extents: readonly number[];
  readonly lane: number;
  /** Inputs, then the output. */
  readonly operands: readonly {
    /** A buffer, or a number. */
    readonly value: Value;
    readonly indices: readonly AffineExpr[];
    readonly stride: LaneStride;
    readonly isUsed: boolean;
  }[];
  readonly body: Block;
}

/**
 * Replaces an elementwise structured op on float buffers, or one that copies or fills, by loops over vectors. Fails
 * with `lowering/no-elementwise` for an op that is none, has dynamic sizes, or no lanes that lie side by side. The
 * values `apart` do not alias each other.
 */
export const vectorizeElementwiseOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  unit: VectorRegisters,
  apart: ReadonlySet<Id> = new Set(),
): Diagnosed<undefined> => {
  const view = structured(rewriter.registry, operation);
  const matched =
    view === undefined
      ? `'${operation.name}' is not a structured op`
      : matchElementwise(rewriter, view, apart);
  if (typeof matched === 'string')
    return silenceableError('lowering/no-elementwise', `expected an elementwise op: ${matched}`, operation);
  rewriter.setInsertionPointBefore(operation);
  createLoops(rewriter, matched, unit);
  rewriter.eraseOperation(operation);
  return success(undefined);
};

/** Operands of an elementwise op, or why the operation is none. */
const matchElementwise = (
  rewriter: Rewriter,
  { inputs, outputs, indexingMaps, iteratorTypes, loopRanges: extents, body }: StructuredOp,
  apart: ReadonlySet<Id>,
): Elementwise | string => {
  const [output, ...more] = outputs;
  if (body === undefined || iteratorTypes.some((type) => type !== 'parallel')) return 'it reduces';
  const values = [...inputs, ...outputs];
  if (output?.type.kind !== 'memref' || more.length > 0) return 'its output is not one buffer';
  const { elementType } = output.type;
  const isSame = ({ type }: Value): boolean =>
    typeEquals(type.kind === 'memref' ? type.elementType : type, elementType);
  const isCopy = body.operations.length === 1;
  const isComputed = elementType.kind === 'float' && bitsOf(elementType) >= 32;
  const isCopied = isCopy && elementType.kind === 'integer' && bitsOf(elementType) % 8 === 0;
  if (!(isComputed || isCopied) || !values.every(isSame)) return 'its elements are not all f32, or all f64';
  if (extents.includes(DYNAMIC) || extents.includes(0)) return 'its sizes are not known, or 0';
  const written = indexingMaps.at(-1)!;
  if (written.results.length !== extents.length || !isProjectedPermutation(written))
    return 'it does not write each element once';
  const isFloat = (type: Type): boolean => typeEquals(type, elementType);
  const isOnLanes = body.operations
    .slice(0, -1)
    .every(
      ({ name, operands, results }) =>
        (name === 'arith.constant' && isFloat(results[0]!.type)) ||
        (name === 'arith.select' && operands.slice(1).every(({ type }) => isFloat(type))) ||
        ((name === 'arith.cmpf' || isLanewise(rewriter.registry, { name, operands })) &&
          operands.every(({ type }) => isFloat(type))),
    );
  const masks = new Set(
    body.operations.filter(({ name }) => name === 'arith.cmpf').map(({ results }) => results[0]!.id),
  );
  const selectsByMask = body.operations.every(
    ({ name, operands }) => name !== 'arith.select' || masks.has(operands[0]!.id),
  );
  if (!isOnLanes || !selectsByMask) return 'its body has other ops';
  if (inputs.some((input) => input.type.kind === 'memref' && mayShareMemory(rewriter, input, output, apart)))
    return 'its output may share memory with an input';
  const last = written.results.at(-1);
  const lane = last?.kind === 'dim' ? last.position : undefined;
  if (lane === undefined || extents[lane]! < 2) return 'its output has no lanes';
  const used = new Set(body.operations.flatMap(({ operands }) => operands.map(({ id }) => id)));
  const operands = values.flatMap((value, i) => {
    const indices = indexingMaps[i]!.results;
    const isUsed = used.has(body.arguments[i]?.id ?? -1);
    const isRead = value.type.kind === 'memref' && (isUsed || value === output);
    const stride = isRead ? laneStride(indices, value.type, lane) : 0;
    return stride === undefined ? [] : [{ value, indices, stride, isUsed }];
  });
  if (operands.length < values.length || operands.at(-1)?.stride !== 1)
    return 'the elements of its lanes are not contiguous';
  return { extents, lane, operands, body };
};

/**
 * Loads what lanes share once for a row; in each block loads vectors, computes the body on them and stores the
 * result.
 */
const createLoops = (rewriter: Rewriter, op: Elementwise, unit: VectorRegisters): void => {
  const { extents, lane, operands, body } = op;
  const output = operands.at(-1)!;
  const { elementType } = output.value.type as MemRefType;
  const outer = extents.flatMap((_, position) => (position === lane ? [] : [position]));
  const dimensions = { extents, lane, outer };
  const vectors = { lanes: lanesOf(unit, output.value), vectorsAtOnce, mayOverlap: !output.isUsed };
  createRows(rewriter, dimensions, vectors, (row, variables) => {
    const indicesOf = (indices: readonly AffineExpr[], at: AffineExpr, block?: Value): readonly Value[] =>
      createIndices(rewriter, dimensions, indices, at, variables, block);
    const shared = operands.map(({ value, indices, stride, isUsed }): Value | undefined => {
      if (stride !== 0 || !isUsed || value.type.kind !== 'memref')
        return isUsed && stride === 0 ? value : undefined;
      return row(loadElement, { memref: value, indices: indicesOf(indices, constant(0)) });
    });
    return (b, { first, block, widths, starts }) => {
      for (const [vector, width] of widths.entries()) {
        const type = vectorType([width], elementType);
        const at = add(first, starts[vector]!);
        const values = new Map<Id, Value>();
        operands.forEach(({ value, indices, stride, isUsed }, i) => {
          if (!isUsed) return;
          const source = shared[i];
          const read = (shift: number): Value => {
            const shifted = shift === 0 ? indices : indices.with(-1, add(indices.at(-1)!, shift));
            return b(load, { base: value, indices: indicesOf(shifted, at, block) }, { resultTypes: [type] });
          };
          const lanes: Value =
            source !== undefined
              ? b(broadcast, { source }, { resultTypes: [type] })
              : stride === 1
                ? read(0)
                : everySecond(b, width, read);
          values.set(body.arguments[i]!.id, lanes);
        });
        const valueToStore = createVectorBody(rewriter, b, body, values, width);
        b(store, { valueToStore, base: output.value, indices: indicesOf(output.indices, at, block) });
      }
    };
  });
};
