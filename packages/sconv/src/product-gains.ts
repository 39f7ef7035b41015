/**
 * Which matrix products to slice: those that use what they pack often enough. Others are read in order at least, or in
 * register tiles.
 */
import type { ConvolutionShape } from '@sconv/csa';
import { multiplyAdds } from '@sconv/csa';
import type { ContractionLayout, ConvolutionForm } from '@sconv/normalization';
import type { Machine, Microkernel } from '@sconv/targets';

/**
 * Multiply-adds, the harmonic mean of rows and columns, and the rows from which on packing pays; measured on AMD Zen 5
 * beside what the backends make of an unsliced product, whose blocks of sums stay in registers. The mean is twice how
 * often an element is used on average: twice 30 times on WebAssembly, where 1000x16 is slower in tiles, 64x64 faster;
 * native code gains from fewer on.
 */
const leastMultiplyAdds = 2 ** 18;
const leastMean = 60;
const leastRows = 4;

/** Whether the second operand of a product, given as the convolution that it is, does not fit into L2. */
const exceedsL2 = (
  { outputHeight, inputChannels, unpackedBytes, elementBytes }: ConvolutionShape,
  { cache }: Pick<Machine, 'cache'>,
): boolean =>
  inputChannels * outputHeight * (unpackedBytes?.input ?? elementBytes) > (cache.l2?.bytes ?? Infinity);

/**
 * Whether a matrix product, given as the convolution that it is, runs faster sliced than as written. One of few rows
 * does if its second operand does not fit into L2, from which every block of rows would read it again; one of a row
 * alone reads it once, and is bound by that.
 */
export const gainsFromSlicing = (shape: ConvolutionShape, machine: Pick<Machine, 'cache'>): boolean => {
  const { filters: rows, outputHeight, outputWidth } = shape;
  const columns = outputHeight * outputWidth;
  if (multiplyAdds(shape) < leastMultiplyAdds) return false;
  if (2 * rows * columns >= leastMean * (rows + columns)) return true;
  return rows >= leastRows && columns >= leastMean && exceedsL2(shape, machine);
};

/**
 * Whether native code computes a matrix product that could be sliced as fast where its operands lie, with register
 * tiles of its rows and columns: its second operand stays in L2, with elements as wide as the sums. Not by matrix
 * units, nor on WebAssembly, whose tiles are smaller.
 */
export const staysInPlace = (
  { input, output }: ConvolutionForm,
  shape: ConvolutionShape,
  machine: Pick<Machine, 'cache' | 'isa' | 'matrix'>,
): boolean =>
  input.endsWith('ch') &&
  output.endsWith('fh') &&
  machine.isa !== 'wasm32' &&
  machine.matrix === undefined &&
  shape.unpackedBytes === undefined &&
  !exceedsL2(shape, machine);

/** Multiply-adds from which on packing a matrix costs less than sums of one product after the other. */
const leastOfTurning = 2 ** 16;

/**
 * Whether a product of few rows, given as the convolution that it is, runs faster sliced since packing turns its second
 * operand: where what is summed up is contiguous in both operands, sums stay scalar otherwise.
 */
export const gainsFromTurning = (shape: ConvolutionShape, { input }: ConvolutionForm): boolean =>
  input === 'hc' && shape.outputHeight >= leastMean && multiplyAdds(shape) >= leastOfTurning;

/** Multiply-adds in the time of moving an element, by how much faster than as written they are sliced. */
const leastPerMoved = { wasm: 16, native: 4 };

/** Whether a contraction, of which each iteration of the loops around is of this shape, makes up for what it moves. */
export const paysForMoving = (
  shape: ConvolutionShape,
  iterations: number,
  layout: ContractionLayout | undefined,
  { generation }: Pick<Microkernel, 'generation'>,
): boolean =>
  layout === undefined ||
  multiplyAdds(shape) * iterations >= leastPerMoved[generation === 'wasm' ? 'wasm' : 'native'] * layout.moved;

/** Rows of the second operand that are read at once, most first: fewer pages than the first translation cache has. */
const rowsAtOnce = [64, 48, 32, 24, 16];

/** The same for a single row: few, whose factors stay in registers, so that each of them is read in order. */
const unrolledRows = [8, 7, 6, 5, 4];

/**
 * How many rows of its second operand a product of less than `leastRows` should read before it goes on with the next
 * columns: all of them, each in another page, are as slow as where they come from. A single row reads few, at the speed
 * of memory. Undefined where several rows stay in L2, and where none of the numbers divides them.
 */
export const streamedRows = (
  shape: ConvolutionShape,
  machine: Pick<Machine, 'cache'>,
): number | undefined => {
  const { filters: rows, outputHeight: columns, inputChannels } = shape;
  if (rows >= leastRows || columns < leastMean) return undefined;
  if (rows > 1 && !exceedsL2(shape, machine)) return undefined;
  return (rows === 1 ? unrolledRows : rowsAtOnce).find(
    (each) => inputChannels > each && inputChannels % each === 0,
  );
};
