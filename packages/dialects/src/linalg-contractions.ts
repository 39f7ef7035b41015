/** Named contractions: matrix and vector products. */
import { multiplyAdd, multiplyThenCastAdd, quantizedMultiplyAdd } from './linalg-body.ts';
import { castAttribute } from './linalg-functions.ts';
import { contraction } from './linalg-named.ts';

const withCast = { attributes: { cast: castAttribute } };

export const matmul = contraction('matmul', 'ppr', ['0 2', '2 1', '0 1'], multiplyAdd, withCast);
export const matmulTransposeA = contraction(
  'matmul_transpose_a',
  'ppr',
  ['2 0', '2 1', '0 1'],
  multiplyAdd,
  withCast,
);
export const matmulTransposeB = contraction(
  'matmul_transpose_b',
  'ppr',
  ['0 2', '1 2', '0 1'],
  multiplyAdd,
  withCast,
);
export const quantizedMatmul = contraction(
  'quantized_matmul',
  'ppr',
  ['0 2', '2 1', '', '', '0 1'],
  quantizedMultiplyAdd,
);
export const mmt4d = contraction('mmt4d', 'pprppr', ['0 2 3 5', '1 2 4 5', '0 1 3 4'], multiplyAdd);
export const batchMmt4d = contraction(
  'batch_mmt4d',
  'ppprppr',
  ['0 1 3 4 6', '0 2 3 5 6', '0 1 2 4 5'],
  multiplyAdd,
);
export const batchMatmul = contraction('batch_matmul', 'pppr', ['0 1 3', '0 3 2', '0 1 2'], multiplyAdd);
export const batchMatmulTransposeA = contraction(
  'batch_matmul_transpose_a',
  'pppr',
  ['0 3 1', '0 3 2', '0 1 2'],
  multiplyAdd,
);
export const batchMatmulTransposeB = contraction(
  'batch_matmul_transpose_b',
  'pppr',
  ['0 1 3', '0 2 3', '0 1 2'],
  multiplyAdd,
);
export const quantizedBatchMatmul = contraction(
  'quantized_batch_matmul',
  'pppr',
  ['0 1 3', '0 3 2', '', '', '0 1 2'],
  quantizedMultiplyAdd,
);
export const batchReduceMatmul = contraction(
  'batch_reduce_matmul',
  'rppr',
  ['0 1 3', '0 3 2', '1 2'],
  multiplyThenCastAdd,
);
export const matvec = contraction('matvec', 'pr', ['0 1', '1', '0'], multiplyAdd);
export const vecmat = contraction('vecmat', 'pr', ['1', '1 0', '0'], multiplyAdd);
export const batchMatvec = contraction('batch_matvec', 'ppr', ['0 1 2', '0 2', '0 1'], multiplyAdd);
export const batchVecmat = contraction('batch_vecmat', 'ppr', ['0 2', '0 2 1', '0 1'], multiplyAdd);
export const dot = contraction('dot', 'r', ['0', '0', ''], multiplyAdd);

/** All of them. */
export const contractions = [
  matmul,
  matmulTransposeA,
  matmulTransposeB,
  quantizedMatmul,
  mmt4d,
  batchMmt4d,
  batchMatmul,
  batchMatmulTransposeA,
  batchMatmulTransposeB,
  quantizedBatchMatmul,
  batchReduceMatmul,
  matvec,
  vecmat,
  batchMatvec,
  batchVecmat,
  dot,
] as const;
