/**
 * Structured ops on vectors: each operand is read as a vector over the whole iteration domain, the body computes on
 * these, and what it yields is written back.
 *
 *     linalg.generic (m, n, k) { mulf; addf }  →  transfer_read ×3, mulf, multi_reduction, transfer_write
 */
import type { AffineMap } from '@sconv/affine';
import {
  compose,
  compressUnusedDims,
  constant as constantExpr,
  dim as dimExpr,
  identityMap,
  inversePermutation,
  inverseProjectedPermutation,
  isPermutation,
  makeMap,
  printMap,
} from '@sconv/affine';
import {
  createConstantValue,
  createDim,
  createIndex,
  elementOf,
  elementTypeOf,
  reductionCombiner,
  uniformConstant,
  zeroOf,
} from '@sconv/dialects';
import { addi, muli } from '@sconv/dialects/arith';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { index as indexOp } from '@sconv/dialects/linalg';
import { extract as extractOp } from '@sconv/dialects/tensor';
import {
  broadcast,
  combiningKindOf,
  createMask,
  extractelement,
  gather,
  multiReduction,
  shapeCast,
  step,
  transferRead,
  transferWrite,
  transpose,
} from '@sconv/dialects/vector';
import type {
  Builder,
  DraftBlock,
  DraftOperation,
  Id,
  Rewriter,
  TensorType,
  Type,
  Value,
  VectorType,
} from '@sconv/ir';
import {
  builder,
  constantValueOf,
  i1,
  i32,
  indexType,
  integerAttribute,
  typeEquals,
  vectorType,
} from '@sconv/ir';
import { createMasked } from './masking.ts';
import { createLoopSizes } from './loop-sizes.ts';
import { accessOf } from './tensor-access.ts';

/** The vector sizes. */
interface VectorSizes {
  readonly vectorSizes?: readonly number[];
  readonly scalableSizes?: readonly boolean[];
}

/** The map from the dimensions of an output to the iterations that it uses, in order. */
const outputMapOf = (map: AffineMap): AffineMap => {
  const inverse = inversePermutation(compressUnusedDims(map));
  if (inverse === undefined) throw new Error(`no permutation: ${printMap(map)}`);
  return inverse;
};

export class Vectorizer {
  private readonly rewriter: Rewriter;
  private readonly b: Builder;
  private readonly operation: DraftOperation;
  private readonly view: StructuredOp;
  private readonly body: DraftBlock;
  /** The vector sizes along the iterations. */
  private readonly shape: readonly number[];
  private readonly scalable: readonly boolean[];
  /** The iteration sizes as values. */
  private readonly sizes: readonly Value[];
  private readonly masks = new Map<string, Value | undefined>();
  /** The vector for each value of the body. */
  private readonly vectors = new Map<Id, Value>();

  constructor(
    rewriter: Rewriter,
    operation: DraftOperation,
    view: StructuredOp,
    body: DraftBlock,
    { vectorSizes = [], scalableSizes = [] }: VectorSizes,
  ) {
    this.rewriter = rewriter;
    this.b = builder(rewriter);
    this.operation = operation;
    this.view = view;
    this.body = body;
    this.shape = vectorSizes.length > 0 ? vectorSizes : view.loopRanges;
    this.scalable = this.shape.map((_, i) => scalableSizes[i] ?? false);
    this.sizes = createLoopSizes(rewriter, view);
  }

  run(): void {
    const { inputs, outputs, indexingMaps } = this.view;
    const zero = createIndex(this.rewriter, 0);
    [...inputs, ...outputs].forEach((value, i) => {
      const argument = this.body.arguments[i];
      // The body of a `linalg.map` has no output arguments.
      if (argument === undefined) return;
      const isInput = i < inputs.length;
      this.vectors.set(argument.id, this.read(value, indexingMaps[i]!, isInput, zero));
    });
    const results: Value[] = [];
    for (const inner of [...this.body.operations]) {
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

  /** The vector type over the iterations that a map uses. */
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

  // --- Masks ---

  /** The mask of valid iterations, over those that `map` uses; undefined if all are valid. */
  private maskOf(map: AffineMap): Value | undefined {
    const key = printMap(map);
    if (!this.masks.has(key)) this.masks.set(key, this.createMask(map));
    return this.masks.get(key);
  }

  /** Whether vectors are as long as there are iterations along a dimension. */
  private isExact(position: number): boolean {
    return this.view.loopRanges[position] === this.shape[position] && !this.scalable[position];
  }

  private createMask(map: AffineMap): Value | undefined {
    const positions = map.results.flatMap((result) => (result.kind === 'dim' ? [result.position] : []));
    if (positions.every((i) => this.isExact(i))) return undefined;
    const bounds = positions.map((i) => this.sizes[i]!);
    const type = vectorType(
      positions.map((i) => this.shape[i]!),
      i1,
      positions.map((i) => this.scalable[i]!),
    );
    return this.b(createMask, { bounds }, { resultTypes: [type] });
  }

  /** The op that `make` creates, in a `vector.mask` if the vectors exceed the iterations. */
  private masked(
    map: AffineMap,
    resultTypes: readonly Type[],
    make: (b: Builder, isMasked: boolean) => readonly Value[],
  ): readonly Value[] {
    return createMasked(this.rewriter, this.maskOf(map), resultTypes, make);
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

  /**
   * Reads elements of a tensor at computed indices: a single one, contiguous ones, or a gather.
   *
   * @deviation Where contiguous elements of fewer dimensions are repeated, upstream masks a read by all iterations,
   * which is not valid; here by those that it reads at.
   */
  private extract(inner: DraftOperation): Value {
    const { tensor, indices } = extractOp.operands(inner);
    const type = this.typeOf(tensor.type.elementType);
    const isLine = tensor.type.shape.length === 0 || this.shape.slice(0, -1).every((_, i) => this.isExact(i));
    const access = isLine ? accessOf(this.rewriter, inner, this.view.loopRanges, this.body) : 'gather';
    const set = createConstantValue(this.rewriter, uniformConstant(1n, this.typeOf(i1))!, this.typeOf(i1));
    const none = uniformConstant(tensor.type.elementType.kind === 'float' ? 0 : 0n, type)!;
    const passThru = createConstantValue(this.rewriter, none, type);
    const zero = createIndex(this.rewriter, 0);
    if (access === 'gather') {
      const distances = this.distances(tensor, indices);
      const [vector] = this.masked(identityMap(this.shape.length), [type], (b) => [
        b(
          gather,
          {
            base: tensor,
            indices: indices.map(() => zero),
            index_vec: distances,
            mask: set,
            pass_thru: passThru,
          },
          { resultTypes: [type] },
        ),
      ]);
      return vector!;
    }
    const first = createConstantValue(this.rewriter, integerAttribute(0, i32), i32);
    const line = vectorType([this.shape.at(-1) ?? 1], indexType, [this.scalable.at(-1) ?? false]);
    const starts = indices.map((index): Value => {
      const source = this.at(index);
      if (source.type.kind !== 'vector') return source;
      const vector = this.b(shapeCast, { source }, { resultTypes: [line] });
      return this.b(extractelement, { vector, position: first }, { resultTypes: [indexType] });
    });
    const [own, rank] = [this.shape.length, tensor.type.shape.length];
    const count = access === 'broadcast' ? 0 : Math.min(own, rank);
    const results = Array.from({ length: own }, (_, i) =>
      i < own - count ? constantExpr(0) : dimExpr(rank - own + i),
    );
    const operands = { source: tensor, indices: starts, padding: this.zero(tensor.type.elementType) };
    const permutationMap = makeMap(rank, 0, results);
    const inBounds = results.map(() => true);
    const read = results.flatMap(({ kind }, i) => (kind === 'dim' ? [dimExpr(i)] : []));
    const [vector] = this.masked(makeMap(own, 0, read), [type], (b) => [
      b(transferRead, { ...operands, permutationMap, inBounds }, { resultTypes: [type] }),
    ]);
    return vector!;
  }

  /** The linear offset of the elements at `indices`: `(i * size1 + j) * size2 + k`. */
  private distances(tensor: Value<TensorType>, indices: readonly Value[]): Value {
    const type = this.typeOf(indexType);
    return indices.slice(1).reduce<Value>(
      (sum, index, i) => {
        const factor = this.broadcast(createDim(this.rewriter, tensor, i + 1), type);
        const product: Value = this.b(muli, { lhs: sum, rhs: factor });
        const own = this.broadcast(this.at(index), type);
        return this.b(addi, { lhs: own, rhs: product });
      },
      this.broadcast(this.at(indices[0]!), type),
    );
  }

  private compute(inner: DraftOperation): Value {
    if (inner.name === 'arith.constant') return this.rewriter.clone(inner).results[0]!;
    if (indexOp.is(inner)) return this.index(indexOp.attributes(inner).dim);
    if (extractOp.is(inner)) return this.extract(inner);
    return this.reduce(inner) ?? this.elementwise(inner);
  }

  /** The iteration indices along a dimension. */
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

  /** Combines a value with an output of lower rank. */
  private reduce(inner: DraftOperation): Value | undefined {
    const { inputs, outputs, iteratorTypes } = this.view;
    const kind = combiningKindOf(inner);
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
      b(multiReduction, { source, acc, kind, reductionDims: dims }, { resultTypes: [acc.type] }),
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
      location: inner.location,
    });
  }

  /** A value broadcast to this type, as upstream's `broadcastIfNeeded`. */
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
