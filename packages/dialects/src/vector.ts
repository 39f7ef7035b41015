/** The vector dialect: vectors of any rank, and their conversions from and to other types. */
import type { Dialect } from '@sconv/ir';
import {
  defineOp,
  denseElementsAttribute,
  implement,
  index,
  memoryEffects,
  one,
  optional,
  optionalAttribute,
  named,
  stringAttributeKind,
  withDefault,
} from '@sconv/ir';
import { punctuationAttribute } from './vector-attributes.ts';
import {
  broadcast,
  extract,
  extractelement,
  fromElements,
  insert,
  insertelement,
  shuffle,
  splat,
} from './vector-elements.ts';
import { constantMask, createMask, mask, yieldOp } from './vector-masks.ts';
import {
  compressstore,
  expandload,
  gather,
  load,
  maskedload,
  maskedstore,
  scatter,
  store,
  typeCast,
} from './vector-memory.ts';
import {
  contract,
  fma,
  matrixMultiply,
  multiReduction,
  outerproduct,
  reduction,
  scan,
} from './vector-reductions.ts';
import {
  bitcast,
  deinterleave,
  extractStridedSlice,
  flatTranspose,
  insertStridedSlice,
  interleave,
  reshape,
  scalableExtract,
  scalableInsert,
  shapeCast,
  transpose,
} from './vector-shapes.ts';
import { transferRead, transferWrite } from './vector-transfer.ts';
import { indices1d, printable } from './vector-types.ts';
import { warpExecuteOnLane0 } from './vector-warp.ts';

/** `vector.vscale`. */
export const vscale = defineOp({
  name: 'vector.vscale',
  summary: 'what scalable sizes are multiplied with',
  results: { res: one(index) },
  traits: ['pure'],
  assembly: { format: 'attr-dict' },
  resultName: () => 'vscale',
});

/** `vector.step : vector<4xindex>`. */
export const step = defineOp({
  name: 'vector.step',
  summary: 'the numbers from 0 on',
  results: { result: one(indices1d) },
  traits: ['pure'],
  assembly: { format: 'attr-dict `:` type($result)' },
  fold: ({ results: [result] }) => {
    const { type } = result ?? {};
    const size = type?.kind === 'vector' && type.scalable[0] !== true ? type.shape[0]! : undefined;
    // Larger constants would bloat the IR text.
    if (type === undefined || size === undefined || size > 65_536) return undefined;
    return [
      denseElementsAttribute(
        Array.from({ length: size }, (_, i) => BigInt(i)),
        type,
      ),
    ];
  },
});

/** `vector.print %v : vector<4xf32>`. */
export const print = defineOp({
  name: 'vector.print',
  summary: 'a value or a text for people to read',
  operands: { source: optional(printable) },
  attributes: {
    punctuation: withDefault(punctuationAttribute, 'newline'),
    stringLiteral: named(optionalAttribute(stringAttributeKind), 'stringLiteral'),
  },
  interfaces: [implement(memoryEffects, () => [{ kind: 'write' }])],
  assembly: {
    format:
      '($source^ `:` type($source))? oilist(`str` $stringLiteral | `punctuation` $punctuation) attr-dict',
  },
  *verify({ operands: { source }, attributes: { punctuation, stringLiteral } }) {
    if (stringLiteral !== undefined && (source !== undefined || punctuation !== 'newline'))
      yield 'failed to verify that `source` or `punctuation` are not set when printing strings';
  },
});

export {
  bitcast,
  broadcast,
  compressstore,
  constantMask,
  contract,
  createMask,
  deinterleave,
  expandload,
  extract,
  extractelement,
  extractStridedSlice,
  flatTranspose,
  fma,
  fromElements,
  gather,
  insert,
  insertelement,
  insertStridedSlice,
  interleave,
  load,
  mask,
  maskedload,
  maskedstore,
  matrixMultiply,
  multiReduction,
  outerproduct,
  reduction,
  reshape,
  scalableExtract,
  scalableInsert,
  scan,
  scatter,
  shapeCast,
  shuffle,
  splat,
  store,
  transferRead,
  transferWrite,
  transpose,
  typeCast,
  warpExecuteOnLane0,
  yieldOp,
};
export { isMasked, maskable, maskAround } from './vector-masks.ts';
export type { Maskable } from './vector-masks.ts';
export { combinerName, combiningKindOf, combiningKinds } from './combining-kinds.ts';
export type { CombiningKind } from './combining-kinds.ts';
export { contractionSizes } from './vector-reductions.ts';
export {
  accessPlaces,
  elementSources,
  indicesOf,
  positionOf,
  productTerms,
  rearrangingOps,
  reductionTargets,
  vectorShape,
} from './vector-positions.ts';
export type { AccessPlaces, ElementPosition, ProductTerm } from './vector-positions.ts';
export { transferMaskType } from './vector-types.ts';
export { isMinorWithBroadcasts, minorIdentity, minorPermutation } from './vector-transfer.ts';
export {
  areApart,
  haveSamePlace,
  isMinorIdentity,
  isTransfer,
  isWhole,
  transferOf,
} from './vector-transfer-parts.ts';
export type { Transfer } from './vector-transfer-parts.ts';

/** The dialect, for a registry. */
export const vectorDialect: Dialect = {
  name: 'vector',
  operations: [
    contract,
    reduction,
    multiReduction,
    broadcast,
    shuffle,
    interleave,
    deinterleave,
    extractelement,
    extract,
    fma,
    fromElements,
    insertelement,
    insert,
    scalableInsert,
    scalableExtract,
    insertStridedSlice,
    outerproduct,
    reshape,
    extractStridedSlice,
    transferRead,
    transferWrite,
    load,
    store,
    maskedload,
    maskedstore,
    gather,
    scatter,
    expandload,
    compressstore,
    shapeCast,
    bitcast,
    typeCast,
    constantMask,
    createMask,
    mask,
    transpose,
    print,
    matrixMultiply,
    flatTranspose,
    splat,
    vscale,
    scan,
    step,
    warpExecuteOnLane0,
    yieldOp,
  ],
};
