/** Elements and sizes of tensors, known from their definitions. */
import { applyComposed, castTo, createDim, denseOfNumbers, numberAt } from '@sconv/dialects';
import { indexCast } from '@sconv/dialects/arith';
import {
  cast,
  collapseShape,
  concat,
  dim,
  empty,
  expandShape,
  extract,
  fromElements,
  gather,
  generate,
  insert,
  reshape,
  splat,
} from '@sconv/dialects/tensor';
import { constant as constantExpr, dim as dimExpr, makeMap } from '@sconv/affine';
import type { DraftOperation, RewritePattern, Rewriter, Value } from '@sconv/ir';
import {
  attributeEquals,
  bodyOf,
  DYNAMIC,
  effectsOf,
  elementCount,
  isStaticShape,
  terminatorOf,
  typeEquals,
} from '@sconv/ir';
import {
  constantOf,
  createConstant,
  definedBy,
  destinationStart,
  dynamicPosition,
  integerConstant,
  isNonNegative,
  isSame,
  onOp,
  sameValues,
} from '../match.ts';
import { tensorCast } from './tensor-cast.ts';

/** The row-major position of an element; undefined if out of bounds. */
const positionOf = (
  shape: readonly number[],
  indices: readonly (number | undefined)[],
): number | undefined => {
  let position = 0;
  for (const [i, size] of shape.entries()) {
    const index = indices[i];
    if (index === undefined || index < 0 || index >= size) return undefined;
    position = position * size + index;
  }
  return position;
};

/** An element of `tensor.from_elements`, or of a constant. */
const extractKnown = onOp(extract, 'extract-known-element', (rewriter, operation) => {
  const [tensor, ...indices] = operation.operands;
  const [result] = operation.results;
  if (tensor?.type.kind !== 'tensor' || result === undefined) return;
  const splatted = definedBy(rewriter, tensor, splat);
  if (splatted !== undefined) {
    rewriter.replaceOperation(operation, [splatted.operands[0]!]);
    return;
  }
  const inserted = definedBy(rewriter, tensor, insert);
  if (inserted !== undefined) {
    const [scalar, , ...places] = inserted.operands;
    if (sameValues(places, indices)) rewriter.replaceOperation(operation, [scalar!]);
    return;
  }
  if (!isStaticShape(tensor.type)) return;
  const position = positionOf(
    tensor.type.shape,
    indices.map((index) => integerConstant(rewriter, index)),
  );
  if (position === undefined) return;
  const elements = definedBy(rewriter, tensor, fromElements);
  if (elements !== undefined) {
    rewriter.replaceOperation(operation, [elements.operands[position]!]);
    return;
  }
  const constant = constantOf(rewriter, tensor);
  if (constant?.kind !== 'dense-elements') return;
  const element = numberAt(constant, position, result.type);
  const made = element && createConstant(rewriter, operation, element, result.type);
  if (made !== undefined) rewriter.replaceOperation(operation, [made]);
});

/** An element of a `tensor.generate`: inline the body. */
const extractGenerated = onOp(extract, 'extract-from-generate', (rewriter, operation) => {
  const [tensor, ...indices] = operation.operands;
  const source = definedBy(rewriter, tensor, generate);
  if (source === undefined) return;
  const body = bodyOf(source);
  const effects = effectsOf(rewriter.registry, source);
  if (effects === undefined || effects.length > 0) return;
  const mapping = new Map(body.arguments.map(({ id }, i) => [id, indices[i]!]));
  const last = terminatorOf(body);
  for (const inner of body.operations) if (inner.id !== last.id) rewriter.clone(inner, mapping);
  const [value] = last.operands;
  rewriter.replaceOperation(operation, [mapping.get(value!.id) ?? value!]);
});

/** An element of an index_cast tensor: cast the element. */
const extractOfIndexCast = onOp(extract, 'extract-of-index-cast', (rewriter, operation) => {
  const [tensor, ...indices] = operation.operands;
  const source = definedBy(rewriter, tensor, indexCast)?.operands[0];
  if (source?.type.kind !== 'tensor') return;
  const element = rewriter.createValue(extract.state({ operands: { tensor: source, indices } }));
  rewriter.replaceWith(
    operation,
    indexCast.state({ operands: { in: element }, resultTypes: [operation.results[0]!.type] }),
  );
});

/** Inserting the same element into a splat. */
const insertIntoSplat = onOp(insert, 'insert-into-same-splat', (rewriter, operation) => {
  const [scalar, dest] = operation.operands;
  const [value, into] = [constantOf(rewriter, scalar), constantOf(rewriter, dest)];
  if (value === undefined || into?.kind !== 'dense-elements' || into.values.length !== 1) return;
  const element = numberAt(into, 0, scalar!.type);
  if (element !== undefined && attributeEquals(element, value)) rewriter.replaceOperation(operation, [dest!]);
});

const constantElements = onOp(fromElements, 'from-constant-elements', (rewriter, operation) => {
  const { type } = operation.results[0]!;
  const numbers = operation.operands.map((operand) => constantOf(rewriter, operand));
  const elements = denseOfNumbers(numbers, type);
  const made = elements && createConstant(rewriter, operation, elements, type);
  if (made !== undefined) rewriter.replaceOperation(operation, [made]);
});

const constantSplat = onOp(splat, 'splat-of-constant', (rewriter, operation) => {
  const { type } = operation.results[0]!;
  const elements = denseOfNumbers([constantOf(rewriter, operation.operands[0])], type);
  if (elements === undefined || type.kind !== 'tensor' || !isStaticShape(type)) return;
  const made = createConstant(rewriter, operation, elements, type);
  if (made !== undefined) rewriter.replaceOperation(operation, [made]);
});

/** Moves constant sizes of a generated tensor into its type. */
const staticGenerate = onOp(generate, 'generate-of-static-sizes', (rewriter, operation) => {
  const { type } = operation.results[0]!;
  if (type.kind !== 'tensor') return;
  const kept: Value[] = [];
  let next = 0;
  const shape = type.shape.map((size) => {
    if (size !== DYNAMIC) return size;
    const operand = operation.operands[next++]!;
    const known = integerConstant(rewriter, operand);
    if (known !== undefined && isNonNegative(known)) return known;
    kept.push(operand);
    return DYNAMIC;
  });
  if (kept.length === operation.operands.length) return;
  const made = rewriter.create({
    name: operation.name,
    operands: kept,
    resultTypes: [{ ...type, shape }],
    attributes: operation.attributes,
    location: operation.location,
  });
  rewriter.moveRegion(operation.regions[0]!, rewriter.createRegion(made));
  rewriter.replaceOperation(operation, [castTo(rewriter, made.results[0]!, type, tensorCast)]);
});

/** Sizes that are operands of the tensor's definition, or that equal those of another tensor. */
const knownDim = onOp(dim, 'tensor-dim-of-known', (rewriter, operation) => {
  const [tensor, index] = operation.operands;
  const source = tensor === undefined ? undefined : rewriter.definingOperation(tensor);
  if (source === undefined || tensor === undefined) return;
  if (cast.is(source)) {
    rewriter.setOperand(operation, 0, source.operands[0]!);
    return;
  }
  const position = integerConstant(rewriter, index);
  const known = position === undefined ? undefined : sizeOperand(tensor, source, position);
  if (known !== undefined) {
    rewriter.replaceOperation(operation, [known]);
    return;
  }
  const first = destinationStart(rewriter.registry, source);
  if (first !== undefined) {
    const result = source.results.findIndex(({ id }) => id === tensor.id);
    const init = source.operands.slice(first).filter(({ type }) => type.kind === 'tensor')[result];
    if (init !== undefined) rewriter.setOperand(operation, 0, init);
    return;
  }
  if (reshape.is(source)) dimOfReshape(rewriter, operation, source);
  else if (position !== undefined) dimOfReassociation(rewriter, operation, source, position);
});

/** The operand that defines the size of a dimension. */
const sizeOperand = ({ type }: Value, source: DraftOperation, position: number): Value | undefined => {
  if (type.kind !== 'tensor' || type.shape[position] !== DYNAMIC) return undefined;
  const place = dynamicPosition(type.shape, position);
  if (empty.is(source)) return source.operands[place];
  return splat.is(source) ? source.operands[1 + place] : undefined;
};

/** A size of a reshaped tensor is an element of its shape. */
const dimOfReshape = (rewriter: Rewriter, operation: DraftOperation, source: DraftOperation): void => {
  const [, shape] = source.operands;
  const [, index] = operation.operands;
  if (shape?.type.kind !== 'tensor' || index === undefined) return;
  // The index may be defined after the reshape; extract at the use, where the shape is available too.
  const element = rewriter.createValue(extract.state({ operands: { tensor: shape, indices: [index] } }));
  const size =
    element.type.kind === 'index'
      ? element
      : rewriter.createValue(
          indexCast.state({ operands: { in: element }, resultTypes: [operation.results[0]!.type] }),
        );
  rewriter.replaceOperation(operation, [size]);
};

/** A size of an expanded or collapsed tensor, from those of its source. */
const dimOfReassociation = (
  rewriter: Rewriter,
  operation: DraftOperation,
  source: DraftOperation,
  position: number,
): void => {
  const [from] = source.operands;
  if (from?.type.kind !== 'tensor') return;
  if (collapseShape.is(source)) {
    const group = collapseShape.attributes(source).reassociation[position];
    if (group === undefined || source.results[0]!.type.kind !== 'tensor') return;
    if (source.results[0]!.type.shape[position] !== DYNAMIC) return;
    const dynamic = group.filter((i) => from.type.kind === 'tensor' && from.type.shape[i] === DYNAMIC);
    const fixed = group
      .map((i) => (from.type.kind === 'tensor' ? from.type.shape[i]! : DYNAMIC))
      .filter((size) => size !== DYNAMIC)
      .reduce((product, size) => product * size, 1);
    const [only, ...more] = dynamic;
    // A product of sizes is not affine.
    if (only === undefined || more.length > 0) return;
    const map = makeMap(1, 0, [dimExpr(0).mul(constantExpr(fixed))]);
    rewriter.replaceOperation(operation, [applyComposed(rewriter, map, [createDim(rewriter, from, only)])]);
    return;
  }
  if (!expandShape.is(source)) return;
  const to = source.results[0]!.type;
  if (to.kind !== 'tensor' || to.shape[position] !== DYNAMIC) return;
  const { reassociation } = expandShape.attributes(source);
  const group = reassociation.findIndex((dimensions) => dimensions.includes(position));
  const fixed = (reassociation[group] ?? [])
    .filter((dimension) => dimension !== position)
    .map((dimension) => to.shape[dimension]!);
  if (group < 0 || fixed.includes(DYNAMIC)) return;
  const product = fixed.reduce((all, size) => all * size, 1);
  if (product === 0) return;
  const map = makeMap(1, 0, [dimExpr(0).floorDiv(constantExpr(product))]);
  rewriter.replaceOperation(operation, [applyComposed(rewriter, map, [createDim(rewriter, from, group)])]);
};

/** A concatenation of a single tensor. */
const singleConcat = onOp(concat, 'concat-of-one', (rewriter, operation) => {
  const [input, ...more] = operation.operands;
  if (input === undefined || more.length > 0) return;
  rewriter.replaceOperation(operation, [castTo(rewriter, input, operation.results[0]!.type, tensorCast)]);
});

/** A gather from a splat constant, or a reshape of one. */
const splatConstants = [gather, reshape].map((definition) =>
  onOp(definition, 'rearranged-splat-constant', (rewriter, operation) => {
    const constant = constantOf(rewriter, operation.operands[0]);
    const { type } = operation.results[0]!;
    if (constant?.kind !== 'dense-elements' || constant.values.length !== 1) return;
    if (constant.text !== undefined || type.kind !== 'tensor' || !isStaticShape(type)) return;
    if (elementCount(type.shape) === 0) return;
    const made = createConstant(rewriter, operation, { ...constant, type }, type);
    if (made !== undefined) rewriter.replaceOperation(operation, [made]);
  }),
);

/** A reshape of a reshape, and one without effect. */
const reshapeOfReshape = onOp(reshape, 'reshape-of-reshape', (rewriter, operation) => {
  const [source, shape] = operation.operands;
  const { type } = operation.results[0]!;
  const inner = definedBy(rewriter, source, reshape);
  if (inner !== undefined) {
    rewriter.setOperand(operation, 0, inner.operands[0]!);
    return;
  }
  if (source?.type.kind !== 'tensor' || type.kind !== 'tensor' || !typeEquals(source.type, type)) return;
  const isVector = type.shape.length === 1;
  if (isVector || isStaticShape(type) || isOwnShape(rewriter, source, shape)) {
    rewriter.replaceOperation(operation, [source]);
  }
});

/** Whether a shape consists of the sizes of `source` in order. */
const isOwnShape = (rewriter: Rewriter, source: Value, shape: Value | undefined): boolean => {
  const elements = definedBy(rewriter, shape, fromElements)?.operands;
  if (source.type.kind !== 'tensor' || elements?.length !== source.type.shape.length) return false;
  const { shape: sizes } = source.type;
  return elements.every((element, i) => {
    const known = integerConstant(rewriter, element);
    if (known !== undefined) return known === sizes[i];
    const size = definedBy(rewriter, element, dim);
    if (size === undefined || !isSame(size.operands[0], source)) return false;
    return integerConstant(rewriter, size.operands[1]) === i;
  });
};

export const tensorElementPatterns: readonly RewritePattern[] = [
  extractKnown,
  extractGenerated,
  extractOfIndexCast,
  insertIntoSplat,
  constantElements,
  constantSplat,
  staticGenerate,
  knownDim,
  singleConcat,
  ...splatConstants,
  reshapeOfReshape,
];
