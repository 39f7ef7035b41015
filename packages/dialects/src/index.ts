/** The dialects of sconv's payloads, each as a value for a registry; the operations are in the sub-paths. */
import type { Dialect } from '@sconv/ir';
import { affineDialect } from './affine.ts';
import { arithDialect } from './arith.ts';
import { bufferizationDialect } from './bufferization.ts';
import { builtinDialect } from './builtin.ts';
import { cfDialect } from './cf.ts';
import { funcDialect } from './func.ts';
import { gpuDialect } from './gpu.ts';
import { indexDialect, ubDialect } from './index-dialect.ts';
import { kernelDialect } from './kernel.ts';
import { linalgDialect } from './linalg.ts';
import { llvmDialect } from './llvm.ts';
import { mathDialect } from './math.ts';
import { memrefDialect } from './memref.ts';
import { scfDialect } from './scf.ts';
import { tensorDialect } from './tensor.ts';
import { vectorDialect } from './vector.ts';

/** All dialects that a payload may use. */
export const payloadDialects: readonly Dialect[] = [
  builtinDialect,
  funcDialect,
  arithDialect,
  affineDialect,
  scfDialect,
  cfDialect,
  mathDialect,
  tensorDialect,
  memrefDialect,
  linalgDialect,
  bufferizationDialect,
  vectorDialect,
  gpuDialect,
  indexDialect,
  llvmDialect,
  ubDialect,
  kernelDialect,
];

export {
  affineDialect,
  arithDialect,
  bufferizationDialect,
  builtinDialect,
  cfDialect,
  funcDialect,
  gpuDialect,
  indexDialect,
  kernelDialect,
  linalgDialect,
  llvmDialect,
  mathDialect,
  memrefDialect,
  scfDialect,
  tensorDialect,
  ubDialect,
  vectorDialect,
};
export { hasStaticSizes, touchedRange, tryAffine } from './affine-planning.ts';
export type { TouchedRange } from './affine-planning.ts';
export {
  applyComposed,
  composeApplication,
  composedResult,
  composeValue,
  constantIndexOf,
  createApplication,
  createIndex,
} from './composed-apply.ts';
export type { MapApplication } from './composed-apply.ts';
export {
  applied,
  applyExpression,
  applyFolded,
  canonicalApplication,
  isSymbol,
  normalApplication,
  sameApplication,
} from './affine-application.ts';
export { maxFolded, minFolded } from './folded-bounds.ts';
export { buildPayload } from './build-payload.ts';
export type { ArgumentsOf, PayloadBuilder } from './build-payload.ts';
export type { Reassociation } from './attribute-kinds.ts';
export { enumAttribute } from './attribute-kinds.ts';
export { denseConstant, denseOfNumbers, elementOf, numberAt, uniformConstant } from './arith-fold.ts';
export { elementTypeOf, withElementType } from './constraints.ts';
export { elementSource, indicesInBody } from './element-source.ts';
export type { ElementSource } from './element-source.ts';
export { conversionOf, conversionTo } from './element-conversion.ts';
export type { ElementConversion } from './element-conversion.ts';
export { paddedElement } from './padded-element.ts';
export type { PaddedElement } from './padded-element.ts';
export { eraseUnused } from './erase-unused.ts';
export {
  createGenericLike,
  kernelAttributeName,
  planAttributeName,
  takeBody,
} from './create-generic-like.ts';
export type { GenericParts } from './create-generic-like.ts';
export { createCombination } from './create-combination.ts';
export { createFill } from './create-fill.ts';
export { allowReordering, neutralElement, reductionCombiner } from './reduction.ts';
export { createNamed } from './create-named.ts';
export type { NamedParts } from './create-named.ts';
export {
  createCollapse,
  createConstantValue,
  createEmpty,
  createExpand,
  createPad,
  zeroOf,
} from './create-tensor.ts';
export { castTo } from './cast-to.ts';
export { countedLoops, knownBounds, loopOfVariable, runsAtLeastOnce, tripCount } from './counted-loops.ts';
export type { CountedLoop } from './counted-loops.ts';
export {
  createDim,
  createDims,
  createDynamicSizes,
  createSize,
  createSizes,
  sizeOrDim,
} from './create-size.ts';
export {
  createPack,
  createPackedDestination,
  createUnpack,
  createUnpackedDestination,
  permuted,
  tilingOf,
} from './create-packed.ts';
export type { PackTiling } from './create-packed.ts';
export { addFunctionArguments } from './add-function-arguments.ts';
export { carryAlso } from './carry-also.ts';
export { createStructuredLike, mayHaveMaps } from './create-structured-like.ts';
export type { StructuredParts } from './create-structured-like.ts';
export { createTranspose } from './create-transpose.ts';
export { functionAssembly, functionAttributes, verifyFunction } from './function-like.ts';
export {
  isInBounds,
  mayBeNegative,
  mayBeReversed,
  mayBeZero,
  sizeBound,
  valueBound,
} from './index-bounds.ts';
export { indexDimensions } from './index-dimensions.ts';
export { accumulation, combinerOf, mayRunInBlocks, outputAccumulation } from './iteration-order.ts';
export { createIterations } from './iteration-indices.ts';
export { expandComposed, withoutComposed } from './expand-composed.ts';
export { composedOf, scalarOp } from './scalar-op.ts';
export type {
  ComposedOp,
  FloatInstruction,
  FloatOp,
  IntegerInstruction,
  IntegerOp,
  ScalarOp,
} from './scalar-op.ts';
export { branchLike, forwarding, loopLike, speculatable, viewLike } from './interfaces.ts';
export type {
  BoundsOf,
  BranchLike,
  Flow,
  Forwarding,
  LoopLike,
  Speculatable,
  ViewLike,
} from './interfaces.ts';
export {
  areSlicesDisjoint,
  mixedIndices,
  mixedOffsets,
  mixedSizes,
  mixedSlice,
  mixedStrides,
  sliceArguments,
  sliceOperands,
} from './mixed-indices.ts';
export type { MixedIndex, MixedSlice, SliceOperands } from './mixed-indices.ts';
export { everyLoopIsIndexed } from './linalg-verify.ts';
export { inferCollapsedType, inferExpandedType } from './reshape-types.ts';
export { rankReductionMask, reducedSubviewType, subviewMask, subviewTypeKeeping } from './slice-types.ts';
export { areElementsApart } from './elements-apart.ts';
export { lentBuffers } from './lent-buffers.ts';
export { bufferFlow, isFreed, originsOf } from './memory-flow.ts';
export type { BufferFlow, Origin } from './memory-flow.ts';
export { accessesIn, accessingOf, countersOf, differWith, mayConflict } from './memory-order.ts';
export type { Access, Accessing, Counter } from './memory-order.ts';
export { bufferOf, mayShareMemory } from './shared-memory.ts';
export { isSpeculatable, mayRunAhead } from './is-speculatable.ts';
export { createSubview, replaceBuffer } from './replace-buffer.ts';
export { behindSlices, throughSlice } from './through-slice.ts';
export { indexNumber, indexValue } from './mixed-values.ts';
export { calleesFirst } from './callees-first.ts';
export type { CallOrder } from './callees-first.ts';
export { sameIndex, sameSlice } from './same-index.ts';
export { shiftIndices } from './shift-indices.ts';
export {
  extractSliceState,
  insertSliceState,
  parallelInsertSliceState,
  sliceAtOrigin,
  subviewState,
  unitStrideSlice,
} from './slice-states.ts';
export { createSlice, sliceOperandsFor } from './structured-tileable.ts';
export { isBufferValue, isStaticTensorValue, isTensorValue } from './tensor-value.ts';
export { isTileable, tileableOf } from './tileable.ts';
export type { MixedBox, Tile, Tileable } from './tileable.ts';
export { bitsOf } from './vector-types.ts';
