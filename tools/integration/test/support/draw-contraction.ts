/** Random sums of products of two operands, as `linalg.generic`s, with their results as plain loops compute them. */
import type { Elements } from '@sconv/backend';
import { halfBits } from '@sconv/backend';
import type { Below } from './draw-plan.ts';

/** A dimension of the iteration space; letters of one role are told apart by a number: `m0`. */
interface Dimension {
  readonly name: string;
  readonly extent: number;
}

/** An index of an operand: a multiple of each of some dimensions. */
type Index = readonly { readonly name: string; readonly factor: number }[];

/** Of the operands, and of the sums. */
export type ElementTypes = readonly [factors: string, sums: string];

/** A contraction, and how its operands are indexed. */
export interface DrawnContraction {
  readonly dimensions: readonly Dimension[];
  /** Of both factors and the output. */
  readonly indices: readonly (readonly Index[])[];
  readonly types: ElementTypes;
}

const types: readonly ElementTypes[] = [
  ['f32', 'f32'],
  ['f32', 'f32'],
  ['i32', 'i32'],
  ['f64', 'f64'],
  ['f16', 'f32'],
  ['i8', 'i32'],
];

const shuffled = <T>(below: Below, values: readonly T[]): readonly T[] => {
  const left = [...values];
  return values.map(() => left.splice(below(left.length), 1)[0]!);
};

/** A contraction of up to two dimensions of each role, up to `largest`; an eighth of the extents are 0 or 1. */
export const drawContraction = (below: Below, largest: number): DrawnContraction => {
  const extent = (): number => (below(8) === 0 ? below(2) : 1 + below(largest));
  const some = (letter: string, most: number): readonly Dimension[] =>
    Array.from({ length: below(most + 1) }, (_, i) => ({ name: `${letter}${i}`, extent: extent() }));
  const [groups, rows, columns, sums] = [some('g', 1 + below(2)), some('m', 2), some('n', 2), some('k', 2)];
  const windows = below(3) === 0 ? 1 + below(2) : 0;
  const pairs = Array.from({ length: windows }, (_, i) => ({
    window: { name: `w${i}`, extent: 1 + below(largest) },
    tap: { name: `t${i}`, extent: 1 + below(3) },
    index: [
      { name: `w${i}`, factor: 1 + below(2) },
      { name: `t${i}`, factor: 1 + below(2) },
    ],
  }));
  const plain = (dimensions: readonly Dimension[]): readonly Index[] =>
    dimensions.map(({ name }) => [{ name, factor: 1 }]);
  const [windowed, taps] = [pairs.map(({ window }) => window), pairs.map(({ tap }) => tap)];
  const left = [...plain([...groups, ...rows, ...sums]), ...pairs.map(({ index }) => index)];
  const right = plain([...groups, ...columns, ...sums, ...taps]);
  const output = plain([...groups, ...rows, ...columns, ...windowed]);
  const factors = below(2) === 0 ? [left, right] : [right, left];
  return {
    dimensions: shuffled(below, [...groups, ...rows, ...columns, ...sums, ...windowed, ...taps]),
    indices: [...factors, output].map((each) => shuffled(below, each)),
    types: types[below(types.length)]!,
  };
};

/** The sizes of an operand: as large as its indices reach. */
export const sizesOf = ({ dimensions, indices }: DrawnContraction, operand: number): readonly number[] =>
  indices[operand]!.map((index) => {
    const extents = index.map(({ name }) => dimensions.find((each) => each.name === name)!.extent);
    if (extents.length === 1) return extents[0]!;
    return index.reduce((size, { factor }, i) => size + factor * (extents[i]! - 1), 1);
  });

const isSum = (name: string): boolean => name.startsWith('k') || name.startsWith('t');

const typeOf = (contraction: DrawnContraction, operand: number): string =>
  `tensor<${[...sizesOf(contraction, operand), contraction.types[operand < 2 ? 0 : 1]].join('x')}>`;

/** A function of both factors and the initial sums. */
export const contractionText = (contraction: DrawnContraction, name: string): string => {
  const { dimensions, indices, types: elements } = contraction;
  const names = dimensions.map((each) => each.name).join(', ');
  const maps = indices.map(
    (each) =>
      `affine_map<(${names}) -> (${each
        .map((index) => index.map((term) => `${term.name} * ${term.factor}`).join(' + '))
        .join(', ')})>`,
  );
  const iterators = dimensions.map((each) => (isSum(each.name) ? '"reduction"' : '"parallel"'));
  const [a, b, c] = [0, 1, 2].map((operand) => typeOf(contraction, operand));
  const [factor, sum] = elements;
  const isFloat = sum.startsWith('f');
  const converted = (value: string): string =>
    factor === sum
      ? ''
      : `%${value}c = arith.${isFloat ? 'extf' : 'extsi'} %${value} : ${factor} to ${sum}\n`;
  const [x, y] = ['x', 'y'].map((value) => (factor === sum ? value : `${value}c`));
  const suffix = isFloat ? 'f' : 'i';
  return `func.func @${name}(%a: ${a!}, %b: ${b!}, %c: ${c!}) -> ${c!} {
  %0 = linalg.generic {indexing_maps = [${maps.join(', ')}], iterator_types = [${iterators.join(', ')}]}
    ins(%a, %b : ${a!}, ${b!}) outs(%c : ${c!}) {
  ^bb0(%x: ${factor}, %y: ${factor}, %z: ${sum}):
    ${converted('x')}${converted('y')}%product = arith.mul${suffix} %${x!}, %${y!} : ${sum}
    %sum = arith.add${suffix} %z, %product : ${sum}
    linalg.yield %sum : ${sum}
  } -> ${c!}
  return %0 : ${c!}
}`;
};

const count = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

const arrays = { f32: Float32Array, f64: Float64Array, i32: Int32Array, i8: Int8Array } as const;

/** Numbers as elements of a type, as artifacts take them. */
export const elementsAs = (type: string, values: readonly number[]): Elements =>
  type === 'f16'
    ? Uint16Array.from(halfBits('f16', Float32Array.from(values)))
    : arrays[type as keyof typeof arrays].from(values);

/** Small integers for the operands, and the sums. */
export const contractionData = (
  below: Below,
  contraction: DrawnContraction,
): { readonly operands: readonly (readonly number[])[]; readonly expected: readonly number[] } => {
  const { dimensions, indices } = contraction;
  const sizes = indices.map((_, operand) => sizesOf(contraction, operand));
  const operands = sizes.map((each) => Array.from({ length: count(each) }, () => below(15) - 7));
  const expected = [...operands[2]!];
  const at = new Map(dimensions.map(({ name }) => [name, 0]));
  const position = (operand: number): number =>
    indices[operand]!.reduce(
      (linear, index, i) =>
        linear * sizes[operand]![i]! +
        index.reduce((sum, { name, factor }) => sum + factor * at.get(name)!, 0),
      0,
    );
  const visit = (depth: number): void => {
    const dimension = dimensions[depth];
    if (dimension === undefined) {
      const sum = position(2);
      expected[sum] = expected[sum]! + operands[0]![position(0)]! * operands[1]![position(1)]!;
      return;
    }
    for (let i = 0; i < dimension.extent; i += 1) {
      at.set(dimension.name, i);
      visit(depth + 1);
    }
  };
  visit(0);
  return { operands, expected };
};
