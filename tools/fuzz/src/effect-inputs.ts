/** What functions with effects are run with: apart and overlapping buffers, and other sizes. */
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess } from '@sconv/diagnostics';
import type { ElementArray, RuntimeValue } from '@sconv/interpreter';
import { createInterpreter, memref, tensor } from '@sconv/interpreter';
import type { Module, Type } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import type { DrawnEffects } from './draw-effects.ts';
import type { Buffer, Element, EffectValue, Tensor } from './effect-types.ts';
import { isElement, product } from './effect-types.ts';
import type { Numbers } from './execution.ts';
import { arrayOf, numbersOf, typesOf } from './execution.ts';
import type { Random } from './random.ts';

/** An argument: a number, or a view of an array of the input. */
type Given =
  | { readonly kind: 'scalar'; readonly value: number | bigint }
  | {
      readonly kind: 'tensor' | 'memref';
      readonly array: number;
      /** The first element of the array that the argument may use. */
      readonly from: number;
      readonly offset: number;
      readonly sizes: readonly number[];
      readonly strides: readonly number[] | undefined;
    };

/** The arguments of one run. */
export interface EffectInput {
  readonly given: readonly Given[];
  readonly arrays: readonly Numbers[];
  readonly elementTypes: readonly Element[];
}

/** What a run computes: its results, and the final contents of all arrays. */
export interface EffectOutcome {
  readonly results: readonly Numbers[];
  readonly arrays: readonly Numbers[];
  /** The number of results that are arguments which a pass has added. */
  readonly added: number;
}

const numberOf = (random: Random, element: Element): number | bigint => {
  if (element === 'i1') return random.integer(0, 1);
  const value = random.pick([0, 1, 2, 3, -1, -2, -3, 5]);
  return element === 'i64' ? BigInt(value) : value;
};

/** How the buffers of a run lie to each other. */
type Kind = 'apart' | 'same' | 'overlapping' | 'other sizes';

export const inputKinds: readonly Kind[] = ['apart', 'same', 'overlapping', 'other sizes'];

/** The user of an array with a tensor's elements, which no buffer shares. */
const tensorUser = 'a tensor';

/** An input for a function. */
export const drawInput = (random: Random, drawn: DrawnEffects, kind: Kind): EffectInput => {
  const arrays: (number | bigint)[][] = [];
  const elementTypes: Element[] = [];
  /** The arguments in each array. */
  const users: string[][] = [];
  const mayShare = (name: string, array: number): boolean =>
    !users[array]!.includes(tensorUser) &&
    users[array]!.every(
      (user) => !drawn.distinct.some(([a, b]) => (a === name && b === user) || (a === user && b === name)),
    );
  const place = (name: string, type: Buffer | Tensor, count: number): number => {
    const shared = elementTypes.flatMap((element, i) =>
      element === type.element && mayShare(name, i) ? [i] : [],
    );
    const isShared =
      type.kind === 'memref' &&
      kind !== 'apart' &&
      shared.length > 0 &&
      (kind !== 'other sizes' || random.chance(0.3));
    const array = isShared ? random.pick(shared) : arrays.push([]) - 1;
    elementTypes[array] = type.element;
    (users[array] ??= []).push(type.kind === 'tensor' ? tensorUser : name);
    const numbers = arrays[array]!;
    while (numbers.length < count) numbers.push(numberOf(random, type.element));
    return array;
  };
  const shapes = new Map<string, number>();
  const shaped = (name: string, type: Buffer | Tensor): Given => {
    const sizes = type.actual.map((size, i) => {
      if (type.known[i] !== undefined || kind !== 'other sizes') return size;
      // Dimensions of equal size stay equal.
      const other = shapes.get(String(size)) ?? random.pick([0, 1, size, size + 1, size + 3]);
      shapes.set(String(size), other);
      return other;
    });
    const isStrided = type.kind === 'memref' && type.layout !== undefined;
    const inner = isStrided && random.chance(0.3) ? 2 : 1;
    const strides = isStrided
      ? sizes.map((_, i) => inner * product(sizes.slice(i + 1).map((size) => Math.max(1, size))))
      : undefined;
    const offset = isStrided ? random.integer(0, 2) : 0;
    const from = kind === 'overlapping' && type.kind === 'memref' ? random.integer(0, 2) : 0;
    const array = place(name, type, from + offset + inner * product(sizes.map((size) => Math.max(1, size))));
    return { kind: type.kind, array, from, offset, sizes, strides };
  };
  const given = drawn.arguments.map(({ name, type, range }: EffectValue): Given => {
    if (!isElement(type)) return type.kind === 'vector' ? { kind: 'scalar', value: 0 } : shaped(name, type);
    if (type !== 'index') return { kind: 'scalar', value: numberOf(random, type) };
    return { kind: 'scalar', value: kind === 'other sizes' ? random.integer(-1, 6) : (range?.[0] ?? 0) };
  });
  return { given, arrays, elementTypes };
};

/** More than what any function takes before a pass. */
const maxSteps = 3_000_000;

const elementTypeOf = (type: Type): Type => ('elementType' in type ? type.elementType : type);

/** An argument that a pass has added for a result: a buffer. */
const addedBuffer = (type: Type): RuntimeValue => {
  const sizes = 'shape' in type ? type.shape : [];
  const elementType = elementTypeOf(type);
  const zeros = Array.from({ length: product(sizes) }, () =>
    elementType.kind === 'integer' && elementType.width > 32 ? 0n : 0,
  );
  return memref(sizes, arrayOf(elementType, zeros), { elementType });
};

/**
 * Runs `@f` of a module, which is compiled once. Tensors may have become buffers, and results buffers that are added to
 * the arguments.
 */
export const effectRunner = (module: Module): ((input: EffectInput) => Diagnosed<EffectOutcome>) => {
  const { inputs } = typesOf(module);
  const { run } = createInterpreter(module, { maxSteps });
  return ({ given, arrays }) => {
    const data = new Map<number, ElementArray>();
    const values = given.map((each, i): RuntimeValue => {
      if (each.kind === 'scalar') return each.value;
      const { array, from, offset, sizes, strides } = each;
      const type = inputs[i]!;
      const elementType = elementTypeOf(type);
      if (type.kind === 'tensor')
        return tensor(sizes, arrayOf(elementType, arrays[array]!.slice(0, product(sizes))), elementType);
      const all = data.get(array) ?? arrayOf(elementType, arrays[array]!);
      data.set(array, all);
      const layout = strides === undefined ? {} : { strides, offset };
      return memref(sizes, from === 0 ? all : all.subarray(from), { elementType, ...layout });
    });
    const isBuffer = given.map((each) => each.kind === 'memref');
    const added = inputs.slice(given.length).map(addedBuffer);
    return mapSuccess(run('f', [...values, ...added]), (results) => ({
      added: added.length,
      results: [...results, ...added].map(numbersOf),
      // Arrays of tensors may be overwritten once they are buffers.
      arrays: arrays.map((numbers, array) => {
        const isWatched = given.some((each, i) => isBuffer[i] && 'array' in each && each.array === array);
        const contents = data.get(array);
        return isWatched && contents !== undefined ? Array.from<number | bigint>(contents) : numbers;
      }),
    }));
  };
};

/** Whether floats of an outcome are integers so small that sums do not depend on their order. */
const isExact = ({ results, arrays }: EffectOutcome): boolean =>
  [...results, ...arrays].every((numbers) =>
    numbers.every(
      (value) => typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value) < 1024),
    ),
  );

const same = (a: number | bigint, b: number | bigint, isLoose: boolean): boolean =>
  Object.is(a, b) || (isLoose && a == b);

/** Whether `@f` can be run after a step as before: it has no further arguments of unknown size. */
export const isComparable = (module: Module, { given }: EffectInput): boolean =>
  typesOf(module)
    .inputs.slice(given.length)
    .every((type) => 'shape' in type && type.shape.every((size) => size !== DYNAMIC));

/** Numbers as text that tells 0 and -0 apart. */
const written = (numbers: Numbers): string =>
  numbers.map((value) => (Object.is(value, -0) ? '-0' : String(value))).join();

/** Whether all of `some` are among `all`, each once. */
const isAmong = (some: readonly Numbers[], all: readonly Numbers[]): boolean => {
  const left = all.map(written);
  return some.map(written).every((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
};

/**
 * How an outcome differs from the one before a step; undefined if it does not. Where sums may be `reordered`, it is not
 * compared if rounding would show, and -0 equals 0.
 */
export const outcomeDifference = (
  before: EffectOutcome,
  after: EffectOutcome,
  reordered: boolean,
): string | undefined => {
  if (reordered && !isExact(before)) return undefined;
  const compare = (what: string, a: readonly Numbers[], b: readonly Numbers[]): string | undefined => {
    const i = a.findIndex(
      (numbers, k) =>
        numbers.length !== b[k]?.length || numbers.some((value, at) => !same(value, b[k]![at]!, reordered)),
    );
    return i < 0
      ? undefined
      : `${what} ${i} is [${b[i]?.slice(0, 40).join(', ')}], not [${a[i]!.slice(0, 40).join(', ')}]`;
  };
  // Results may be dropped where they are one of the arguments, and given by arguments in another order.
  const isOther = after.added > 0 || after.results.length < before.results.length;
  if (isOther && !isAmong(after.results, before.results)) return 'results are none of those before';
  return (
    (isOther ? undefined : compare('result', before.results, after.results)) ??
    compare('array', before.arrays, after.arrays)
  );
};
