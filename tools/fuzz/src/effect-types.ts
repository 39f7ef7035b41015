/** The types of functions with effects: scalars, buffers with a layout, vectors and tensors. */

export type Element = 'i1' | 'i8' | 'i32' | 'i64' | 'f16' | 'f32' | 'index';

/** `undefined` for `?` in a type. */
type Known = number | undefined;

/** Strides and offset of a layout, in elements. */
export interface Layout {
  readonly strides: readonly Known[];
  readonly offset: Known;
}

/** A buffer: its type, and its shape in the first run. */
export interface Buffer {
  readonly kind: 'memref';
  readonly element: Element;
  readonly known: readonly Known[];
  readonly actual: readonly number[];
  /** Undefined for the identity. */
  readonly layout?: Layout | undefined;
}

/** A tensor: its type, and its shape in the first run. */
export interface Tensor {
  readonly kind: 'tensor';
  readonly element: Element;
  readonly known: readonly Known[];
  readonly actual: readonly number[];
}

/** A vector of static shape. */
export interface Vector {
  readonly kind: 'vector';
  readonly element: Element;
  readonly actual: readonly number[];
}

/** Any type of a value. */
export type EffectType = Element | Buffer | Tensor | Vector;

/** A value in scope. */
export interface EffectValue<T extends EffectType = EffectType> {
  readonly name: string;
  readonly type: T;
  /** The least and greatest value of an index in the first run, if it is known. */
  readonly range?: readonly [number, number] | undefined;
  /** The arguments and allocations that a buffer may be in. */
  readonly roots?: readonly string[] | undefined;
}

/** Whether it is the type of a scalar. */
export const isElement = (type: EffectType): type is Element => typeof type === 'string';
/** Whether it is the type of a buffer. */
export const isBuffer = (type: EffectType): type is Buffer =>
  typeof type === 'object' && type.kind === 'memref';
/** Whether it is the type of a tensor. */
export const isTensor = (type: EffectType): type is Tensor =>
  typeof type === 'object' && type.kind === 'tensor';
/** Whether it is the type of a vector. */
export const isVector = (type: EffectType): type is Vector =>
  typeof type === 'object' && type.kind === 'vector';
/** Whether elements are floats. */
export const isFloat = (element: Element): boolean => element === 'f16' || element === 'f32';

const size = (known: Known): string => (known === undefined ? '?' : String(known));

/** The type as text. */
export const textOf = (type: EffectType): string => {
  if (isElement(type)) return type;
  if (type.kind === 'vector')
    return `vector<${type.actual.map((each) => `${each}x`).join('')}${type.element}>`;
  const shape = `${type.known.map((each) => `${size(each)}x`).join('')}${type.element}`;
  if (type.kind === 'tensor' || type.layout === undefined) return `${type.kind}<${shape}>`;
  const { strides, offset } = type.layout;
  const start = offset === 0 ? '' : `, offset: ${size(offset)}`;
  return `memref<${shape}, strided<[${strides.map(size).join(', ')}]${start}>>`;
};

/** Whether two types are the same, and have the same shape in the first run. */
export const sameType = (a: EffectType, b: EffectType): boolean =>
  textOf(a) === textOf(b) && (isElement(a) || isElement(b) || String(a.actual) === String(b.actual));

/** The layout of a type; that of the identity as far as it is static. */
export const layoutOf = ({ known, layout }: Buffer): Layout => {
  if (layout !== undefined) return layout;
  const strides: Known[] = [];
  let stride: Known = 1;
  for (const each of [...known].reverse()) {
    strides.unshift(stride);
    stride = stride === undefined || each === undefined ? undefined : stride * each;
  }
  return { strides, offset: 0 };
};

/** The number of elements of these sizes. */
export const product = (sizes: readonly number[]): number => sizes.reduce((all, each) => all * each, 1);
