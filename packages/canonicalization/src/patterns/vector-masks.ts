/** Canonicalization of masks, and of operations under all-true or all-false masks. */
import { muli } from '@sconv/dialects/arith';
import {
  compressstore,
  constantMask,
  createMask,
  expandload,
  gather,
  load,
  mask,
  maskedload,
  maskedstore,
  scatter,
  store,
  vscale,
} from '@sconv/dialects/vector';
import type { RewritePattern, Rewriter, Value, VectorType } from '@sconv/ir';
import { builder } from '@sconv/ir';
import { constantOf, definedBy, integerConstant, onOp } from '../match.ts';

/** Whether a mask is all true or all false; undefined if unknown. */
export const maskFormat = (rewriter: Rewriter, value: Value): 'all' | 'none' | undefined => {
  const constant = constantOf(rewriter, value);
  if (constant?.kind === 'dense-elements') {
    const bits = constant.values.map((bit) => Number(bit) !== 0);
    if (constant.text !== undefined || bits.length === 0) return undefined;
    if (bits.every((bit) => bit)) return 'all';
    return bits.includes(true) ? undefined : 'none';
  }
  const { shape } = value.type as VectorType;
  const sized = definedBy(rewriter, value, constantMask);
  if (sized !== undefined) {
    const sizes = constantMask.attributes(sized).maskDimSizes;
    if (sizes.every((size, i) => size >= (shape[i] ?? 1))) return 'all';
    return sizes.every((size) => size <= 0) ? 'none' : undefined;
  }
  const created = definedBy(rewriter, value, createMask);
  const isEmpty = created?.operands.some((bound) => (integerConstant(rewriter, bound) ?? 1) <= 0);
  return isEmpty === true ? 'none' : undefined;
};

/** Whether a bound is `vscale` times `size`. */
const isScaledSize = (rewriter: Rewriter, bound: Value, size: number): boolean => {
  const factors = definedBy(rewriter, bound, muli)?.operands ?? [];
  return (
    factors.some((factor) => definedBy(rewriter, factor, vscale) !== undefined) &&
    factors.some((factor) => integerConstant(rewriter, factor) === size)
  );
};

const constantBounds = onOp(createMask, 'mask-of-constant-bounds', (rewriter, operation) => {
  const type = operation.results[0]!.type as VectorType;
  const sizes = operation.operands.map((bound, i) => {
    const scales = type.scalable[i] === true;
    const size = integerConstant(rewriter, bound);
    if (size !== undefined) return scales && size > 0 ? undefined : Math.min(size, type.shape[i] ?? 1);
    return scales && isScaledSize(rewriter, bound, type.shape[i]!) ? type.shape[i]! : undefined;
  });
  if (!sizes.every((size) => size !== undefined)) return;
  const maskDimSizes = sizes.some((size) => size <= 0) ? sizes.map(() => 0) : sizes;
  rewriter.replaceOperation(operation, [
    builder(rewriter)(constantMask, { maskDimSizes }, { resultTypes: [type] }),
  ]);
});

/** Drops an all-true mask around an operation, and a mask around nothing. */
const needlessMask = onOp(mask, 'needless-mask', (rewriter, operation) => {
  const block = operation.regions[0]?.blocks[0];
  const last = block?.last;
  const first = block?.operations[0];
  if (first === undefined || last === undefined) return;
  if (first === last) {
    if (!mask.operands(operation).passthru) rewriter.replaceOperation(operation, last.operands);
    return;
  }
  if (maskFormat(rewriter, operation.operands[0]!) !== 'all') return;
  rewriter.moveBefore(first, operation);
  rewriter.replaceOperation(operation, first.results);
});

const loads = [maskedload, expandload].map((definition) =>
  onOp(definition, 'load-of-known-mask', (rewriter, operation) => {
    const { base, indices, mask: chosen, pass_thru: passThru } = definition.operands(operation);
    const format = maskFormat(rewriter, chosen);
    const resultTypes = operation.results.map(({ type }) => type);
    if (format === 'none') rewriter.replaceOperation(operation, [passThru]);
    else if (format === 'all')
      rewriter.replaceOperation(operation, [builder(rewriter)(load, { base, indices }, { resultTypes })]);
  }),
);

const stores = [maskedstore, compressstore].map((definition) =>
  onOp(definition, 'store-of-known-mask', (rewriter, operation) => {
    const { base, indices, mask: chosen, valueToStore } = definition.operands(operation);
    const format = maskFormat(rewriter, chosen);
    if (format === 'all') builder(rewriter)(store, { base, indices, valueToStore });
    if (format !== undefined) rewriter.eraseOperation(operation);
  }),
);

const emptyGather = onOp(gather, 'gather-of-nothing', (rewriter, operation) => {
  const { mask: chosen, pass_thru: passThru } = gather.operands(operation);
  if (maskFormat(rewriter, chosen) === 'none') rewriter.replaceOperation(operation, [passThru]);
});

const emptyScatter = onOp(scatter, 'scatter-of-nothing', (rewriter, operation) => {
  if (maskFormat(rewriter, scatter.operands(operation).mask) === 'none') rewriter.eraseOperation(operation);
});

export const vectorMaskPatterns: readonly RewritePattern[] = [
  constantBounds,
  needlessMask,
  ...loads,
  ...stores,
  emptyGather,
  emptyScatter,
];
