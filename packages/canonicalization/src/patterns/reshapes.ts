/** `collapse_shape` and `expand_shape`, of tensors and of buffers. */
import { mixedIndices, sliceOperands } from '@sconv/dialects';
import type { MixedIndex } from '@sconv/dialects';
import * as memref from '@sconv/dialects/memref';
import type { Reassociation } from '@sconv/dialects/tensor';
import { collapseShape, expandShape, fromElements, splat } from '@sconv/dialects/tensor';
import type { DraftOperation, Operation, RewritePattern, Rewriter, Type, Value } from '@sconv/ir';
import { isShaped, isStaticShape, typeEquals } from '@sconv/ir';
import { constantOf, createConstant, definedBy, dynamicCount, onOp } from '../match.ts';
import { memrefCastState } from './memref-cast.ts';
import { collapsedThrough, composed, regrouped, sameGroups } from '../reassociation.ts';

/** Both ops, for tensors or for buffers. */
interface Reshapes {
  readonly collapse: typeof collapseShape | typeof memref.collapseShape;
  readonly expand: typeof expandShape | typeof memref.expandShape;
}

const kinds: readonly Reshapes[] = [
  { collapse: collapseShape, expand: expandShape },
  { collapse: memref.collapseShape, expand: memref.expandShape },
];

const groupsOf = ({ collapse }: Reshapes, operation: Operation): Reassociation =>
  collapse.attributes(operation).reassociation;

const shapeOf = (type: Type): readonly number[] => (isShaped(type) ? type.shape : []);

/** The output sizes of an expansion. */
const outputShape = ({ expand }: Reshapes, operation: Operation): readonly MixedIndex[] =>
  mixedIndices(expand.operands(operation).outputShape, expand.attributes(operation).staticOutputShape);

const collapseState = ({ collapse }: Reshapes, src: Value, reassociation: Reassociation, type: Type) =>
  collapse.state<Rewriter>({
    operands: { src: src },
    attributes: { reassociation },
    resultTypes: [type],
  });

const expandState = (
  { expand }: Reshapes,
  src: Value,
  reassociation: Reassociation,
  sizes: readonly MixedIndex[],
  type: Type,
) => {
  const output = sliceOperands(sizes);
  return expand.state<Rewriter>({
    operands: { src: src, outputShape: output.dynamic },
    attributes: { reassociation, staticOutputShape: output.static },
    resultTypes: [type],
  });
};

/** Whether one of the types is a buffer with a layout other than row-major. */
const hasLayout = (...types: readonly Type[]): boolean =>
  types.some((type) => type.kind === 'memref' && !(type.layout === undefined || memref.isContiguous(type)));

/** A reshape of a reshape: the types before and after both. */
interface Chain {
  readonly first: DraftOperation;
  readonly source: Value;
  readonly result: Value;
}

const chainOf = (
  rewriter: Rewriter,
  operation: DraftOperation,
  producer: Reshapes[keyof Reshapes],
): Chain | undefined => {
  const first = definedBy(rewriter, operation.operands[0], producer);
  const source = first?.operands[0];
  const [result] = operation.results;
  if (first === undefined || source === undefined || result === undefined) return undefined;
  if (![source, operation.operands[0]!, result].every(({ type }) => isShaped(type))) return undefined;
  if (hasLayout(source.type, operation.operands[0]!.type, result.type)) return undefined;
  return { first, source, result };
};

/** Back to the source's own shape, with the same sizes. */
const isUndone = (kind: Reshapes, operation: DraftOperation, { first, source, result }: Chain): boolean => {
  if (!typeEquals(source.type, result.type)) return false;
  const dynamic = dynamicCount(shapeOf(source.type));
  return dynamic < 2 || sameGroups(groupsOf(kind, first), groupsOf(kind, operation));
};

const patternsOf = (kind: Reshapes): readonly RewritePattern[] => {
  const { collapse, expand } = kind;
  const collapseOfCollapse = onOp(collapse, 'collapse-of-collapse', (rewriter, operation) => {
    const chain = chainOf(rewriter, operation, collapse);
    if (chain === undefined) return;
    const groups = composed(groupsOf(kind, chain.first), groupsOf(kind, operation));
    rewriter.replaceWith(operation, collapseState(kind, chain.source, groups, chain.result.type));
  });
  const expandOfExpand = onOp(expand, 'expand-of-expand', (rewriter, operation) => {
    const chain = chainOf(rewriter, operation, expand);
    if (chain === undefined) return;
    const groups = composed(groupsOf(kind, operation), groupsOf(kind, chain.first));
    const sizes = outputShape(kind, operation);
    rewriter.replaceWith(operation, expandState(kind, chain.source, groups, sizes, chain.result.type));
  });
  const collapseOfExpand = onOp(collapse, 'collapse-of-expand', (rewriter, operation) => {
    const chain = chainOf(rewriter, operation, expand);
    if (chain === undefined) return;
    if (isUndone(kind, operation, chain)) {
      rewriter.replaceOperation(operation, [chain.source]);
      return;
    }
    const [before, after] = [shapeOf(chain.source.type), shapeOf(chain.result.type)];
    const [expanded, collapsed] = [groupsOf(kind, chain.first), groupsOf(kind, operation)];
    if (before.length === after.length) {
      // The same dimensions, for a buffer whose layout is written differently.
      if (chain.result.type.kind === 'memref' && sameGroups(expanded, collapsed))
        rewriter.replaceWith(operation, memrefCastState(chain.source, chain.result.type));
      return;
    }
    if (before.length > after.length) {
      const groups = regrouped(expanded, collapsed);
      if (groups === undefined) return;
      rewriter.replaceWith(operation, collapseState(kind, chain.source, groups, chain.result.type));
      return;
    }
    const groups = regrouped(collapsed, expanded);
    const sizes = outputShape(kind, chain.first);
    const kept = collapsed.map((group) => {
      const parts = group.map((dimension) => sizes[dimension]!).filter((size) => size !== 1);
      if (parts.every((size) => typeof size === 'number')) return parts.reduce((all, size) => all * size, 1);
      return parts.length === 1 ? parts[0] : undefined;
    });
    if (groups === undefined || !kept.every((size) => size !== undefined)) return;
    rewriter.replaceWith(operation, expandState(kind, chain.source, groups, kept, chain.result.type));
  });
  const expandOfCollapse = onOp(expand, 'expand-of-collapse', (rewriter, operation) => {
    const chain = chainOf(rewriter, operation, collapse);
    if (chain === undefined) return;
    if (isUndone(kind, operation, chain)) {
      rewriter.replaceOperation(operation, [chain.source]);
      return;
    }
    const [before, after] = [shapeOf(chain.source.type), shapeOf(chain.result.type)];
    const [collapsed, expanded] = [groupsOf(kind, chain.first), groupsOf(kind, operation)];
    if (before.length > after.length) {
      const groups = collapsedThrough(collapsed, expanded, before, after);
      if (groups === undefined) return;
      rewriter.replaceWith(operation, collapseState(kind, chain.source, groups, chain.result.type));
    } else if (before.length < after.length) {
      const groups = collapsedThrough(expanded, collapsed, after, before);
      if (groups === undefined) return;
      const sizes = outputShape(kind, operation);
      rewriter.replaceWith(operation, expandState(kind, chain.source, groups, sizes, chain.result.type));
    }
  });
  return [collapseOfCollapse, expandOfExpand, collapseOfExpand, expandOfCollapse];
};

/** Reshapes of constants, splats, or `from_elements`. */
const reshapeOfElements = [collapseShape, expandShape].map((definition) =>
  onOp(definition, 'reshape-of-elements', (rewriter, operation) => {
    const [source] = operation.operands;
    const { type } = operation.results[0]!;
    if (type.kind !== 'tensor' || !isStaticShape(type)) return;
    const constant = constantOf(rewriter, source);
    if (constant?.kind === 'dense-elements') {
      const made = createConstant(rewriter, operation, { ...constant, type }, type);
      if (made !== undefined) rewriter.replaceOperation(operation, [made]);
      return;
    }
    const equal = definedBy(rewriter, source, splat);
    if (equal?.operands.length === 1) {
      rewriter.replaceWith(
        operation,
        splat.state({ operands: { input: equal.operands[0]! }, resultTypes: [type] }),
      );
      return;
    }
    const listed = definedBy(rewriter, source, fromElements);
    if (listed !== undefined) {
      rewriter.replaceWith(
        operation,
        fromElements.state({ operands: { elements: listed.operands }, resultTypes: [type] }),
      );
    }
  }),
);

export const reshapePatterns: readonly RewritePattern[] = [
  ...kinds.flatMap(patternsOf),
  ...reshapeOfElements,
];
