/** What packing needs to know of a convolution and its tiles. */

/**
 * A convolution over a linearised image: window w of the output starts at input row `(w floordiv Ow) * strideH` and
 * column `(w mod Ow) * strideW`. All numbers are positive and in elements.
 */
export interface Geometry {
  /** Tw: elements of an input row. Tiles are not cut out of the image, so a tile row is an image row. */
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

/** The tile sizes of a microkernel. */
export interface TileSizes {
  /** Nc: input channels per tile. */
  readonly channels: number;
  /** Nwin: windows per input tile. */
  readonly windows: number;
  /** Nf: filters per filter tile. */
  readonly filters: number;
}

/** The numbers of a geometry or of tile sizes that an equation takes; throws for one that is no positive integer. */
export function numbers<T extends object>(given: T, ...names: readonly (string & keyof T)[]): T {
  if (typeof given !== 'object' || (given as unknown) === null) {
    const what = (given as unknown) === null ? 'null' : typeof given;
    throw new TypeError(`expected an object with ${names.join(', ')}, not ${what}`);
  }
  for (const name of names) {
    const value: unknown = given[name];
    if (!Number.isSafeInteger(value) || (value as number) < 1)
      throw new RangeError(`${name} must be a positive integer, not ${String(value)}`);
  }
  return given;
}

/** Refuses a geometry with numbers that are not positive integers, or with windows that leave their input row. */
export function checkGeometry(geometry: Geometry): void {
  const { inputWidth, outputWidth, filterWidth, strideW, dilationW } = numbers(
    geometry,
    'inputWidth',
    'outputWidth',
    'filterHeight',
    'filterWidth',
    'strideH',
    'strideW',
    'dilationH',
    'dilationW',
  );
  const needed = (outputWidth - 1) * strideW + (filterWidth - 1) * dilationW + 1;
  if (needed > inputWidth) {
    const message = `${outputWidth} windows of a row need ${needed} input columns, but a row has ${inputWidth}`;
    throw new RangeError(message);
  }
}
