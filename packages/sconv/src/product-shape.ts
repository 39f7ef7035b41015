/** Matrix products as convolutions of a single tap. */
import type { ConvolutionShape } from '@sconv/csa';
import { convolution, parseShape } from '@sconv/csa';

/** `products` products of `i` rows, `j` columns and `k` summands. Throws a `CsaError` for impossible sizes. */
export const productShape = (products: number, i: number, j: number, k: number): ConvolutionShape =>
  convolution({
    groups: products,
    inputChannels: products * k,
    inputHeight: j,
    inputWidth: 1,
    filters: products * i,
    filterHeight: 1,
    filterWidth: 1,
  });

/** The shape of `IxJxK`, or `PxIxJxK` for several; undefined for another text. */
export const parseProduct = (text: string): (() => ConvolutionShape) | undefined => {
  const sizes = /^\d{1,9}(x\d{1,9}){2,3}$/.test(text) ? text.split('x').map(Number) : [];
  const [k, j, i, products = 1] = sizes.toReversed();
  if (i === undefined || j === undefined || k === undefined) return undefined;
  return () => productShape(products, i, j, k);
};

/**
 * The shape of a convolution, as in `parseShape`, or of a product, as in `parseProduct`. Throws a `CsaError` for
 * another text.
 */
export const shapeOrProduct = (text: string): ConvolutionShape => parseProduct(text)?.() ?? parseShape(text);
