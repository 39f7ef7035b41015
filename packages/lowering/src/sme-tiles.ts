/**
 * Microkernels on Arm's SME: `fmopa`, the outer product of a vector of filters and one of windows (Arm ARM,
 * FEAT_SME).
 *
 * Streaming mode and the accumulators, ZA, are per function: each microkernel is outlined and called. A vector has as
 * many elements as an accumulator has rows at one vector length only; whoever runs the code checks it.
 */
import { addi, constant, indexCast } from '@sconv/dialects/arith';
import { call, funcOp, returnOp } from '@sconv/dialects/func';
import type { Microkernel } from '@sconv/dialects/kernel';
import { callIntrinsic } from '@sconv/dialects/llvm';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import { load, store } from '@sconv/dialects/vector';
import type { Attributes, Builder, DraftOperation, Rewriter, Value } from '@sconv/ir';
import {
  arrayAttribute,
  builder,
  denseElementsAttribute,
  f32,
  functionType,
  i1,
  i32,
  indexType,
  integerAttribute,
  stringAttribute,
  symbolNameOf,
  unitAttribute,
  vectorType,
} from '@sconv/ir';
import { indexConstant } from './index-constant.ts';
import type { MatrixTile } from './matrix-microkernel-op.ts';
import type { OuterProductUnit } from './vector-unit.ts';

const vector = vectorType([4], f32, [true]);
const predicate = vectorType([4], i1, [true]);

/** An operand of the outlined function. */
type Panel = Microkernel['output'];

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

/**
 * The outlined function of a microkernel, before its enclosing function `around`, and the call at the insertion
 * point.
 */
export const createSmeTiles = (
  rewriter: Rewriter,
  kernel: Microkernel,
  tiles: readonly MatrixTile[],
  { rows: size }: OuterProductUnit,
  around: DraftOperation,
): void => {
  const { windowPanel, filterPanel, output } = kernel;
  const operands = [windowPanel, filterPanel, output];
  const taken = new Set(around.block!.operations.flatMap((each) => symbolNameOf(each) ?? []));
  let name = 'sme_tile';
  for (let i = 0; taken.has(name); i++) name = `sme_tile_${i}`;
  builder(rewriter)(call, { operands, callee: name }, { resultTypes: [] });
  rewriter.scoped(() => {
    rewriter.setInsertionPointBefore(around);
    const inputs = operands.map(({ type }) => type);
    const build = (inner: Rewriter, ...given: readonly Value[]): void => {
      const b = builder(inner);
      const [windows, filters, sums] = given as [Panel, Panel, Panel];
      const own = { ...kernel, windowPanel: windows, filterPanel: filters, output: sums };
      for (const tile of tiles) createTile(b, own, tile, size);
      b(returnOp, {});
    };
    const made = rewriter.create(
      funcOp.state<Rewriter>({
        attributes: { symName: name, functionType: functionType(inputs, []), symVisibility: 'private' },
        bodies: [{ argumentTypes: inputs, build }],
      }),
    );
    // If it were inlined, the caller would be in streaming mode.
    const attributes: Attributes = {
      arm_locally_streaming: unitAttribute,
      arm_new_za: unitAttribute,
      passthrough: arrayAttribute([stringAttribute('noinline')]),
    };
    for (const [key, value] of Object.entries(attributes)) rewriter.setAttribute(made, key, value);
  });
};

const createTile = (
  b: Builder,
  { windowPanel, filterPanel, output, steps }: Microkernel,
  { image, filter, window, rows, columns }: MatrixTile,
  /** Elements of a vector; also rows and columns of an accumulator. */
  size: number,
): void => {
  const all: Value = b(constant, { value: denseElementsAttribute([1n], predicate) });
  const imageAt = indexConstant(b, image);
  const filtersAt = range(rows).map((row) => indexConstant(b, filter + row * size));
  const windowsAt = range(columns).map((column) => indexConstant(b, window + column * size));
  const accumulators = range(rows).flatMap((row) =>
    range(columns).map((column) => {
      const number: Value = b(constant, { value: integerAttribute(row * columns + column, i32) });
      return { number, row, column };
    }),
  );
  /** Calls `build` for each row of the accumulators, with its number and its position in the output. */
  const eachRow = (
    build: (body: Builder, number: Value, slice: Value, indices: readonly Value[]) => void,
  ) => {
    loop(b, size, (body, i) => {
      const slice: Value = body(indexCast, { in: i }, { resultTypes: [i32] });
      const rowsAt = filtersAt.map((at): Value => body(addi, { lhs: at, rhs: i }));
      for (const { number, row, column } of accumulators)
        build(body, number, slice, [imageAt, rowsAt[row]!, windowsAt[column]!]);
    });
  };

  // 1. Load the output.
  eachRow((body, number, slice, indices) => {
    const row: Value = body(load, { base: output, indices }, { resultTypes: [vector] });
    act(body, 'write.horiz.nxv4f32', [number, slice, all, row]);
  });
  // 2. An outer product per step and accumulator.
  loop(b, steps, (body, k) => {
    const weights = filtersAt.map((at): Value =>
      body(load, { base: filterPanel, indices: [k, at] }, { resultTypes: [vector] }),
    );
    const inputs = windowsAt.map((at): Value =>
      body(load, { base: windowPanel, indices: [imageAt, k, at] }, { resultTypes: [vector] }),
    );
    for (const { number, row, column } of accumulators)
      act(body, 'mopa.nxv4f32', [number, all, all, weights[row]!, inputs[column]!]);
  });
  // 3. Store the output.
  const zeros: Value = b(constant, { value: denseElementsAttribute([0], vector) });
  eachRow((body, number, slice, indices) => {
    const read = { intrin: 'llvm.aarch64.sme.read.horiz.nxv4f32', args: [zeros, all, number, slice] };
    const valueToStore: Value = body(callIntrinsic, read, { resultTypes: [vector] })!;
    body(store, { valueToStore, base: output, indices });
  });
};

const act = (b: Builder, name: string, args: readonly Value[]): void => {
  b(callIntrinsic, { intrin: `llvm.aarch64.sme.${name}`, args }, { resultTypes: [] });
};

const loop = (b: Builder, count: number, build: (body: Builder, variable: Value) => void): void => {
  const [lowerBound, upperBound, step] = [0, count, 1].map((bound) => indexConstant(b, bound)) as [
    Value,
    Value,
    Value,
  ];
  const body = (inner: Builder, variable: Value): void => {
    build(inner, variable);
    inner(yieldOp, {});
  };
  b(
    forOp,
    { lowerBound, upperBound, step },
    { resultTypes: [], bodies: [{ argumentTypes: [indexType], build: body }] },
  );
};
