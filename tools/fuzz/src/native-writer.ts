/** Writes functions on buffers that execute without faults, for comparing native code with the interpreter. */
import type { Random } from './random.ts';

/** The types of elements. */
export const integerNames = ['i1', 'i8', 'i16', 'i32', 'i64', 'index'] as const;
export const floatNames = ['f16', 'bf16', 'f32', 'f64'] as const;
export type IntegerName = (typeof integerNames)[number];
export type FloatName = (typeof floatNames)[number];
export type NativeElement = IntegerName | FloatName;

export const isFloatName = (name: NativeElement): name is FloatName => floatNames.includes(name as FloatName);

/** Bits of an integer. */
export const bitsOf: Readonly<Record<NativeElement, number>> = {
  i1: 1,
  i8: 8,
  i16: 16,
  i32: 32,
  i64: 64,
  index: 64,
  f16: 16,
  bf16: 16,
  f32: 32,
  f64: 64,
};

/** An argument: a buffer, or a number if it has no shape. Elements are in the order of the memory. */
export interface NativeArgument {
  readonly element: NativeElement;
  readonly shape: readonly number[] | undefined;
  readonly values: readonly (number | bigint)[];
}

/** A function `@f`, and what it is called with. */
export interface NativeProgram {
  readonly text: string;
  readonly arguments: readonly NativeArgument[];
  /** Results may differ by so many units in the last place. */
  readonly tolerance: number;
}

/** A buffer in scope; sizes are what they are at run time. */
export interface Buffer {
  readonly name: string;
  readonly type: string;
  readonly element: NativeElement;
  readonly sizes: readonly number[];
  /** What the type says of the sizes. */
  readonly known: readonly (number | undefined)[];
  /** Elements of the last dimension are next to each other, as the type says. */
  readonly isContiguous: boolean;
  /** The layout in the type; undefined for row-major. */
  readonly layout?: string | undefined;
}

/** What elements are drawn from. */
export type Values = 'any' | 'small' | 'positive';

const count = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

const shapeText = (known: readonly (number | undefined)[]): string =>
  known.map((size) => `${size ?? '?'}x`).join('');

export const vectorType = (shape: readonly number[], element: NativeElement): string =>
  `vector<${shape.map((size) => `${size}x`).join('')}${element}>`.replace(/x([a-z])/, 'x$1');

/** The type of a buffer in row-major order, or with this layout. */
export const memrefText = (
  known: readonly (number | undefined)[],
  element: NativeElement,
  layout?: string,
): string => `memref<${shapeText(known)}${element}${layout === undefined ? '' : `, ${layout}`}>`;

export class NativeWriter {
  readonly random: Random;
  readonly lines: string[] = [];
  /** What stands before the function. */
  readonly globals: string[] = [];
  tolerance = 0;
  private readonly arguments: (NativeArgument & { readonly name: string; readonly type: string })[] = [];
  private next = 0;

  constructor(random: Random) {
    this.random = random;
  }

  line(text: string): void {
    this.lines.push(`  ${text}`);
  }

  fresh(): string {
    this.next += 1;
    return `%v${this.next}`;
  }

  /** Defines a value. */
  define(text: string): string {
    const name = this.fresh();
    this.line(`${name} = ${text}`);
    return name;
  }

  // --- Numbers ---------------------------------------------------------------------------------------------------

  value(element: NativeElement, values: Values = 'any'): number | bigint {
    const { random } = this;
    if (isFloatName(element)) {
      if (values === 'small') return random.integer(-4, 4);
      if (values === 'positive') return random.integer(1, 16) / 4;
      const odd = [0.1, -2.7, 1 + 2 ** -8, 1 + 3 * 2 ** -9, 1e-40, -3e38, 65519, 65520, 2 ** -24, 1e10];
      return random.pick([0, -0, 1, -1, 0.5, -2.5, 3, Infinity, -Infinity, NaN, ...odd]);
    }
    const width = bitsOf[element];
    const small = values === 'positive' ? random.integer(1, 7) : random.integer(-8, 8);
    const extremes = [2n ** BigInt(width - 1) - 1n, -(2n ** BigInt(width - 1)), 2n ** BigInt(width - 1) - 7n];
    const bound = values === 'any' && element !== 'index' && random.chance(0.4);
    const number = bound ? random.pick(extremes) : BigInt(small);
    if (width === 1) return Number(number & 1n);
    const wrapped = BigInt.asIntN(width, number);
    return width === 64 ? wrapped : Number(wrapped);
  }

  constant(element: NativeElement, value: number | bigint): string {
    if (element === 'i1') return this.define(`arith.constant ${Number(value) === 0 ? 'false' : 'true'}`);
    return this.define(`arith.constant ${this.literal(element, value)} : ${element}`);
  }

  private literal(element: NativeElement, value: number | bigint): string {
    if (!isFloatName(element)) return String(value);
    const number = Number(value);
    if (Object.is(number, -0)) return '-0.0';
    if (!Number.isFinite(number)) return this.literal(element, 1);
    const text = String(number);
    return text.includes('e') || text.includes('.') ? text.replace(/^(-?\d+)e/, '$1.0e') : `${text}.0`;
  }

  /** An index of this value, which the compiler may know or not. */
  index(value: number): string {
    return this.random.chance(0.5) ? this.constant('index', value) : this.number('index', BigInt(value));
  }

  /** A number that is loaded, so that the compiler does not know it. */
  number(element: NativeElement, value?: number | bigint): string {
    const chosen = value ?? this.value(element);
    const name = this.argument([], element, [chosen]);
    return this.define(`memref.load ${name}[] : memref<${element}>`);
  }

  // --- Buffers ---------------------------------------------------------------------------------------------------

  /** A buffer argument of these sizes, row-major. */
  argument(
    shape: readonly number[],
    element: NativeElement,
    values?: readonly (number | bigint)[],
    kind: Values = 'any',
  ): string {
    const name = `%a${this.arguments.length}`;
    const all = values ?? Array.from({ length: count(shape) }, () => this.value(element, kind));
    this.arguments.push({ name, type: memrefText(shape, element), element, shape, values: all });
    return name;
  }

  /** Sizes, of which some are 0 or 1. */
  shape(least: number, most: number, smallest = 0): readonly number[] {
    const sizes = smallest === 0 ? [0, 1, 1, 2, 3, 4, 5] : [1, 1, 2, 3, 4, 5];
    return Array.from({ length: this.random.integer(least, most) }, () => this.random.pick(sizes));
  }

  plain(shape: readonly number[], element: NativeElement, kind: Values = 'any'): Buffer {
    const name = this.argument(shape, element, undefined, kind);
    return {
      name,
      type: memrefText(shape, element),
      element,
      sizes: shape,
      known: shape,
      isContiguous: true,
    };
  }

  /** A buffer of these sizes: an argument, one of sizes that are not known, or a view of a larger one. */
  buffer(shape: readonly number[], element: NativeElement, kind: Values = 'any'): Buffer {
    const form = this.random.pick(['plain', 'dynamic', 'view', 'view'] as const);
    if (form === 'plain') return this.plain(shape, element, kind);
    const isView = form === 'view';
    return this.bufferOf(shape, this.someOf(shape, isView ? 0.75 : 0.4), element, kind, isView);
  }

  /** Sizes that a type may tell, each with this probability. */
  someOf(shape: readonly number[], probability: number): readonly (number | undefined)[] {
    return shape.map((size) => (this.random.chance(probability) ? size : undefined));
  }

  /** A buffer of these sizes, of which the type tells those that are known: a whole one, or a view of a larger one. */
  bufferOf(
    shape: readonly number[],
    known: readonly (number | undefined)[],
    element: NativeElement,
    kind: Values = 'any',
    isView = this.random.chance(0.5),
  ): Buffer {
    return isView
      ? this.viewOfLarger(shape, known, element, kind)
      : this.castToDynamic(this.plain(shape, element, kind), known);
  }

  private castToDynamic(from: Buffer, known: readonly (number | undefined)[]): Buffer {
    const layout =
      this.random.chance(0.3) && known.length > 0
        ? `strided<[${known.map(() => '?').join(', ')}], offset: ?>`
        : undefined;
    const type = memrefText(known, from.element, layout);
    if (type === from.type) return from;
    const name = this.define(`memref.cast ${from.name} : ${from.type} to ${type}`);
    return { ...from, name, type, known, layout, isContiguous: layout === undefined };
  }

  /** A subview with offsets and steps, perhaps of a buffer of a higher rank. */
  private viewOfLarger(
    shape: readonly number[],
    knownKept: readonly (number | undefined)[],
    element: NativeElement,
    kind: Values,
  ): Buffer {
    const { random } = this;
    const dropped = random.integer(0, 1);
    const all = [...shape];
    const known = [...knownKept];
    const kept = shape.map(() => true);
    for (let i = 0; i < dropped; i++) {
      const at = random.integer(0, all.length);
      all.splice(at, 0, 1);
      known.splice(at, 0, 1);
      kept.splice(at, 0, false);
    }
    const offsets = all.map(() => random.integer(0, 2));
    const steps = all.map(() => random.pick([1, 1, 2, 3]));
    const outer = all.map(
      (size, i) => offsets[i]! + Math.max(0, size - 1) * steps[i]! + 1 + random.integer(0, 2),
    );
    const whole = this.plain(outer, element, kind);
    const outerStrides = outer.map((_, i) => count(outer.slice(i + 1)));
    const dynamic = { offset: false };
    const offsetTexts = offsets.map((offset) => {
      if (random.chance(0.6)) return String(offset);
      dynamic.offset = true;
      return this.index(offset);
    });
    const sizeTexts = all.map((size, i) => (known[i] === undefined ? this.index(size) : String(size)));
    const offset = offsets.reduce((sum, each, i) => sum + each * outerStrides[i]!, 0);
    const strides = all.map((_, i) => steps[i]! * outerStrides[i]!).filter((_, i) => kept[i]);
    const layout = `strided<[${strides.join(', ')}]${dynamic.offset ? ', offset: ?' : offset === 0 ? '' : `, offset: ${offset}`}>`;
    const type = memrefText(knownKept, element, layout);
    const name = this.define(
      `memref.subview ${whole.name}[${offsetTexts.join(', ')}] [${sizeTexts.join(', ')}] [${steps.join(', ')}] : ${whole.type} to ${type}`,
    );
    const isContiguous = strides.length === 0 || strides.at(-1) === 1;
    return { name, type, element, sizes: shape, known: knownKept, layout, isContiguous };
  }

  // --- Vectors and results ---------------------------------------------------------------------------------------

  /** A vector of this shape that is read from an argument. */
  vector(shape: readonly number[], element: NativeElement, kind: Values = 'any'): string {
    const from = this.argument(shape, element, undefined, kind);
    return this.readAll(from, memrefText(shape, element), shape, element);
  }

  private readAll(from: string, type: string, shape: readonly number[], element: NativeElement): string {
    const zero = this.constant('index', 0);
    const padding = this.constant(element, 0);
    const inBounds = shape.length === 0 ? '' : ` {in_bounds = [${shape.map(() => 'true').join(', ')}]}`;
    return this.define(
      `vector.transfer_read ${from}[${shape.map(() => zero).join(', ')}], ${padding}${inBounds} : ${type}, ${vectorType(shape, element)}`,
    );
  }

  /** Makes a number a result. */
  keepScalar(name: string, element: NativeElement): void {
    const to = this.argument(
      [],
      element,
      [0].map((zero) => (bitsOf[element] === 64 && !isFloatName(element) ? 0n : zero)),
    );
    this.line(`memref.store ${name}, ${to}[] : memref<${element}>`);
  }

  /** Makes a vector a result. */
  keepVector(name: string, shape: readonly number[], element: NativeElement): void {
    const to = this.argument(shape, element, undefined, 'small');
    const zero = this.constant('index', 0);
    const inBounds = shape.length === 0 ? '' : ` {in_bounds = [${shape.map(() => 'true').join(', ')}]}`;
    this.line(
      `vector.transfer_write ${name}, ${to}[${shape.map(() => zero).join(', ')}]${inBounds} : ${vectorType(shape, element)}, ${memrefText(shape, element)}`,
    );
  }

  /** Makes the elements of a buffer a result: all arguments are compared, and this one is copied to one. */
  keepBuffer({ name, type, sizes, element }: Pick<Buffer, 'name' | 'type' | 'sizes' | 'element'>): void {
    const to = this.argument(sizes, element, undefined, 'small');
    this.line(`memref.copy ${name}, ${to} : ${type} to ${memrefText(sizes, element)}`);
  }

  finish(): NativeProgram {
    const given = this.arguments.map(({ name, type }) => `${name}: ${type}`).join(', ');
    const text = [...this.globals, `func.func @f(${given}) {`, ...this.lines, '  return', '}'].join('\n');
    const all = this.arguments.map(({ element, shape, values }) => ({ element, shape, values }));
    return { text, arguments: all, tolerance: this.tolerance };
  }
}
