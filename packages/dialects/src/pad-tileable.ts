/** Tiling of `tensor.pad`: each tile pads a slice of the source, or is all padding where that slice is empty. */
import { affineMap, dim, identityMap, makeMap, symbol } from '@sconv/affine';
import { silenceableError, success } from '@sconv/diagnostics';
import type {
  BodyBuilder,
  DraftOperation,
  OperationState,
  Registry,
  Rewriter,
  TensorType,
  Type,
  Value,
} from '@sconv/ir';
import { bodyOf, constantValueOf, DYNAMIC, i1, indexType, tensorType } from '@sconv/ir';
import { applyFolded } from './affine-application.ts';
import { cmpi } from './arith-compare.ts';
import { ori } from './arith-integer.ts';
import { createIndex } from './composed-apply.ts';
import { castTo } from './cast-to.ts';
import { createSize } from './create-size.ts';
import { createEmpty } from './create-tensor.ts';
import { maxFolded, minFolded } from './folded-bounds.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { sliceOperands } from './mixed-indices.ts';
import { indexValue } from './mixed-values.ts';
import { ifOp, yieldOp as scfYield } from './scf.ts';
import { staticSizes } from './slice-types.ts';
import { addSizes } from './strided-layout.ts';
import { createSlice } from './structured-tileable.ts';
import { cast, generate, yieldOp } from './tensor.ts';
import { mixedPadding, pad } from './tensor-slices.ts';
import type { MixedBox, Tile, Tileable } from './tileable.ts';

const sum = affineMap('(d0, d1) -> (d0 + d1)');
const difference = affineMap('(d0, d1) -> (d0 - d1)');
const both = identityMap(2);

/** @deviation A padding value computed at each position is refused with the reason; upstream fails without one. */
export const padTileable = (registry: Registry, operation: DraftOperation): Tileable => {
  const { shape, elementType } = pad.results(operation).result.type;
  const domain = (rewriter: Rewriter): readonly MixedIndex[] =>
    shape.map((_, dimension) => paddedSize(rewriter, operation, dimension));
  return {
    isParallel: shape.map(() => true),
    domain,
    // Sizes that the type does not have are values even where they are known, so that the tensor has that type.
    destinations: (rewriter) => {
      const sizes = domain(rewriter).map((size, i) =>
        shape[i] === DYNAMIC ? indexValue(rewriter, size) : size,
      );
      return [createEmpty(rewriter, sizes, elementType)];
    },
    check: () => {
      const { value, definition } = yieldedValue(operation);
      const isUniform =
        definition === undefined
          ? !bodyOf(operation).arguments.some(({ id }) => id === value.id)
          : constantValueOf(registry, definition) !== undefined;
      return isUniform
        ? success(undefined)
        : silenceableError(
            'tile/padding',
            "a 'tensor.pad' can be tiled if its padding value is the same everywhere, and this one computes it",
            operation,
          );
    },
    tile: (rewriter, box) => createPadTile(rewriter, operation, box),
    resultBox: (_rewriter, _result, box) => box,
  };
};

/** What the body yields, and the op of the body that defines it, if one does. */
const yieldedValue = (
  operation: DraftOperation,
): { readonly value: Value; readonly definition: DraftOperation | undefined } => {
  const body = bodyOf(operation);
  const value = body.last!.operands[0]!;
  const definition = [...body.operations].find(({ results }) => results.some(({ id }) => id === value.id));
  return { value, definition };
};

/** The size of a dimension of the result: its source's with low and high padding. */
const paddedSize = (rewriter: Rewriter, operation: DraftOperation, dimension: number): MixedIndex => {
  const size = pad.results(operation).result.type.shape[dimension]!;
  if (size >= 0) return size;
  const { low, high } = mixedPadding(operation);
  const { source } = pad.operands(operation);
  const extent = createSize(rewriter, source, dimension);
  if (typeof extent === 'number' && source.type.shape[dimension] === extent) {
    // Upstream's builder creates these before it folds them.
    createIndex(rewriter, dimension);
    createIndex(rewriter, extent);
  }
  const grown = makeMap(1, 2, [dim(0).add(symbol(0)).add(symbol(1))]);
  return applyFolded(rewriter, grown, [extent, low[dimension]!, high[dimension]!]);
};

/** One dimension of a tile: the slice of the source that it reads, and the padding around that. */
interface PadTilePart {
  readonly offset: MixedIndex;
  readonly size: MixedIndex;
  readonly low: MixedIndex;
  readonly high: MixedIndex;
}

/**
 * As upstream's `bubbleUpPadSlice`. In each dimension, what the tile covers is cut to the source: both ends are
 * moved back by the low padding, then into the source's bounds.
 */
const createPadTile = (rewriter: Rewriter, operation: DraftOperation, box: MixedBox): Tile => {
  const { source } = pad.operands(operation);
  const padding = mixedPadding(operation);
  const parts: PadTilePart[] = [];
  let isEmpty = false;
  let mayBeEmpty: Value | undefined;
  for (const [dimension, length] of box.sizes.entries()) {
    const extent = createSize(rewriter, source, dimension);
    const part = readPart(rewriter, box.offsets[dimension]!, length, extent, padding.low[dimension]!);
    if (part.size === 0) isEmpty = true;
    else if (!isEmpty) mayBeEmpty = isZeroOr(rewriter, part.size, mayBeEmpty);
    const hasHigh = padding.high[dimension] !== 0;
    const rest = hasHigh ? applyFolded(rewriter, difference, [length, part.size]) : 0;
    parts.push({ ...part, high: hasHigh ? applyFolded(rewriter, difference, [rest, part.low]) : 0 });
  }
  const type = tensorType(staticSizes(box.sizes), source.type.elementType);
  let made: DraftOperation | undefined;
  const onlyPadding = (at: Rewriter): Value => {
    made = createUniform(at, operation, type, sliceOperands(box.sizes).dynamic);
    return made.results[0]!;
  };
  const paddedSlice = (at: Rewriter): Value => {
    made = createPadOfSlice(at, operation, parts);
    return castTo(at, made.results[0]!, type, tensorCast);
  };
  if (isEmpty) return tileOf(onlyPadding(rewriter), made!);
  if (mayBeEmpty === undefined) return tileOf(paddedSlice(rewriter), made!);
  const branch = (value: (at: Rewriter) => Value): BodyBuilder<Rewriter> => ({
    argumentTypes: [],
    build: (at) => at.create(scfYield.state({ operands: { results: [value(at)] } })),
  });
  const result = rewriter.createValue(
    ifOp.state<Rewriter>({
      operands: { condition: mayBeEmpty },
      resultTypes: [type],
      bodies: [branch(onlyPadding), branch(paddedSlice)],
      location: operation.location,
    }),
  );
  return tileOf(result, made!);
};

const tileOf = (value: Value, operation: DraftOperation): Tile => ({ operation, values: [value] });

/** The condition that `size` is 0, or `other` holds. */
const isZeroOr = (rewriter: Rewriter, size: MixedIndex, other: Value | undefined): Value => {
  const lhs = indexValue(rewriter, size);
  const rhs = indexValue(rewriter, 0);
  const isZero = rewriter.createValue(
    cmpi.state({ operands: { lhs, rhs }, attributes: { predicate: 'eq' }, resultTypes: [i1] }),
  );
  if (other === undefined) return isZero;
  return rewriter.createValue(ori.state({ operands: { lhs: isZero, rhs: other }, resultTypes: [i1] }));
};

/** What a tile from `offset` on reads of a dimension of size `extent`, and the low padding before that. */
const readPart = (
  rewriter: Rewriter,
  offset: MixedIndex,
  length: MixedIndex,
  extent: MixedIndex,
  lowPadding: MixedIndex,
): Omit<PadTilePart, 'high'> => {
  const add = (a: MixedIndex, b: MixedIndex): MixedIndex => applyFolded(rewriter, sum, [a, b]);
  const subtract = (a: MixedIndex, b: MixedIndex): MixedIndex => applyFolded(rewriter, difference, [a, b]);
  const least = (a: MixedIndex, b: MixedIndex): MixedIndex => minFolded(rewriter, both, [a, b]);
  const greatest = (a: MixedIndex, b: MixedIndex): MixedIndex => maxFolded(rewriter, both, [a, b]);
  if (lowPadding === 0) {
    const start = least(offset, extent);
    const end = least(add(offset, length), extent);
    return { offset: start, size: subtract(end, start), low: 0 };
  }
  const low = greatest(0, subtract(lowPadding, offset));
  const start = least(greatest(subtract(offset, lowPadding), 0), extent);
  const end = least(greatest(add(subtract(offset, lowPadding), length), 0), extent);
  return { offset: start, size: subtract(end, start), low };
};

/** A tensor of nothing but padding. */
const createUniform = (
  rewriter: Rewriter,
  operation: DraftOperation,
  type: TensorType,
  dynamicExtents: readonly Value[],
): DraftOperation =>
  rewriter.create(
    generate.state<Rewriter>({
      operands: { dynamicExtents },
      resultTypes: [type],
      location: operation.location,
      bodies: [
        {
          argumentTypes: type.shape.map(() => indexType),
          build: (body) => {
            const { value, definition } = yieldedValue(operation);
            const padding = definition === undefined ? value : body.clone(definition).results[0]!;
            body.create(yieldOp.state({ operands: { value: padding } }));
          },
        },
      ],
    }),
  );

const createPadOfSlice = (
  rewriter: Rewriter,
  operation: DraftOperation,
  parts: readonly PadTilePart[],
): DraftOperation => {
  const { source } = pad.operands(operation);
  const slice = createSlice(rewriter, source, {
    offsets: parts.map(({ offset }) => offset),
    sizes: parts.map(({ size }) => size),
  }) as Value<TensorType>;
  const [low, high] = [parts.map((part) => part.low), parts.map((part) => part.high)];
  const [below, above] = [sliceOperands(low), sliceOperands(high)];
  const shape = slice.type.shape.map((size, i) =>
    addSizes(size, addSizes(below.static[i]!, above.static[i]!)),
  );
  const state = pad.state<Rewriter>({
    operands: { source: slice, low: below.dynamic, high: above.dynamic },
    attributes: {
      staticLow: below.static,
      staticHigh: above.static,
      nofold: pad.attributes(operation).nofold,
    },
    bodies: [undefined],
    resultTypes: [tensorType(shape, source.type.elementType)],
    location: operation.location,
  });
  const created = rewriter.create({ ...state, attributes: { ...operation.attributes, ...state.attributes } });
  rewriter.cloneRegion(operation.regions[0]!, created.regions[0]!);
  return created;
};

const tensorCast = (source: Value, type: Type): OperationState<Rewriter> =>
  cast.state<Rewriter>({ operands: { source }, resultTypes: [type] });
