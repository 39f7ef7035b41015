/** Microkernels on POWER10's MMA: `xvf32gerpp`, the outer product of four filters and four windows (Power ISA 3.1). */
import { forOp, yieldOp } from '@sconv/dialects/scf';
import { callIntrinsic, extractvalue, structOf } from '@sconv/dialects/llvm';
import type { Microkernel } from '@sconv/dialects/kernel';
import { bitcast, load, store } from '@sconv/dialects/vector';
import type { Builder, Rewriter, Value } from '@sconv/ir';
import { builder, f32, i1, indexType, integerType, vectorType } from '@sconv/ir';
import { indexConstant } from './index-constant.ts';
import type { MatrixTile } from './matrix-microkernel-op.ts';

/** Rows and columns of an accumulator. */
const size = 4;

const four = vectorType([size], f32);
/** The register type of the intrinsics. */
const register = vectorType([16], integerType(8));
const accumulator = vectorType([512], i1);
const registers = structOf([register, register, register, register]);

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

/** The address of the four windows in a row of an accumulator. */
interface Row {
  readonly indices: readonly Value[];
}

/** Creates the parts of a microkernel, one after the other. */
export const createMmaTiles = (
  rewriter: Rewriter,
  kernel: Microkernel,
  tiles: readonly MatrixTile[],
): void => {
  const b = builder(rewriter);
  for (const tile of tiles) createTile(b, kernel, tile);
};

const createTile = (
  b: Builder,
  kernel: Microkernel,
  { image, filter, window, rows, columns }: MatrixTile,
): void => {
  const { windowPanel, filterPanel, output, steps } = kernel;
  const [imageAt, zero] = [indexConstant(b, image), indexConstant(b, 0)];
  const filtersAt = range(rows).map((row) => indexConstant(b, filter + row * size));
  const windowsAt = range(columns).map((column) => indexConstant(b, window + column * size));
  const places = range(rows).flatMap((row) => {
    const rowsAt = range(size).map((i) => indexConstant(b, filter + row * size + i));
    return windowsAt.map((at) => rowsAt.map((rowAt): Row => ({ indices: [imageAt, rowAt, at] })));
  });

  // 1. Load the output.
  const initArgs = places.map((accumulated): Value => {
    const loaded = accumulated.map(({ indices }) => {
      const row: Value = b(load, { base: output, indices }, { resultTypes: [four] });
      return asRegister(b, row);
    });
    // On a little-endian machine the last row is in the first register.
    const args = [...loaded].reverse();
    return intrinsic(b, 'assemble.acc', args);
  });

  // 2. An outer product per step and accumulator.
  const step = (body: Builder, k: Value, ...sums: readonly Value[]): void => {
    const weights = filtersAt.map((at) =>
      asRegister(body, body(load, { base: filterPanel, indices: [k, at] }, { resultTypes: [four] })),
    );
    const inputs = windowsAt.map((at) =>
      asRegister(body, body(load, { base: windowPanel, indices: [imageAt, k, at] }, { resultTypes: [four] })),
    );
    const results = weights.flatMap((weight, row) =>
      inputs.map((input, column) =>
        intrinsic(body, 'xvf32gerpp', [sums[row * columns + column]!, weight, input]),
      ),
    );
    body(yieldOp, { results });
  };
  const bounds = { lowerBound: zero, upperBound: indexConstant(b, steps), step: indexConstant(b, 1) };
  const resultTypes = initArgs.map(() => accumulator);
  const sums = b(
    forOp,
    { ...bounds, initArgs },
    { resultTypes, bodies: [{ argumentTypes: [indexType, ...resultTypes], build: step }] },
  );

  // 3. Store the output.
  places.forEach((accumulated, i) => {
    const container: Value = b(
      callIntrinsic,
      { intrin: 'llvm.ppc.mma.disassemble.acc', args: [sums[i]!] },
      { resultTypes: [registers] },
    )!;
    accumulated.forEach(({ indices }, position) => {
      const row: Value = b(extractvalue, { container, position: [position] });
      const valueToStore: Value = b(bitcast, { source: row }, { resultTypes: [four] });
      b(store, { valueToStore, base: output, indices });
    });
  });
};

const asRegister = (b: Builder, source: Value): Value => b(bitcast, { source }, { resultTypes: [register] });

const intrinsic = (b: Builder, name: string, args: readonly Value[]): Value =>
  b(callIntrinsic, { intrin: `llvm.ppc.mma.${name}`, args }, { resultTypes: [accumulator] })!;
