/** A tile of a contraction whose operands lie where they are (TT §4) as loops over vectors that stay in registers. */
import { add, constant as constantExpr, dim, isFunctionOfDim, makeMap, substitute } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { applyComposed } from '@sconv/dialects';
import { addi, muli } from '@sconv/dialects/arith';
import type { ContractKernel, SumStart } from '@sconv/dialects/kernel';
import { contract, contractView } from '@sconv/dialects/kernel';
import { fence } from '@sconv/dialects/llvm';
import { load as loadElement } from '@sconv/dialects/memref';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import { broadcast, fma, load, shuffle, store } from '@sconv/dialects/vector';
import type { Builder, DraftOperation, Rewriter, Value } from '@sconv/ir';
import { builder, indexType, vectorType } from '@sconv/ir';
import type { ContractTile, Point } from '@sconv/kernels';
import { contractRoles, contractTiles } from '@sconv/kernels';
import { indexConstant } from './index-constant.ts';
import type { VectorRegisters } from './vector-unit.ts';
import { bitsOf, lanesOf } from './vector-unit.ts';
import { initialSums } from './vectorize-microkernel-op.ts';

/**
 * Replaces a `kernel.contract` by loops over vectors, one nest for each register tile. Fails with
 * `lowering/no-contract` for another op, and for one that is refused.
 */
export const vectorizeContractOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  unit: VectorRegisters,
): Diagnosed<undefined> => {
  const refused = (why: string) =>
    silenceableError('lowering/no-contract', `expected a tile of a contraction: ${why}`, operation);
  if (!contract.is(operation)) return refused(`'${operation.name}' is another op`);
  const kernel = contractView(operation);
  const problem = refusedContract(kernel);
  if (problem !== undefined) return refused(problem);
  rewriter.setInsertionPointBefore(operation);
  const lanes = lanesOf(unit, kernel.operands[2]);
  for (const tile of contractTiles(kernel, { lanes, registers: unit.registers }))
    createTile(rewriter, kernel, tile);
  rewriter.eraseOperation(operation);
  return success(undefined);
};

/** Why a tile of a contraction is not lowered, for the pass that forms them; undefined if it is. */
export const refusedContract = ({ operands, maps, space }: ContractKernel): string | undefined => {
  const { elementType } = operands[2].type;
  const isNumber = elementType.kind === 'float' || elementType.kind === 'integer';
  if (!isNumber || bitsOf(elementType) < 32) return 'its elements are not numbers of 32 or 64 bits';
  const isInnermost = [contractRoles(space)[0], 2].every((i) => {
    const last = maps[i]!.results.at(-1);
    return last !== undefined && isFunctionOfDim(last, space.lanes);
  });
  return isInnermost || space.extents[space.lanes] === 1
    ? undefined
    : 'its lanes are not along the innermost dimensions';
};

const createTile = (rewriter: Rewriter, kernel: ContractKernel, { vectors, others }: ContractTile): void => {
  const { operands, maps, space, start } = kernel;
  const [ofVectors, ofBroadcasts] = contractRoles(space);
  const { elementType } = operands[2].type;
  const areShared = maps[ofBroadcasts].results.some(
    (expr) =>
      others.some((point) => point.some((index, i) => index > 0 && isFunctionOfDim(expr, i))) &&
      space.reduced.some((each) => space.extents[each]! > 1 && isFunctionOfDim(expr, each)),
  );
  const types = vectors.map(({ loaded }) => vectorType([loaded], elementType));
  const resultTypes = others.flatMap(() => types);
  /** The indices of an operand at a point, so far behind the variables of the loops. */
  const indicesAt = (operand: 0 | 1 | 2, point: Point, variables: Variables): readonly Value[] => {
    const dims = point.map((index, position) => {
      const shift = constantExpr(index + variables.shifts[position]!);
      return variables.values[position] === undefined ? shift : add(dim(position), shift);
    });
    return maps[operand].results.map((expr) =>
      applyComposed(rewriter, makeMap(dims.length, 0, [substitute(expr, { dims })]), variables.values),
    );
  };
  const none: Variables = { values: space.extents.map(() => undefined), shifts: space.extents.map(() => 0) };
  const b = builder(rewriter);
  const places = others.flatMap((row) =>
    vectors.map(({ at }) =>
      indicesAt(
        2,
        at.map((index, i) => index + row[i]!),
        none,
      ),
    ),
  );
  const read = (body: Builder): readonly Value[] =>
    places.map((indices, i): Value => {
      const { width, loaded } = vectors[i % vectors.length]!;
      const resultType = vectorType([width], elementType);
      const part: Value = body(load, { base: operands[2], indices }, { resultTypes: [resultType] });
      return firstLanes(body, part, width, loaded);
    });
  const begun = (body: Builder, { value: source }: SumStart): readonly Value[] => {
    const ofTypes = types.map((type): Value => body(broadcast, { source }, { resultTypes: [type] }));
    return others.flatMap(() => ofTypes);
  };
  const step = (body: Builder, variables: Variables, sums: readonly Value[]): readonly Value[] => {
    // Taps of neighbours share elements: kept for the next step, they would take the registers of sums.
    if (areShared || variables.shifts.some((shift) => shift > 0))
      body(fence, { syncscope: 'singlethread', ordering: 'acquire' });
    const loaded = vectors.map(({ at }, i): Value => {
      const indices = indicesAt(ofVectors, at, variables);
      return body(load, { base: operands[ofVectors], indices }, { resultTypes: [types[i]!] });
    });
    return others.flatMap((point, row) => {
      const indices = indicesAt(ofBroadcasts, point, variables);
      const source: Value = body(loadElement, { memref: operands[ofBroadcasts], indices });
      return types.map((type, i): Value => {
        const lhs: Value = body(broadcast, { source }, { resultTypes: [type] });
        const [rhs, acc] = [loaded[i]!, sums[row * types.length + i]!];
        if (elementType.kind === 'float') return body(fma, { lhs, rhs, acc });
        return body(addi, { lhs: acc, rhs: body(muli, { lhs, rhs }) });
      });
    });
  };
  /** The loops from `depth` inwards, each of whose steps is code for several points. */
  const nest = (
    body: Builder,
    depth: number,
    variables: Variables,
    initArgs: readonly Value[],
  ): readonly Value[] => {
    const position = space.reduced[depth];
    if (position === undefined) return step(body, variables, initArgs);
    const unroll = space.unroll[position]!;
    const points = (inner: Builder, value: Value | undefined, sums: readonly Value[]): readonly Value[] => {
      const values = variables.values.with(position, value);
      let current = sums;
      for (let i = 0; i < unroll; i += 1)
        current = nest(inner, depth + 1, { values, shifts: variables.shifts.with(position, i) }, current);
      return current;
    };
    const extent = space.extents[position]!;
    if (extent === unroll) return points(body, undefined, initArgs);
    const build = (inner: Builder, value: Value, ...sums: readonly Value[]): void => {
      inner(yieldOp, { results: points(inner, value, sums) });
    };
    const results: unknown = body(
      forOp,
      {
        lowerBound: indexConstant(body, 0),
        upperBound: indexConstant(body, extent),
        step: indexConstant(body, unroll),
        initArgs,
      },
      { resultTypes, bodies: [{ argumentTypes: [indexType, ...resultTypes], build }] },
    );
    return Array.isArray(results) ? (results as readonly Value[]) : [results as Value];
  };
  nest(b, 0, none, initialSums(b, start, resultTypes, read, begun)).forEach((sums, i) => {
    const { width, loaded } = vectors[i % vectors.length]!;
    b(store, { valueToStore: firstLanes(b, sums, loaded, width), base: operands[2], indices: places[i]! });
  });
};

/** The first lanes of a vector; or all of them, followed by ones whose elements are not used. */
const firstLanes = (body: Builder, vector: Value, from: number, to: number): Value => {
  if (from === to) return vector;
  const mask = Array.from({ length: to }, (_, i) => (i < from ? i : 0));
  return body(shuffle, { v1: vector, v2: vector, mask });
};

/** The variables of the loops so far, by dimension, and how far behind them. */
interface Variables {
  readonly values: readonly (Value | undefined)[];
  readonly shifts: readonly number[];
}
