/** What packing has to know of a convolution and of its tiles. */

/**
 * A convolution over a linearised image: window w of the output starts at input row `(w floordiv Ow) * strideH` and
 * column `(w mod Ow) * strideW`. All numbers are positive and in elements.
 */
export interface Geometry {
  /** Tw: elements of an input row. The tile is not cut out of the image, so a row of it is a row of the image. */
  readonly inputWidth: number;
  /** Ow: windows of an output row. */
  readonly outputWidth: number;
  /** Fh. */
  readonly filterHeight: number;
  /** Fw. */
  readonly filterWidth: number;
  readonly strideH: number;
  readonly strideW: number;
  readonly dilationH: number;
  readonly dilationW: number;
}

/** The sizes of the tiles that a microkernel takes. */
export interface TileSizes {
  /** Nc: input channels of a tile. */
  readonly channels: number;
  /** Nwin: windows of an input tile. */
  readonly windows: number;
  /** Nf: filters of a filter tile. */
  readonly filters: number;
}

/** Refuses a geometry whose numbers are no positive integers, or whose windows leave their row of the input. */
export function checkGeometry(geometry: Geometry): void {
  for (const [name, value] of Object.entries(geometry) as [string, number][]) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`${name} must be a positive integer, not ${value}`);
  }
  const { inputWidth, outputWidth, filterWidth, strideW, dilationW } = geometry;
  const needed = (outputWidth - 1) * strideW + (filterWidth - 1) * dilationW + 1;
  if (needed > inputWidth) {
    const message = `${outputWidth} windows of a row need ${needed} input columns, but a row has ${inputWidth}`;
    throw new RangeError(message);
  }
}
