/** The inputs that a model is run with. */
import type { BufferSignature, Elements } from '@sconv/backend';

/** The same numbers for the same seed, from -1 to 1. */
export const seededNumbers = (length: number, seed: number): Float32Array => {
  let state = seed >>> 0;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
};

/** Fills an input: floats with seeded numbers, integers and flags with zeros and ones. */
export const fillInput = (input: Elements, element: BufferSignature['element'], seed: number): void => {
  const numbers = seededNumbers(input.length, seed);
  if (input instanceof BigInt64Array) input.set(BigInt64Array.from(numbers, (value) => BigInt(value > 0)));
  else if (element === 'f32' || element === 'f64') input.set(numbers);
  else input.set(numbers.map((value) => Number(value > 0)));
};

/** Whether an image can be an input of this shape: rows and columns of three channels, first or last. */
export const takesImage = (shape: readonly number[]): boolean =>
  shape.length === 4 && shape[0] === 1 && (shape[1] === 3 || shape[3] === 3);

/** Fills an input with an image that is scaled to its rows and columns; its channels from 0 to 1. */
export const fillWithImage = async (
  input: Float32Array,
  shape: readonly number[],
  image: Blob,
): Promise<void> => {
  const channelsFirst = shape[1] === 3;
  const [rows, columns] = (channelsFirst ? shape.slice(2) : shape.slice(1)) as [number, number];
  const bitmap = await createImageBitmap(image, { resizeWidth: columns, resizeHeight: rows });
  const context = new OffscreenCanvas(columns, rows).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, columns, rows);
  const pixels = rows * columns;
  for (let pixel = 0; pixel < pixels; pixel += 1)
    for (let channel = 0; channel < 3; channel += 1)
      input[channelsFirst ? channel * pixels + pixel : 3 * pixel + channel] =
        data[4 * pixel + channel]! / 255;
};
