/** Structured ops: copies, fills, and more static types. */
import { isIdentity, symbol } from '@sconv/affine';
import {
  applyExpression,
  areSlicesDisjoint,
  castTo,
  indexValue,
  insertSliceState,
  mixedSlice,
  sizeOrDim,
} from '@sconv/dialects';
import { cast as bufferCast } from '@sconv/dialects/memref';
import {
  broadcast,
  copy,
  fill,
  generic,
  isStructured,
  map,
  reduce,
  structured,
  transpose,
} from '@sconv/dialects/linalg';
import {
  cast,
  collapseShape,
  empty,
  expandShape,
  extract,
  insertSlice,
  mixedPadding,
  pack,
  pad,
} from '@sconv/dialects/tensor';
import type { DraftOperation, RewritePattern, Rewriter, TensorType, Type, Value } from '@sconv/ir';
import {
  attributeEquals,
  bodyOf,
  denseArrayAttribute,
  DYNAMIC,
  isShaped,
  terminatorOf,
  typeEquals,
} from '@sconv/ir';
import { constantOf, definedBy, isSame, onOp, onOps, stateOf } from '../match.ts';
import { tensorCast } from './tensor-cast.ts';

const tensorOf = (value: Value | undefined): TensorType | undefined =>
  value?.type.kind === 'tensor' ? value.type : undefined;

/** The same operation on other operands, with cloned regions. */
const again = (
  rewriter: Rewriter,
  operation: DraftOperation,
  operands: readonly Value[],
  resultTypes: readonly Type[],
): DraftOperation => {
  const made = rewriter.create(stateOf(operation, { operands, resultTypes }));
  for (const region of operation.regions) rewriter.cloneRegion(region, rewriter.createRegion(made));
  return made;
};

/** A fill of another destination with the same value. */
const fillAgain = (rewriter: Rewriter, filled: DraftOperation, dest: Value): Value =>
  again(rewriter, filled, [filled.operands[0]!, dest], [dest.type]).results[0]!;

/** An op on empty buffers. */
const onNothing: RewritePattern = {
  name: 'structured-op-on-nothing',
  rewrite: (rewriter, operation) => {
    if (operation.results.length > 0 || !isStructured(rewriter.registry, operation)) return;
    const isEmpty = operation.operands.some(({ type }) => type.kind === 'memref' && type.shape.includes(0));
    if (isEmpty) rewriter.eraseOperation(operation);
  },
};

/** An op that forwards its operands. */
const identityOp = onOps([generic, copy], 'identity-structured-op', (rewriter, operation) => {
  const view = structured(rewriter.registry, operation);
  const body = view?.body;
  if (view === undefined || body === undefined || !view.indexingMaps.every(isIdentity)) return;
  const last = terminatorOf(body);
  if (body.operations.length > 1) return;
  const positions = last.operands.map(({ id }) => body.arguments.findIndex((argument) => argument.id === id));
  if (positions.includes(-1)) return;
  const all = [...view.inputs, ...view.outputs];
  // A copy determines where the values go; it stays unless source and destination are the same.
  if (copy.is(operation) && !isSame(all[0], all[1])) return;
  if (operation.results.length === 0) {
    const isSelf = positions.every((position, i) => isSame(all[position], view.outputs[i]));
    if (isSelf) rewriter.eraseOperation(operation);
    return;
  }
  const sources = positions.map((position) => all[position]!);
  const fits = operation.results.every(({ type }, i) => {
    const given = sources[i]!.type;
    return (
      typeEquals(type, given) ||
      (type.kind === 'tensor' && given.kind === 'tensor' && typeEquals(type.elementType, given.elementType))
    );
  });
  if (!fits) return;
  rewriter.replaceOperation(
    operation,
    operation.results.map(({ type }, i) => castTo(rewriter, sources[i]!, type, tensorCast)),
  );
});

/** A reshaped fill is a fill of the new shape. */
const reshapeOfFill = onOps([collapseShape, expandShape], 'reshape-of-fill', (rewriter, operation) => {
  const filled = definedBy(rewriter, operation.operands[0], fill);
  const [result] = operation.results;
  if (filled === undefined || tensorOf(result) === undefined) return;
  const dest = rewriter.createValue(
    stateOf(operation, { operands: [filled.operands[1]!, ...operation.operands.slice(1)] }),
  );
  rewriter.replaceOperation(operation, [fillAgain(rewriter, filled, dest)]);
});

const extractOfFill = onOp(extract, 'extract-of-fill', (rewriter, operation) => {
  const filled = definedBy(rewriter, operation.operands[0], fill);
  const [value] = filled?.operands ?? [];
  if (value !== undefined && typeEquals(value.type, operation.results[0]!.type))
    rewriter.replaceOperation(operation, [value]);
});

/** Whether two values are the same, or equal constants. */
const isSameValue = (rewriter: Rewriter, a: Value | undefined, b: Value | undefined): boolean => {
  if (isSame(a, b)) return true;
  const [x, y] = [constantOf(rewriter, a), constantOf(rewriter, b)];
  return x !== undefined && y !== undefined && attributeEquals(x, y);
};

const packOfFill = onOp(pack, 'pack-of-fill', (rewriter, operation) => {
  const { source, dest, paddingValue } = pack.operands(operation);
  const filled = definedBy(rewriter, source, fill);
  if (filled === undefined) return;
  if (paddingValue !== undefined && !isSameValue(rewriter, paddingValue, filled.operands[0])) return;
  rewriter.replaceOperation(operation, [fillAgain(rewriter, filled, dest)]);
});

/** The padding value of a pad, if it is uniform. */
const paddingOf = (rewriter: Rewriter, operation: DraftOperation): Value | undefined => {
  const [value] = terminatorOf(bodyOf(operation)).operands;
  if (value === undefined) return undefined;
  return rewriter.isDefinedOutside(value, operation) || constantOf(rewriter, value) !== undefined
    ? value
    : undefined;
};

/** Padding a fill with its own value. */
const padOfFill = onOp(pad, 'pad-of-fill', (rewriter, operation) => {
  const filled = definedBy(rewriter, operation.operands[0], fill);
  const value = paddingOf(rewriter, operation);
  const [from, to] = [tensorOf(operation.operands[0]), tensorOf(operation.results[0])];
  if (filled === undefined || from === undefined || to === undefined) return;
  if (value === undefined || !isSameValue(rewriter, value, filled.operands[0])) return;
  const { low, high } = mixedPadding(operation);
  const sizes: Value[] = [];
  to.shape.forEach((size, i) => {
    if (size !== DYNAMIC) return;
    const own = sizeOrDim(rewriter, filled.operands[1]!, i);
    const sum = applyExpression(rewriter, symbol(0).add(symbol(1)).add(symbol(2)), [own, low[i]!, high[i]!]);
    sizes.push(indexValue(rewriter, sum));
  });
  const dest = rewriter.createValue(empty.state({ operands: { dynamicSizes: sizes }, resultTypes: [to] }));
  rewriter.replaceOperation(operation, [fillAgain(rewriter, filled, dest)]);
});

/** A padded tensor inserted into a fill of the padding value: insert it without the padding. */
const insertOfPad = onOp(insertSlice, 'insert-of-pad-into-fill', (rewriter, operation) => {
  const padded = definedBy(rewriter, operation.operands[0], pad);
  if (padded === undefined || pad.attributes(padded).nofold) return;
  const own = mixedSlice(operation);
  const dest = operation.operands[1]!;
  if (own.strides.some((stride) => stride !== 1)) return;
  if (tensorOf(padded.results[0])?.shape.length !== own.sizes.length) return;
  // 1. Walk back to the fill, over insertions that are disjoint from this slice.
  let base = dest;
  for (;;) {
    const before = definedBy(rewriter, base, insertSlice);
    if (before === undefined) break;
    if (!areSlicesDisjoint(mixedSlice(before), own)) return;
    base = before.operands[1]!;
  }
  const filled = definedBy(rewriter, base, fill);
  const value = paddingOf(rewriter, padded);
  if (filled === undefined || value === undefined) return;
  if (!isSameValue(rewriter, value, filled.operands[0])) return;
  // 2. The unpadded part.
  const { low } = mixedPadding(padded);
  const source = padded.operands[0]!;
  const offsets = own.offsets.map((offset, i) =>
    applyExpression(rewriter, symbol(0).add(symbol(1)), [low[i]!, offset]),
  );
  const sizes = own.sizes.map((_, i) => sizeOrDim(rewriter, source, i));
  const made = rewriter.createValue(insertSliceState(source, dest, { offsets, sizes, strides: own.strides }));
  rewriter.replaceOperation(operation, [castTo(rewriter, made, operation.results[0]!.type, tensorCast)]);
});

/** A copy of a fill is a fill; a copy into a fill overwrites it. */
const copyOfFill = onOp(copy, 'copy-of-fill', (rewriter, operation) => {
  const [source, dest] = operation.operands;
  const from = definedBy(rewriter, source, fill);
  if (from !== undefined && dest !== undefined && tensorOf(dest) !== undefined) {
    if (typeEquals(from.results[0]?.type ?? dest.type, dest.type))
      rewriter.replaceOperation(operation, [fillAgain(rewriter, from, dest)]);
    return;
  }
  const into = definedBy(rewriter, dest, fill);
  if (into !== undefined) rewriter.setOperand(operation, 1, into.operands[1]!);
});

const numbersOf = (operation: DraftOperation, name: string): readonly number[] => {
  const attribute = operation.attributes[name];
  return attribute?.kind === 'dense-array' ? attribute.values.map(Number) : [];
};

/** Identity transposes, transposes of transposes, and transposes of fills. */
const simpleTranspose = onOp(transpose, 'simple-transpose', (rewriter, operation) => {
  const [source, init] = operation.operands;
  if (source === undefined || init === undefined || operation.results.length !== 1) return;
  const permutation = numbersOf(operation, 'permutation');
  if (permutation.every((position, i) => position === i)) {
    rewriter.replaceOperation(operation, [castTo(rewriter, source, operation.results[0]!.type, tensorCast)]);
    return;
  }
  const filled = definedBy(rewriter, source, fill);
  if (filled !== undefined) {
    rewriter.replaceOperation(operation, [fillAgain(rewriter, filled, init)]);
    return;
  }
  const inner = definedBy(rewriter, source, transpose);
  if (inner === undefined) return;
  const before = numbersOf(inner, 'permutation');
  rewriter.setAttribute(
    operation,
    'permutation',
    denseArrayAttribute(permutation.map((position) => before[position]!)),
  );
  rewriter.setOperand(operation, 0, inner.operands[0]!);
});

/** A broadcast that adds no dimensions. */
const simpleBroadcast = onOp(broadcast, 'simple-broadcast', (rewriter, operation) => {
  const [source] = operation.operands;
  if (source === undefined || operation.results.length !== 1) return;
  if (numbersOf(operation, 'dimensions').length > 0) return;
  rewriter.replaceOperation(operation, [castTo(rewriter, source, operation.results[0]!.type, tensorCast)]);
});

/** A transpose of a broadcast becomes a broadcast of a transpose, which is smaller. */
const transposeOfBroadcast = onOp(transpose, 'transpose-of-broadcast', (rewriter, operation) => {
  const inner = definedBy(rewriter, operation.operands[0], broadcast);
  const source = inner?.operands[0];
  const type = tensorOf(source);
  if (inner === undefined || source === undefined || type === undefined) return;
  if (operation.results.length !== 1) return;
  const permutation = numbersOf(operation, 'permutation');
  const added = numbersOf(inner, 'dimensions');
  // 1. The positions of the added dimensions and of the source's, after the transpose.
  const places = added.map((dimension) => permutation.indexOf(dimension));
  const own = permutation.filter((dimension) => !added.includes(dimension));
  const order = own.toSorted((a, b) => a - b);
  const inside = own.map((dimension) => order.indexOf(dimension));
  // 2. Transpose the source, then broadcast.
  const isMoved = inside.some((position, i) => position !== i);
  const transposed = isMoved ? transposedSource(rewriter, operation, source, type, inside) : source;
  const made = rewriter.create(
    stateOf(inner, {
      operands: [transposed, operation.operands[1]!],
      resultTypes: [operation.results[0]!.type],
      attributes: { ...inner.attributes, dimensions: denseArrayAttribute(places) },
    }),
  );
  for (const region of inner.regions) rewriter.cloneRegion(region, rewriter.createRegion(made));
  rewriter.replaceOperation(operation, made.results, [made]);
});

const transposedSource = (
  rewriter: Rewriter,
  operation: DraftOperation,
  source: Value,
  type: TensorType,
  permutation: readonly number[],
): Value => {
  const shape = permutation.map((position) => type.shape[position]!);
  const sizes = permutation
    .filter((position) => type.shape[position] === DYNAMIC)
    .map((position) => indexValue(rewriter, sizeOrDim(rewriter, source, position)));
  const init = rewriter.createValue(
    empty.state({ operands: { dynamicSizes: sizes }, resultTypes: [{ ...type, shape }] }),
  );
  const made = rewriter.create(
    stateOf(operation, {
      operands: [source, init],
      resultTypes: [init.type],
      attributes: { ...operation.attributes, permutation: denseArrayAttribute(permutation) },
    }),
  );
  for (const region of operation.regions) rewriter.cloneRegion(region, rewriter.createRegion(made));
  return made.results[0]!;
};

/** Propagates static sizes between operands. */
const staticOperands: RewritePattern = {
  name: 'structured-op-of-static-sizes',
  rewrite: (rewriter, operation) => {
    if (operation.results.length === 0) return;
    const view = structured(rewriter.registry, operation);
    if (view === undefined) return;
    const { indexingMaps, inputs, outputs } = view;
    const values = [...inputs, ...outputs];
    if (values.some(({ type }) => type.kind === 'memref')) return;
    const isPermutation = indexingMaps.every(({ results }) => {
      const positions = results.map((result) => (result.kind === 'dim' ? result.position : -1));
      return !positions.includes(-1) && new Set(positions).size === positions.length;
    });
    if (!isPermutation) return;
    const known = knownSizes(rewriter, indexingMaps, values);
    const types = values.map(({ type }, at) => {
      if (type.kind !== 'tensor') return type;
      const shape = type.shape.map((size, i) => {
        const result = indexingMaps[at]!.results[i];
        return size === DYNAMIC && result?.kind === 'dim' ? (known.get(result.position) ?? size) : size;
      });
      return { ...type, shape };
    });
    if (types.every((type, i) => typeEquals(type, values[i]!.type))) return;
    const operands = values.map((value, i) => castTo(rewriter, value, types[i]!, tensorCast));
    const resultTypes = types.slice(inputs.length);
    const made = again(rewriter, operation, operands, resultTypes);
    rewriter.replaceOperation(
      operation,
      made.results.map((value, i) => castTo(rewriter, value, operation.results[i]!.type, tensorCast)),
      [made],
    );
  },
};

/** The size of each iteration dimension, if an operand, or the source of its cast, is static there. */
const knownSizes = (
  rewriter: Rewriter,
  maps: NonNullable<ReturnType<typeof structured>>['indexingMaps'],
  values: readonly Value[],
): ReadonlyMap<number, number> => {
  const known = new Map<number, number>();
  values.forEach((value, at) => {
    const source = tensorOf(definedBy(rewriter, value, cast)?.operands[0]);
    const isStatic = source !== undefined && !source.shape.includes(DYNAMIC);
    const shape = isStatic ? source.shape : isShaped(value.type) ? value.type.shape : [];
    shape.forEach((size, i) => {
      const result = maps[at]!.results[i];
      if (size !== DYNAMIC && result?.kind === 'dim' && !known.has(result.position))
        known.set(result.position, size);
    });
  });
  return known;
};

/** A result that is cast to a more static type: produce that type. */
const castOfResult = onOp(cast, 'cast-of-structured-op', (rewriter, operation) => {
  const [value] = operation.operands;
  const source = value === undefined ? undefined : rewriter.definingOperation(value);
  const [from, to] = [tensorOf(value), tensorOf(operation.results[0])];
  if (source === undefined || from === undefined || to === undefined) return;
  const view = structured(rewriter.registry, source);
  if (view === undefined || typeEquals(from, to)) return;
  const knowsMore = from.shape.every((size, i) => size === DYNAMIC || to.shape[i] === size);
  if (!knowsMore || source.parent !== operation.parent) return;
  const position = source.results.findIndex(({ id }) => id === value?.id);
  const at = view.inputs.length + position;
  rewriter.scoped(() => {
    rewriter.setInsertionPointBefore(source);
    const operands = source.operands.map((operand, i) =>
      i === at ? castTo(rewriter, operand, to, tensorCast) : operand,
    );
    const made = again(
      rewriter,
      source,
      operands,
      source.results.map(({ type }, i) => (i === position ? to : type)),
    );
    rewriter.replaceOperation(operation, [made.results[position]!], [made]);
    rewriter.setInsertionPointAfter(made);
    rewriter.replaceOperation(
      source,
      made.results.map((result, i) => castTo(rewriter, result, source.results[i]!.type, tensorCast)),
      [made],
    );
  });
});

/** Ops whose operands must agree in which of their sizes are dynamic. */
const areAlike = [broadcast, map, reduce, transpose];

/** Uses the sources of buffer casts. */
const operandOfCast: RewritePattern = {
  name: 'structured-op-of-memref-cast',
  rewrite: (rewriter, operation) => {
    if (!operation.operands.some(({ type }) => type.kind === 'memref')) return;
    if (!isStructured(rewriter.registry, operation) || areAlike.some((each) => each.is(operation))) return;
    const operands = operation.operands.map((operand) => {
      const [source] = definedBy(rewriter, operand, bufferCast)?.operands ?? [];
      return source?.type.kind === 'memref' ? source : operand;
    });
    if (operands.some((operand, i) => operand !== operation.operands[i]))
      rewriter.setOperands(operation, operands);
  },
};

export const linalgPatterns: readonly RewritePattern[] = [
  operandOfCast,
  onNothing,
  ...identityOp,
  ...reshapeOfFill,
  extractOfFill,
  packOfFill,
  padOfFill,
  insertOfPad,
  copyOfFill,
  simpleTranspose,
  simpleBroadcast,
  transposeOfBroadcast,
  staticOperands,
  castOfResult,
];
