/** A dynamic size; MLIR's `kDynamic`, printed as `?`. */
export const DYNAMIC = -(2 ** 63);
