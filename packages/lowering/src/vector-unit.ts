/** The vector units that code is generated for. */
import type { Type, Value } from '@sconv/ir';
import { floatWidth } from '@sconv/ir';
import type { MatrixUnit, VectorUnit } from '@sconv/targets';

/** What code is generated for: a machine's vector unit, and its matrix unit if it has one. */
export interface VectorRegisters extends Pick<
  VectorUnit,
  'bits' | 'registers' | 'maskedLoads' | 'pairProducts' | 'prefetch'
> {
  readonly matrix?: OuterProductUnit;
}

/** Accumulators of outer products: `rows` filters by `columns` windows each, of 32 bits. */
export type OuterProductUnit = Pick<MatrixUnit, 'extension' | 'accumulators' | 'rows' | 'columns'>;

/** The bit width of an element type that vectors support. */
export const bitsOf = (type: Type): number => {
  if (type.kind === 'float') return floatWidth(type.name);
  return type.kind === 'integer' ? type.width : 64;
};

/** The number of a buffer's elements per vector. */
export const lanesOf = ({ bits }: Pick<VectorRegisters, 'bits'>, { type }: Value): number =>
  Math.max(1, Math.floor(bits / bitsOf(type.kind === 'memref' ? type.elementType : type)));

/** Vector widths, in elements, that sum to `count`: as many full ones as fit, then successive halves. */
export const vectorWidths = (count: number, lanes: number): readonly number[] => {
  const widths: number[] = [];
  let left = count;
  for (let width = lanes; left > 0; width = Math.max(1, Math.floor(width / 2))) {
    while (left >= width) {
      widths.push(width);
      left -= width;
    }
  }
  return widths;
};
