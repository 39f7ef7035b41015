import { describe, expect, it } from 'vitest';
import {
  absoluteInputMap,
  extents,
  footprint,
  packedFilterShape,
  packedInputShape,
  relativeInputMap,
  rowInputMap,
} from '../src/index.ts';
import type { Geometry } from '../src/index.ts';
import { paperGeometry } from './geometries.ts';

describe('a geometry that is none', () => {
  const positive = (name: string, value: number) => `${name} must be a positive integer, not ${value}`;

  it.each<[Partial<Geometry>, string]>([
    ...Object.keys(paperGeometry).flatMap((name) =>
      [0, -1, 0.5, NaN, 2 ** 53].map((value): [Partial<Geometry>, string] => [
        { [name]: value },
        positive(name, value),
      ]),
    ),
    [{ outputWidth: 77 }, '77 windows of a row need 155 input columns, but a row has 152'],
    [{ strideW: 3 }, '75 windows of a row need 225 input columns, but a row has 152'],
    [{ filterWidth: 6 }, '75 windows of a row need 154 input columns, but a row has 152'],
    [{ dilationW: 3 }, '75 windows of a row need 155 input columns, but a row has 152'],
    [{ filterWidth: 4, dilationW: 2 }, '75 windows of a row need 155 input columns, but a row has 152'],
  ])('%o is refused', (change, message) => {
    const geometry = { ...paperGeometry, ...change };
    expect(() => extents(geometry, 16, [0, 16])).toThrow(new RangeError(message));
    expect(() => footprint(geometry, 0, 16)).toThrow(new RangeError(message));
  });

  it('a row that is just wide enough is not', () => {
    expect(footprint({ ...paperGeometry, inputWidth: 151 }, 74, 1).first).toBe(148);
  });

  it.each([
    ['absoluteInputMap', (given: never) => absoluteInputMap(given)],
    ['relativeInputMap', (given: never) => relativeInputMap(given)],
    ['rowInputMap', (given: never) => rowInputMap(given)],
    ['packedInputShape', (given: never) => packedInputShape(given, given)],
    ['packedFilterShape', (given: never) => packedFilterShape(given, given)],
    ['footprint', (given: never) => footprint(given, 0, 16)],
  ])('%s names what is missing', (_, call) => {
    expect(() => call(undefined as never)).toThrow(/^expected an object with \w+.*, not undefined$/);
    expect(() => call({} as never)).toThrow(/^\w+ must be a positive integer, not undefined$/);
    expect(() => call({ ...paperGeometry, filterWidth: '3', dilationW: '1' } as never)).toThrow(
      /must be a positive integer/,
    );
  });
});
