/** Creates the ops of one node: each has the node's location. */
import type { AffineExpr } from '@sconv/affine';
import { dim, makeMap } from '@sconv/affine';
import type { NameLocation } from '@sconv/diagnostics';
import { constant } from '@sconv/dialects/arith';
import type { IteratorType } from '@sconv/dialects/linalg';
import { broadcast, fill, generic, transpose, yieldOp as yieldElement } from '@sconv/dialects/linalg';
import {
  collapseShape,
  empty,
  expandShape,
  extractSlice,
  insertSlice,
  pad,
  yieldOp as yieldPadding,
} from '@sconv/dialects/tensor';
import type { Builder, TensorType, Value } from '@sconv/ir';
import { indexType, tensorType } from '@sconv/ir';
import type { Constant } from './constant.ts';
import { countOf } from './constant.ts';
import type { ElementType } from './element-type.ts';
import { collapsingGroups, commonShape } from './reassociate.ts';
import { scalarAttribute, weightAttribute } from './weight-constant.ts';

type Tensor = Value<TensorType>;
type Shape = readonly number[];

/** An input or output of a `linalg.generic`, read at these expressions of its dimensions; each its own if omitted. */
export interface Access {
  readonly value: Value;
  readonly at?: readonly AffineExpr[];
}

/** Computes the elements to yield from those of the inputs and outputs. */
export type Body = (b: Builder, ...elements: readonly Value[]) => Value | readonly Value[];

/** Dimensions `from` up to `to`. */
export const dims = (from: number, to: number): readonly AffineExpr[] =>
  Array.from({ length: to - from }, (_, i) => dim(from + i));

/** Creates ops at the end of the function, with one location. */
export class Emitter {
  readonly b: Builder;
  readonly #name: string;

  constructor(b: Builder, location: NameLocation) {
    this.#name = location.name;
    // The same arguments with one more option.
    this.b = (definition, given, options) => b(definition, given, { location, ...options });
  }

  /** A number of an element type. */
  scalar(type: ElementType, value: number | bigint): Value {
    return this.b(constant, { value: scalarAttribute(type, value) });
  }

  /** A tensor of known elements. */
  constant(given: Constant): Tensor {
    return this.b(constant, { value: weightAttribute(given, this.#name) }) as Tensor;
  }

  /** A tensor of undefined content. */
  empty(type: ElementType, shape: Shape): Tensor {
    return this.b(empty, {}, { resultTypes: [tensorType(shape, type.type)] });
  }

  /** A tensor that holds one value everywhere. */
  filled(type: ElementType, shape: Shape, value: number | bigint): Tensor {
    const output = this.empty(type, shape);
    const [filled] = this.b(
      fill,
      { inputs: [this.scalar(type, value)], outputs: [output] },
      { resultTypes: [output.type] },
    );
    return filled as Tensor;
  }

  /** A `linalg.generic` over dimensions of these kinds; `p`: parallel, `r`: reduction. */
  generic(
    kinds: string,
    inputs: readonly Access[],
    outputs: readonly Access[],
    body: Body,
  ): readonly Tensor[] {
    const rank = kinds.length;
    const accesses = [...inputs, ...outputs];
    return this.b(
      generic,
      {
        inputs: inputs.map(({ value }) => value),
        outputs: outputs.map(({ value }) => value),
        indexingMaps: accesses.map(({ at = dims(0, rank) }) => makeMap(rank, 0, at)),
        iteratorTypes: Array.from(kinds, (kind): IteratorType => (kind === 'p' ? 'parallel' : 'reduction')),
      },
      {
        resultTypes: outputs.map(({ value }) => value.type),
        bodies: [
          {
            argumentTypes: accesses.map(({ value }) => (value.type as TensorType).elementType),
            build: (inner, ...elements) => {
              const yielded = body(inner, ...elements);
              inner(yieldElement, { values: 'id' in yielded ? [yielded] : yielded });
            },
          },
        ],
      },
    );
  }

  /** An elementwise op into a new tensor; `body` is given the elements of the inputs. */
  parallel(type: ElementType, shape: Shape, inputs: readonly Access[], body: Body): Tensor {
    const output = { value: this.empty(type, shape) };
    const only = (b: Builder, ...elements: readonly Value[]) => body(b, ...elements.slice(0, -1));
    return this.generic('p'.repeat(shape.length), inputs, [output], only)[0]!;
  }

  /** The same elements in another shape of as many elements. */
  reshape(value: Tensor, shape: Shape): Tensor {
    const { shape: from, elementType } = value.type;
    if (from.length === shape.length && from.every((size, i) => size === shape[i])) return value;
    const type = tensorType(shape, elementType);
    if (countOf(shape) === 0) return this.b(empty, {}, { resultTypes: [type] });
    const collapsing = collapsingGroups(from, shape);
    if (collapsing !== undefined)
      return this.b(
        collapseShape,
        { src: value, reassociation: collapsing },
        { resultTypes: [type] },
      ) as Tensor;
    const expanding = collapsingGroups(shape, from);
    if (expanding !== undefined)
      return this.b(
        expandShape,
        { src: value, reassociation: expanding, staticOutputShape: shape },
        { resultTypes: [type] },
      ) as Tensor;
    return this.reshape(this.reshape(value, commonShape(from, shape)), shape);
  }

  /** Dimension `i` of the result is dimension `permutation[i]`. */
  transpose(value: Tensor, permutation: readonly number[]): Tensor {
    const { shape, elementType } = value.type;
    const type = tensorType(
      permutation.map((dimension) => shape[dimension]!),
      elementType,
    );
    const init = this.b(empty, {}, { resultTypes: [type] });
    const [result] = this.b(
      transpose,
      // The name of the attribute is computed, so that its type is not known.
      { input: value, init, permutation } as never,
      { resultTypes: [type], bodies: [copying(elementType)] },
    );
    return result as Tensor;
  }

  /** `value` repeated along `added` dimensions of the result. */
  broadcast(value: Tensor, shape: Shape, added: readonly number[]): Tensor {
    const { elementType } = value.type;
    const type = tensorType(shape, elementType);
    const init = this.b(empty, {}, { resultTypes: [type] });
    const [result] = this.b(broadcast, { input: value, init, dimensions: added } as never, {
      resultTypes: [type],
      bodies: [copying(elementType)],
    });
    return result as Tensor;
  }

  /** `value` with margins that hold one value; itself without any. */
  pad(value: Tensor, low: Shape, high: Shape, margin: Value): Tensor {
    if ([...low, ...high].every((size) => size === 0)) return value;
    const { shape, elementType } = value.type;
    const type = tensorType(
      shape.map((size, i) => low[i]! + size + high[i]!),
      elementType,
    );
    const body = {
      argumentTypes: shape.map(() => indexType),
      build: (inner: Builder) => inner(yieldPadding, { value: margin }),
    };
    return this.b(
      pad,
      { source: value, staticLow: low, staticHigh: high },
      { resultTypes: [type], bodies: [body] },
    );
  }

  /** The elements at `offsets` plus multiples of `strides`, which are at least 1. */
  slice(value: Tensor, offsets: Shape, sizes: Shape, strides: Shape = sizes.map(() => 1)): Tensor {
    return this.b(
      extractSlice,
      { source: value, staticOffsets: offsets, staticSizes: sizes, staticStrides: strides },
      { resultTypes: [tensorType(sizes, value.type.elementType)] },
    );
  }

  /** Tensors one after the other along a dimension, in a tensor of this shape. */
  concat(elementType: ElementType, values: readonly Tensor[], shape: Shape, axis: number): Tensor {
    let whole = this.empty(elementType, shape);
    const { type } = whole;
    let at = 0;
    for (const value of values) {
      const sizes = value.type.shape;
      whole = this.b(
        insertSlice,
        {
          source: value,
          dest: whole,
          staticOffsets: shape.map((_, i) => (i === axis ? at : 0)),
          staticSizes: sizes,
          staticStrides: shape.map(() => 1),
        },
        { resultTypes: [type] },
      );
      at += sizes[axis]!;
    }
    return whole;
  }
}

/** The body of an op that moves elements. */
const copying = (elementType: TensorType['elementType']) => ({
  argumentTypes: [elementType, elementType],
  build: (inner: Builder, element: Value) => inner(yieldElement, { values: [element] }),
});
