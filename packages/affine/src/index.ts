export { AffineError, ifAffine, isAffineError } from './affine-error.ts';
export type { AffineErrorCode } from './affine-error.ts';

export {
  add,
  adopt,
  binary,
  ceilDiv,
  constant,
  dim,
  floorDiv,
  largestKnownDivisor,
  maxDepth,
  maxNodes,
  maxPosition,
  mod,
  mul,
  neg,
  sub,
  symbol,
} from './affine-expr.ts';
export { arityOf, isPureAffine, isSymbolicOrConstant, sizeOf } from './expr-properties.ts';
export type {
  AffineBinaryData,
  AffineBinaryExpr,
  AffineBinaryKind,
  AffineConstantData,
  AffineConstantExpr,
  AffineDimExpr,
  AffineExpr,
  AffineExprData,
  AffineExprKind,
  AffineMethods,
  AffineOperand,
  AffinePositionData,
  AffineSymbolExpr,
} from './affine-expr.ts';

export {
  adoptMap,
  adoptSet,
  constantMap,
  equals,
  identityMap,
  makeMap,
  makeSet,
  permutationMap,
} from './affine-map.ts';
export type {
  AffineMap,
  AffineMapData,
  Constraint,
  ConstraintData,
  IntegerSet,
  IntegerSetData,
} from './affine-map.ts';

export { printExpr, printMap, printSet } from './print.ts';
export type { PrintNames } from './print.ts';
export {
  affineExpr,
  affineMap,
  integerSet,
  maxTextLength,
  parseExprPrefix,
  parseMapPrefix,
  parseSetPrefix,
  tryParseExpr,
  tryParseMap,
  tryParseSet,
} from './parse.ts';
export type { ParseResult, ResolveIdentifier } from './parse.ts';

export { contains, evaluate, evaluateBigInt } from './evaluate.ts';
export { compileExpr, compileMap } from './compile.ts';
export type { CompiledExpr, CompiledMap, CompiledFormOptions } from './compile.ts';
export { fold } from './fold.ts';
export type { AffineAlgebra } from './fold.ts';

export { compose, concatMaps, shiftDims, shiftSymbols, substitute } from './substitute.ts';
export type { MapReplacements, Replacements } from './substitute.ts';
export {
  compressUnusedDims,
  compressUnusedSymbols,
  dropDims,
  dropResults,
  dropSymbols,
  inversePermutation,
  inverseProjectedPermutation,
  isFunctionOfDim,
  isFunctionOfSymbol,
  isIdentity,
  isPermutation,
  isProjectedPermutation,
  subMap,
  usedDims,
  usedSymbols,
} from './queries.ts';

export { toBox } from './box.ts';
export type { Box, Domain, NamedBox } from './box.ts';
export type { Bounds, BoundsOf } from './interval.ts';
export { enclosure, isNonNegative, range, rangeWithin } from './range.ts';
export type { ValueRange } from './range.ts';
export { simplify } from './simplify.ts';
export { addExact, exact, gcd, mulExact } from './integer.ts';
export { rowMajorIndices, rowMajorPosition, splitDim } from './tiling.ts';
export { linearForm, stridesAndOffset, writtenLinearForm } from './linear.ts';
export type { LinearForm, StridesAndOffset } from './linear.ts';
export { equivalent } from './equivalent.ts';
export type { Counterexample, Equivalence, EquivalenceOptions } from './equivalent.ts';
export { imageSize, injectivity } from './image.ts';
export type { Collision, Injectivity } from './image.ts';
