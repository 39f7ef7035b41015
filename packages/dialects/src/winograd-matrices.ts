/**
 * The constant matrices of Winograd's minimal filtering F(m × m, r × r): `Y = Aᵀ [(G g Gᵀ) ⊙ (Bᵀ d B)] A`
 * (Lavin and Gray, arXiv:1509.09308), with upstream's scaling.
 */

/** Rows of a matrix. */
export type Matrix = readonly (readonly number[])[];

/** The matrices for an output tile of m × m and a filter of r × r. */
export interface WinogradMatrices {
  /** `G`, of the filter: m + r - 1 by r. */
  readonly filter: Matrix;
  /** `Bᵀ`, of the input: m + r - 1 by m + r - 1. */
  readonly input: Matrix;
  /** `Aᵀ`, of the output: m by m + r - 1. */
  readonly output: Matrix;
  /** What the result is multiplied by for each side on which the output is transformed. */
  readonly factor: number;
}

const over = (denominator: number, rows: Matrix): Matrix =>
  rows.map((row) => row.map((value) => value / denominator));

const matrices: Readonly<Record<string, WinogradMatrices>> = {
  '2 3': {
    filter: over(2, [
      [-2, 0, 0],
      [1, -1, 1],
      [1, 1, 1],
      [0, 0, 2],
    ]),
    input: [
      [-1, 0, 1, 0],
      [0, -1, 1, 0],
      [0, 1, 1, 0],
      [0, -1, 0, 1],
    ],
    output: [
      [1, 1, 1, 0],
      [0, -1, 1, 1],
    ],
    factor: 1,
  },
  '4 3': {
    filter: over(12, [
      [12, 0, 0],
      [-4, 4, -4],
      [-4, -4, -4],
      [1, -2, 4],
      [1, 2, 4],
      [0, 0, 12],
    ]),
    input: over(16, [
      [4, 0, -5, 0, 1, 0],
      [0, 4, -4, -1, 1, 0],
      [0, -4, -4, 1, 1, 0],
      [0, 4, -2, -4, 2, 0],
      [0, -4, -2, 4, 2, 0],
      [0, 4, 0, -5, 0, 1],
    ]),
    output: over(8, [
      [1, 2, 2, 1, 1, 0],
      [0, -2, 2, -2, 2, 0],
      [0, 2, 2, 4, 4, 0],
      [0, -2, 2, -8, 8, 4],
    ]),
    factor: 32,
  },
  '2 5': {
    filter: over(60, [
      [60, 0, 0, 0, 0],
      [10, -10, 10, -10, 10],
      [-10, -10, -10, -10, -10],
      [-16, 8, -4, 2, -1],
      [1, 2, 4, 8, 16],
      [0, 0, 0, 0, 60],
    ]),
    input: over(16, [
      [2, 3, -4, -3, 2, 0],
      [0, 2, 1, -5, 2, 0],
      [0, -2, -5, -1, 2, 0],
      [0, 4, -2, -4, 2, 0],
      [0, -2, -4, 2, 4, 0],
      [0, 2, 3, -4, -3, 2],
    ]),
    output: over(2, [
      [1, 2, 2, 4, 2, 0],
      [0, -2, 2, -2, 4, 1],
    ]),
    factor: 16,
  },
};

/** The matrices of F(m × m, r × r): F(2, 3), F(4, 3) and F(2, 5); undefined for others. */
export const winogradMatrices = (m: number, r: number): WinogradMatrices | undefined => matrices[`${m} ${r}`];

/** The matrix with rows and columns exchanged. */
export const transposedMatrix = (rows: Matrix): Matrix => rows[0]!.map((_, i) => rows.map((row) => row[i]!));
