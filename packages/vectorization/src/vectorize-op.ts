/**
 * Structured ops on vectors, as `linalg::vectorize`: each operand is read as a vector over the whole iteration domain, the body
 * computes on these, and what it yields is written back.
 *
 *     linalg.generic (m, n, k) { mulf; addf }  →  transfer_read ×3, mulf, multi_reduction, transfer_write
 */
import type { AffineMap } from '@sconv/affine';
import {
  compose,
  compressUnusedDims,
  dim as dimExpr,
  identityMap,
  inversePermutation,
  inverseProjectedPermutation,
  isPermutation,
  isProjectedPermutation,
  makeMap,
  printMap,
} from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import {
  createConstantValue,
  createIndex,
  elementOf,
  elementTypeOf,
  reductionCombiner,
  uniformConstant,
  zeroOf,
} from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { index as indexOp, isConvolution, structured } from '@sconv/dialects/linalg';
import { dim as memrefDim } from '@sconv/dialects/memref';
import { dim as tensorDim } from '@sconv/dialects/tensor';
import type { CombiningKind } from '@sconv/dialects/vector';
import {
  broadcast,
  createMask,
  extractelement,
  mask as maskOp,
  multiReduction,
  step,
  transferRead,
  transferWrite,
  transpose,
  yieldOp,
} from '@sconv/dialects/vector';
import type { Builder, DraftBlock, DraftOperation, Id, Rewriter, Type, Value, VectorType } from '@sconv/ir';
import {
  builder,
  constantValueOf,
  DYNAMIC,
  hasTrait,
  i1,
  indexType,
  typeEquals,
  vectorType,
} from '@sconv/ir';
import { notImplemented } from '@sconv/transform';

/** How an op is made one on vectors. */
export interface VectorizeOptions {
  /** The size of each iteration dimension; that of the op where none are given. What lies beyond the op's is masked. */
  readonly vectorSizes?: readonly number[];
  /** Which of the sizes are multiples of `vscale`. */
  readonly scalableSizes?: readonly boolean[];
}

/**
 * Replaces a structured op, on tensors or buffers, by operations on vectors.
 *
 * Fails with `vectorize/failed` where upstream does: sizes that are not known or that are larger than those given, zero extents, maps
 * that are no projected permutations, a body that is not element by element, reductions that are no single combination.
 *
 * @deviation A value of the body that does not differ along a reduced dimension is repeated along it; upstream takes it once.
 */
export const vectorizeOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  options: VectorizeOptions = {},
): Diagnosed<undefined> => {
  const view = structured(rewriter.registry, operation);
  const body = operation.regions[0]?.blocks[0];
  const unsupported = 'Unsupported Op, cannot vectorize';
  if (view === undefined || body === undefined)
    return silenceableError('vectorize/unsupported', unsupported, operation);
  if (isConvolution(operation)) return notImplemented('a convolution on vectors', operation.location);
  if (!mayVectorize(rewriter, operation, view, body, options)) {
    return silenceableError('vectorize/failed', 'Attempted to vectorize, but failed', operation);
  }
  rewriter.setInsertionPointBefore(operation);
  new Vectorizer(rewriter, operation, view, body, options).run();
  return success(undefined);
};

// --- What can be made a vector ---

const mayVectorize = (
  rewriter: Rewriter,
  operation: DraftOperation,
  view: StructuredOp,
  body: DraftBlock,
  options: VectorizeOptions,
): boolean => {
  const { loopRanges, outputs } = view;
  return (
    outputs.length > 0 &&
    !loopRanges.includes(0) &&
    ![...view.inputs, ...outputs].some(({ type }) => 'shape' in type && type.shape.includes(0)) &&
    haveRightSizes(view, options) &&
    isScalableAsUpstream(operation, view, options) &&
    view.indexingMaps.every((map, i) => isProjectedPermutation(map, { allowZero: i < view.inputs.length })) &&
    body.operations.every((inner) => isElementwise(rewriter, inner, body)) &&
    view.indexingMaps.slice(view.inputs.length).every((map, position) => {
      if (isPermutation(map)) return true;
      const argument = view.inputs.length + position;
      const combiner = reductionCombiner(rewriter, body, argument, position);
      return (
        view.iteratorTypes.includes('reduction') && combiner !== undefined && kindOf(combiner) !== undefined
      );
    })
  );
};

const haveRightSizes = ({ loopRanges }: StructuredOp, { vectorSizes = [] }: VectorizeOptions): boolean => {
  if (vectorSizes.length === 0) return !loopRanges.includes(DYNAMIC);
  return (
    vectorSizes.length === loopRanges.length &&
    vectorSizes.every((size, i) => size > 0 && size >= loopRanges[i]!)
  );
};

const scalableContractions = new Set(['linalg.matmul', 'linalg.matmul_transpose_a', 'linalg.matvec']);

/** One scalable dimension that is the last parallel one or the last of all, or the last two parallel ones. */
const isScalableAsUpstream = (
  operation: DraftOperation,
  { iteratorTypes }: StructuredOp,
  { vectorSizes = [], scalableSizes = [] }: VectorizeOptions,
): boolean => {
  const count = scalableSizes.filter(Boolean).length;
  if (count === 0) return true;
  const last = scalableSizes.lastIndexOf(true);
  if (count > 2) return false;
  if (iteratorTypes[last] === 'reduction') {
    if (count > 1 || last + 1 !== vectorSizes.length) return false;
  } else if (vectorSizes.some((size, i) => i > last && iteratorTypes[i] === 'parallel' && size !== 1)) {
    return false;
  }
  if (count === 2 && (scalableSizes[last - 1] !== true || iteratorTypes[last - 1] !== 'parallel'))
    return false;
  return iteratorTypes.every((type) => type === 'parallel') || scalableContractions.has(operation.name);
};

const isElementwise = (rewriter: Rewriter, inner: DraftOperation, body: DraftBlock): boolean => {
  const types = [...inner.operands, ...inner.results].map(({ type }) => type);
  return (
    types.every(({ kind }) => ['integer', 'float', 'index'].includes(kind)) &&
    (inner === body.last ||
      indexOp.is(inner) ||
      inner.name === 'arith.constant' ||
      hasTrait(rewriter.registry, inner, 'elementwise'))
  );
};

const kinds: Readonly<Record<string, CombiningKind>> = {
  'arith.addi': 'add',
  'arith.addf': 'add',
  'arith.muli': 'mul',
  'arith.mulf': 'mul',
  'arith.andi': 'and',
  'arith.ori': 'or',
  'arith.xori': 'xor',
  'arith.maxsi': 'maxsi',
  'arith.maxui': 'maxui',
  'arith.minsi': 'minsi',
  'arith.minui': 'minui',
  'arith.maximumf': 'maximumf',
  'arith.minimumf': 'minimumf',
  'arith.maxnumf': 'maxnumf',
  'arith.minnumf': 'minnumf',
};

const kindOf = ({ name }: DraftOperation): CombiningKind | undefined => kinds[name];

// --- Vectors ---

/** From the dimensions of an output to those iterations that it has, in their order. */
const outputMapOf = (map: AffineMap): AffineMap => {
  const inverse = inversePermutation(compressUnusedDims(map));
  if (inverse === undefined) throw new Error(`no permutation: ${printMap(map)}`);
  return inverse;
};

class Vectorizer {
  private readonly rewriter: Rewriter;
  private readonly b: Builder;
  private readonly operation: DraftOperation;
  private readonly view: StructuredOp;
  private readonly body: DraftBlock;
  /** Sizes of the vectors along the iterations. */
  private readonly shape: readonly number[];
  private readonly scalable: readonly boolean[];
  /** The sizes of the iterations as values. */
  private readonly sizes: readonly Value[];
  private readonly masks = new Map<string, Value | undefined>();
  /** What the values of the body have become. */
  private readonly vectors = new Map<Id, Value>();

  constructor(
    rewriter: Rewriter,
    operation: DraftOperation,
    view: StructuredOp,
    body: DraftBlock,
    { vectorSizes = [], scalableSizes = [] }: VectorizeOptions,
  ) {
    this.rewriter = rewriter;
    this.b = builder(rewriter);
    this.operation = operation;
    this.view = view;
    this.body = body;
    this.shape = vectorSizes.length > 0 ? vectorSizes : view.loopRanges;
    this.scalable = this.shape.map((_, i) => scalableSizes[i] ?? false);
    this.sizes = view.loopRanges.map((size, position) =>
      size === DYNAMIC ? this.dynamicSize(position) : createIndex(rewriter, size),
    );
  }

  run(): void {
    const { inputs, outputs, indexingMaps } = this.view;
    const zero = createIndex(this.rewriter, 0);
    [...inputs, ...outputs].forEach((value, i) => {
      const argument = this.body.arguments[i]!;
      const isInput = i < inputs.length;
      this.vectors.set(argument.id, this.read(value, indexingMaps[i]!, isInput, zero));
    });
    const results: Value[] = [];
    for (const inner of this.body.operations) {
      if (inner === this.body.last) {
        inner.operands.forEach((yielded, i) => {
          results.push(...this.write(this.at(yielded), outputs[i]!, indexingMaps[inputs.length + i]!));
        });
      } else {
        this.vectors.set(inner.results[0]!.id, this.compute(inner));
      }
    }
    this.rewriter.replaceOperation(this.operation, results);
  }

  /** The vector over what a map reads of the iterations. */
  private typeOf(elementType: Type, map: AffineMap = identityMap(this.shape.length)): VectorType {
    const positions = map.results.map((result) => (result.kind === 'dim' ? result.position : -1));
    return vectorType(
      positions.map((position) => this.shape[position] ?? 1),
      elementType,
      positions.map((position) => this.scalable[position] ?? false),
    );
  }

  private at(value: Value): Value {
    return this.vectors.get(value.id) ?? value;
  }

  private dynamicSize(position: number): Value {
    const { inputs, outputs, indexingMaps } = this.view;
    for (const [i, source] of [...inputs, ...outputs].entries()) {
      const at = indexingMaps[i]!.results.findIndex(
        (result) => result.kind === 'dim' && result.position === position,
      );
      if (at < 0) continue;
      const index = createIndex(this.rewriter, at);
      if (source.type.kind === 'memref') return this.b(memrefDim, { source, index });
      return this.b(tensorDim, { source, index });
    }
    throw new Error(`no operand has dimension ${position}`);
  }

  // --- Masks ---

  /** What selects the iterations that there are, over those that `map` reads; undefined where all of them are. */
  private maskOf(map: AffineMap): Value | undefined {
    const key = printMap(map);
    if (!this.masks.has(key)) this.masks.set(key, this.createMask(map));
    return this.masks.get(key);
  }

  private createMask(map: AffineMap): Value | undefined {
    const positions = map.results.flatMap((result) => (result.kind === 'dim' ? [result.position] : []));
    const isWhole = positions.every((i) => this.view.loopRanges[i] === this.shape[i] && !this.scalable[i]);
    if (isWhole) return undefined;
    const bounds = positions.map((i) => this.sizes[i]!);
    const type = vectorType(
      positions.map((i) => this.shape[i]!),
      i1,
      positions.map((i) => this.scalable[i]!),
    );
    return this.b(createMask, { bounds }, { resultTypes: [type] });
  }

  /** What `make` makes, in a `vector.mask` where there are more elements than iterations. */
  private masked(
    map: AffineMap,
    resultTypes: readonly Type[],
    make: (b: Builder, isMasked: boolean) => readonly Value[],
  ): readonly Value[] {
    const mask = this.maskOf(map);
    if (mask === undefined) return make(this.b, false);
    const build = (body: Builder): void => {
      body(yieldOp, { values: make(body, true) });
    };
    return this.rewriter.create(
      maskOp.state<Rewriter>({
        operands: { mask },
        resultTypes,
        bodies: [
          {
            build: (inner) => {
              build(builder(inner));
            },
          },
        ],
      }),
    ).results;
  }

  // --- Reading and writing ---

  private read(source: Value, map: AffineMap, isInput: boolean, zero: Value): Value {
    if (!('shape' in source.type)) return source;
    const elementType = elementTypeOf(source.type);
    const permutationMap = isInput ? inverseProjectedPermutation(map) : outputMapOf(map);
    const type = isInput ? this.typeOf(elementType) : this.typeOf(elementType, compose(permutationMap, map));
    const padding = this.zero(elementType);
    const indices = map.results.map(() => zero);
    const [vector] = this.masked(map, [type], (b, isMasked) => {
      const inBounds = permutationMap.results.map(({ kind }) => isMasked || kind === 'constant');
      const operands = { source, indices, padding };
      return [b(transferRead, { ...operands, permutationMap, inBounds }, { resultTypes: [type] })];
    });
    if (vector === undefined) throw new Error('a read gives a vector');
    return type.shape.length > 0
      ? vector
      : this.b(extractelement, { vector }, { resultTypes: [elementType] });
  }

  private zero(type: Type): Value {
    const zero = zeroOf(type);
    if (zero === undefined) throw new Error(`no zero of ${type.kind}`);
    return createConstantValue(this.rewriter, zero, type);
  }

  private write(value: Value, destination: Value, map: AffineMap): readonly Value[] {
    const used = map.results.flatMap((result) => (result.kind === 'dim' ? [result.position] : []));
    const kept = makeMap(
      map.numDims,
      0,
      used.toSorted((a, b) => a - b).map((position) => dimExpr(position)),
    );
    const type = this.typeOf(elementTypeOf(destination.type), kept);
    const isScalar = type.shape.length === 0;
    const zero = isScalar ? undefined : createIndex(this.rewriter, 0);
    const vector =
      isScalar && value.type.kind !== 'vector' ? this.repeat(value, type) : this.broadcast(value, type);
    const resultTypes = destination.type.kind === 'tensor' ? [destination.type] : [];
    return this.masked(map, resultTypes, (b, isMasked) => {
      const permutationMap = outputMapOf(map);
      const written = b(
        transferWrite,
        {
          vector,
          source: destination,
          indices: zero === undefined ? [] : map.results.map(() => zero),
          permutationMap,
          inBounds: permutationMap.results.map(() => isMasked),
        },
        { resultTypes },
      );
      return written === undefined ? [] : [written];
    });
  }

  // --- The body ---

  private compute(inner: DraftOperation): Value {
    if (inner.name === 'arith.constant') return this.rewriter.clone(inner).results[0]!;
    if (indexOp.is(inner)) return this.index(indexOp.attributes(inner).dim);
    return this.reduce(inner) ?? this.elementwise(inner);
  }

  /** The numbers of the iterations along a dimension. */
  private index(position: number): Value {
    const { shape } = this;
    const line = vectorType([shape[position]!], indexType, [this.scalable[position]!]);
    const numbers = this.b(step, {}, { resultTypes: [line] });
    const last = shape.length - 1;
    if (position === last) return numbers;
    const swapped = shape.map((_, i) => (i === position ? last : i === last ? position : i));
    const map = makeMap(
      shape.length,
      0,
      swapped.map((i) => dimExpr(i)),
    );
    const repeated = this.b(broadcast, { source: numbers }, { resultTypes: [this.typeOf(indexType, map)] });
    return this.b(
      transpose,
      { vector: repeated, permutation: swapped },
      { resultTypes: [this.typeOf(indexType)] },
    );
  }

  /** The combination of a value with an output, where that has fewer dimensions. */
  private reduce(inner: DraftOperation): Value | undefined {
    const { inputs, outputs, iteratorTypes } = this.view;
    const kind = kindOf(inner);
    const dims = iteratorTypes.flatMap((type, i) => (type === 'reduction' ? [i] : []));
    const position = outputs.findIndex(
      (_, i) => reductionCombiner(this.rewriter, this.body, inputs.length + i, i) === inner,
    );
    if (position < 0 || kind === undefined || dims.length === 0) return undefined;
    const carried = this.body.arguments[inputs.length + position]!;
    const map = this.view.indexingMaps[inputs.length + position]!;
    if (isPermutation(map)) return undefined;
    const other = inner.operands.find(({ id }) => id !== carried.id)!;
    const source = this.broadcast(this.at(other), this.typeOf(elementTypeOf(other.type)));
    const acc = this.at(carried);
    const whole = identityMap(this.shape.length);
    const [reduced] = this.masked(whole, [acc.type], (b) => [
      b(
        multiReduction,
        { source: source as Value<VectorType>, acc, kind, reductionDims: dims },
        { resultTypes: [acc.type] },
      ),
    ]);
    return reduced;
  }

  private elementwise(inner: DraftOperation): Value {
    const operands = inner.operands.map((operand) => this.at(operand));
    const types = operands.flatMap(({ type }) => (type.kind === 'vector' ? [type] : []));
    const widest = types.reduce<VectorType | undefined>(
      (most, type) => (most !== undefined && most.shape.length >= type.shape.length ? most : type),
      undefined,
    );
    const typeLike = (type: Type): Type =>
      widest === undefined ? type : vectorType(widest.shape, elementTypeOf(type), widest.scalable);
    return this.rewriter.createValue({
      name: inner.name,
      operands: operands.map((operand) => {
        const type = typeLike(operand.type);
        return type.kind === 'vector' ? this.broadcast(operand, type) : operand;
      }),
      resultTypes: inner.results.map(({ type }) => typeLike(type)),
      attributes: inner.attributes,
      bodies: [],
      successors: [],
      location: inner.location,
    });
  }

  /** A value as a vector of this type, as upstream's `broadcastIfNeeded`. */
  private broadcast(value: Value, type: VectorType): Value {
    return type.shape.length === 0 || typeEquals(value.type, type) ? value : this.repeat(value, type);
  }

  private repeat(source: Value, type: VectorType): Value {
    const definition = this.rewriter.definingOperation(source);
    const known = definition && constantValueOf(this.rewriter.registry, definition);
    const element = elementOf(known);
    const constant = element === undefined ? undefined : uniformConstant(element, type);
    if (constant !== undefined) return createConstantValue(this.rewriter, constant, type);
    return this.b(broadcast, { source }, { resultTypes: [type] });
  }
}
