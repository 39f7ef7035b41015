/** Writes random functions: types, constants, and values in scope. */
import type { Random } from './random.ts';

/** The types of scalars. */
export const integers = ['i1', 'i8', 'i32', 'i64', 'index'] as const;
export const floats = ['f32', 'f64'] as const;
type Integer = (typeof integers)[number];
type Float = (typeof floats)[number];
export type ScalarName = Integer | Float;

/** Elements of tensors. */
export const elements = ['f32', 'f64', 'i32', 'i64'] as const;

/** A tensor's type and actual shape. */
export interface TensorShape {
  readonly element: ScalarName;
  /** `undefined` for `?` in the type. */
  readonly known: readonly (number | undefined)[];
  readonly actual: readonly number[];
}

export type DrawnType = ScalarName | TensorShape;

export interface Drawn {
  readonly name: string;
  readonly type: DrawnType;
}

export const isTensor = (type: DrawnType): type is TensorShape => typeof type === 'object';

export const typeText = (type: DrawnType): string =>
  isTensor(type) ? `tensor<${type.known.map((size) => `${size ?? '?'}x`).join('')}${type.element}>` : type;

export const widths: Readonly<Record<Integer, number>> = { i1: 1, i8: 8, i32: 32, i64: 64, index: 64 };

export const isInteger = (type: DrawnType): type is Integer => integers.includes(type as Integer);
export const isFloat = (type: DrawnType): type is Float => floats.includes(type as Float);

/** The text of a constant. */
export const constantText = (random: Random, type: ScalarName): string => {
  if (isFloat(type)) {
    const special =
      type === 'f32'
        ? ['0x7F800000', '0xFF800000', '0x7FC00000']
        : ['0x7FF0000000000000', '0x7FF8000000000000'];
    return random.pick(['0.0', '-0.0', '1.0', '-1.0', '2.5', '-0.5', '3.0', '1024.0', ...special]);
  }
  if (type === 'i1') return random.pick(['true', 'false']);
  const width = BigInt(Math.min(widths[type], 32));
  const extremes = [(1n << (width - 1n)) - 1n, -(1n << (width - 1n))].map(String);
  return random.pick(['0', '1', '-1', '2', '3', '-2', '5', '7', '-8', ...extremes]);
};

/** Writes a function line by line; values in scope are a list. */
export class FunctionWriter {
  readonly random: Random;
  readonly lines: string[] = [];
  scope: Drawn[] = [];
  private next = 0;
  private margin = '  ';

  constructor(random: Random) {
    this.random = random;
  }

  // --- What is drawn from ----------------------------------------------------------------------------------------

  scalarType(): ScalarName {
    return this.random.pick([...integers, ...floats, 'index', 'i32']);
  }

  tensorType(): TensorShape {
    const { random } = this;
    const actual = Array.from({ length: random.integer(1, 2) }, () => random.pick([0, 1, 2, 3, 4]));
    const known = actual.map((size) => (random.chance(0.3) ? undefined : size));
    return { element: random.pick(elements), known, actual };
  }

  /** A value in scope of this type; a new constant if there is none, and sometimes anyway. */
  scalar(type: ScalarName): string {
    const known = this.scope.filter((value) => value.type === type);
    if (known.length > 0 && this.random.chance(0.7)) return this.random.pick(known).name;
    return this.constant(type, constantText(this.random, type));
  }

  constant(type: ScalarName, text: string): string {
    const literal = type === 'i1' ? text : `${text} : ${type}`;
    return this.define(type, `arith.constant ${literal}`);
  }

  tensor(
    accept: (type: TensorShape) => boolean = () => true,
  ): { readonly name: string; readonly type: TensorShape } | undefined {
    const known = this.scope.flatMap((value) =>
      isTensor(value.type) && accept(value.type) ? [{ name: value.name, type: value.type }] : [],
    );
    return known.length === 0 ? undefined : this.random.pick(known);
  }

  // --- What is written -------------------------------------------------------------------------------------------

  line(text: string): void {
    this.lines.push(this.margin + text);
  }

  fresh(): string {
    this.next += 1;
    return `%v${this.next}`;
  }

  define(type: DrawnType, text: string): string {
    const name = this.fresh();
    this.line(`${name} = ${text}`);
    this.scope.push({ name, type });
    return name;
  }

  /** Runs `make` in an indented scope whose values are local; returns its result. */
  nested<T>(given: readonly Drawn[], make: () => T): T {
    const scope = this.scope;
    const margin = this.margin;
    this.scope = [...scope, ...given];
    this.margin = `${margin}  `;
    try {
      return make();
    } finally {
      this.scope = scope;
      this.margin = margin;
    }
  }
}
