/**
 * Random functions over arith, affine, scf, tensor and linalg that execute without faults, for testing cleanup passes.
 * Integers are negative, extreme, or small; floats are finite, -0, infinite or NaN; extents may be 0, and dynamic in
 * types.
 */
import type { Random } from './random.ts';

/** The types of scalars. */
const integers = ['i1', 'i8', 'i32', 'i64', 'index'] as const;
const floats = ['f32', 'f64'] as const;
type Integer = (typeof integers)[number];
type Float = (typeof floats)[number];
export type ScalarName = Integer | Float;

/** Elements of tensors. */
const elements = ['f32', 'f64', 'i32', 'i64'] as const;

/** A tensor's type and actual shape. */
export interface TensorShape {
  readonly element: ScalarName;
  /** `undefined` for `?` in the type. */
  readonly known: readonly (number | undefined)[];
  readonly actual: readonly number[];
}

export type DrawnType = ScalarName | TensorShape;

/** A function `@f`, and the requirements on its arguments. */
export interface DrawnFunction {
  readonly text: string;
  readonly arguments: readonly DrawnType[];
}

interface Drawn {
  readonly name: string;
  readonly type: DrawnType;
}

const isTensor = (type: DrawnType): type is TensorShape => typeof type === 'object';

const typeText = (type: DrawnType): string =>
  isTensor(type) ? `tensor<${type.known.map((size) => `${size ?? '?'}x`).join('')}${type.element}>` : type;

const widths: Readonly<Record<Integer, number>> = { i1: 1, i8: 8, i32: 32, i64: 64, index: 64 };

const isInteger = (type: DrawnType): type is Integer => integers.includes(type as Integer);
const isFloat = (type: DrawnType): type is Float => floats.includes(type as Float);

/** The text of a constant. */
const constantText = (random: Random, type: ScalarName): string => {
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

const binaryIntegers = ['addi', 'subi', 'muli', 'andi', 'ori', 'xori', 'maxsi', 'minsi', 'maxui', 'minui'];
const divisions = ['divsi', 'divui', 'remsi', 'remui', 'floordivsi', 'ceildivsi'];
const shifts = ['shli', 'shrsi', 'shrui'];
const binaryFloats = ['addf', 'subf', 'mulf', 'divf', 'maximumf', 'minimumf', 'maxnumf', 'minnumf'];
const predicates = ['eq', 'ne', 'slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge'];
const floatPredicates = ['oeq', 'olt', 'ole', 'ogt', 'oge', 'one', 'ueq', 'ult', 'uge', 'une', 'ord', 'uno'];

/** Writes a function line by line; values in scope are a list. */
class FunctionWriter {
  private readonly random: Random;
  private readonly lines: string[] = [];
  private scope: Drawn[] = [];
  private next = 0;
  private margin = '  ';

  constructor(random: Random) {
    this.random = random;
  }

  write(): DrawnFunction {
    const { random } = this;
    const types: DrawnType[] = [
      ...Array.from({ length: random.integer(2, 5) }, () => this.scalarType()),
      ...Array.from({ length: random.integer(0, 2) }, () => this.tensorType()),
    ];
    const given = types.map((type, i): Drawn => ({ name: `%arg${i}`, type }));
    this.scope = [...given];
    const count = random.integer(4, 24);
    for (let i = 0; i < count; i++) this.operation(2);
    const returned = random.shuffled(this.scope).slice(0, random.integer(1, 3));
    const signature = given.map(({ name, type }) => `${name}: ${typeText(type)}`).join(', ');
    const results = returned.map(({ type }) => typeText(type)).join(', ');
    const text = [
      `func.func @f(${signature}) -> (${results}) {`,
      ...this.lines,
      `  return ${returned.map(({ name }) => name).join(', ')} : ${results}`,
      '}',
    ].join('\n');
    return { text, arguments: types };
  }

  // --- What is drawn from ----------------------------------------------------------------------------------------

  private scalarType(): ScalarName {
    return this.random.pick([...integers, ...floats, 'index', 'i32']);
  }

  private tensorType(): TensorShape {
    const { random } = this;
    const actual = Array.from({ length: random.integer(1, 2) }, () => random.pick([0, 1, 2, 3, 4]));
    const known = actual.map((size) => (random.chance(0.3) ? undefined : size));
    return { element: random.pick(elements), known, actual };
  }

  /** A value in scope of this type; a new constant if there is none, and sometimes anyway. */
  private scalar(type: ScalarName): string {
    const known = this.scope.filter((value) => value.type === type);
    if (known.length > 0 && this.random.chance(0.7)) return this.random.pick(known).name;
    return this.constant(type, constantText(this.random, type));
  }

  private constant(type: ScalarName, text: string): string {
    const literal = type === 'i1' ? text : `${text} : ${type}`;
    return this.define(type, `arith.constant ${literal}`);
  }

  private tensor(
    accept: (type: TensorShape) => boolean = () => true,
  ): { readonly name: string; readonly type: TensorShape } | undefined {
    const known = this.scope.flatMap((value) =>
      isTensor(value.type) && accept(value.type) ? [{ name: value.name, type: value.type }] : [],
    );
    return known.length === 0 ? undefined : this.random.pick(known);
  }

  // --- What is written -------------------------------------------------------------------------------------------

  private line(text: string): void {
    this.lines.push(this.margin + text);
  }

  private fresh(): string {
    this.next += 1;
    return `%v${this.next}`;
  }

  private define(type: DrawnType, text: string): string {
    const name = this.fresh();
    this.line(`${name} = ${text}`);
    this.scope.push({ name, type });
    return name;
  }

  /** Runs `make` in an indented scope whose values are local; returns its result. */
  private nested<T>(given: readonly Drawn[], make: () => T): T {
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

  private operation(depth: number): void {
    const draw = this.random.weighted<() => void>([
      [6, () => this.integerOperation()],
      [3, () => this.floatOperation()],
      [2, () => this.comparison()],
      [2, () => this.selection()],
      [3, () => this.cast()],
      [2, () => this.affineOperation()],
      [4, () => this.tensorOperation()],
      [2, () => this.slice()],
      [1, () => this.structured()],
      [depth > 0 ? 2 : 0, () => this.condition(depth)],
      [depth > 0 ? 2 : 0, () => this.loop(depth)],
    ]);
    draw?.();
  }

  private integerOperation(): void {
    const { random } = this;
    const type = random.pick(integers);
    const lhs = this.scalar(type);
    const kind = random.integer(0, 9);
    if (kind === 0 && type !== 'i1') {
      const divisor = this.constant(type, random.pick(['2', '3', '7', '-3', '1']));
      this.define(type, `arith.${random.pick(divisions)} ${lhs}, ${divisor} : ${type}`);
    } else if (kind === 1 && type !== 'i1') {
      const count = this.constant(type, random.pick(['0', '1', '3']));
      this.define(type, `arith.${random.pick(shifts)} ${lhs}, ${count} : ${type}`);
    } else {
      this.define(type, `arith.${random.pick(binaryIntegers)} ${lhs}, ${this.scalar(type)} : ${type}`);
    }
  }

  private floatOperation(): void {
    const type = this.random.pick(floats);
    const lhs = this.scalar(type);
    if (this.random.chance(0.2)) this.define(type, `arith.negf ${lhs} : ${type}`);
    else this.define(type, `arith.${this.random.pick(binaryFloats)} ${lhs}, ${this.scalar(type)} : ${type}`);
  }

  private comparison(): void {
    const type = this.scalarType();
    const [lhs, rhs] = [this.scalar(type), this.scalar(type)];
    const text = isFloat(type)
      ? `arith.cmpf ${this.random.pick(floatPredicates)}, ${lhs}, ${rhs} : ${type}`
      : `arith.cmpi ${this.random.pick(predicates)}, ${lhs}, ${rhs} : ${type}`;
    this.define('i1', text);
  }

  private selection(): void {
    const type = this.scalarType();
    this.define(
      type,
      `arith.select ${this.scalar('i1')}, ${this.scalar(type)}, ${this.scalar(type)} : ${type}`,
    );
  }

  private cast(): void {
    const { random } = this;
    const [from, to] = [this.scalarType(), this.scalarType()];
    const conversion = this.conversion(from, to);
    if (conversion !== undefined)
      this.define(to, `arith.${conversion} ${this.scalar(from)} : ${from} to ${to}`);
    else if (from === 'i32' && random.chance(0.5))
      this.define('f32', `arith.bitcast ${this.scalar('i32')} : i32 to f32`);
  }

  private conversion(from: ScalarName, to: ScalarName): string | undefined {
    const { random } = this;
    if (from === to) return undefined;
    if (from === 'index' || to === 'index') {
      return isInteger(from) && isInteger(to) ? random.pick(['index_cast', 'index_castui']) : undefined;
    }
    if (isInteger(from) && isInteger(to))
      return widths[from] < widths[to] ? random.pick(['extsi', 'extui']) : 'trunci';
    if (isInteger(from)) return random.pick(['sitofp', 'uitofp']);
    return isFloat(to) ? (from === 'f32' ? 'extf' : 'truncf') : undefined;
  }

  /** Maps of numbers far from index overflow. */
  private affineOperation(): void {
    const { random } = this;
    // Indices here are remainders, hence small.
    const small = (): string => {
      const divisor = this.constant('index', random.pick(['5', '9', '16']));
      return this.define('index', `arith.remsi ${this.scalar('index')}, ${divisor} : index`);
    };
    const [a, b] = [small(), small()];
    const term = (): string =>
      random.pick([
        'd0',
        'd1',
        'd0 + 3',
        'd1 * 2',
        'd0 - d1',
        'd0 * 4 + d1',
        'd0 mod 3',
        'd1 floordiv 2',
        '7',
        'd0 ceildiv 4',
      ]);
    const kind = random.pick(['apply', 'min', 'max']);
    const results = kind === 'apply' ? term() : [term(), term()].join(', ');
    this.define('index', `affine.${kind} affine_map<(d0, d1) -> (${results})>(${a}, ${b})`);
  }

  /** Extraction of elements, tensors from elements, sizes and casts. */
  private tensorOperation(): void {
    const { random } = this;
    const kind = random.pick([
      'elements',
      'splat',
      'dense',
      'dim',
      'cast',
      'extract',
      'insert',
      'generate',
      'pad',
      'collapse',
    ]);
    const source = this.tensor();
    if (source === undefined || kind === 'elements' || kind === 'splat' || kind === 'dense') {
      this.newTensor(kind);
      return;
    }
    const { name, type } = source;
    const text = typeText(type);
    switch (kind) {
      case 'dim': {
        const place = random.integer(0, type.actual.length - 1);
        this.define('index', `tensor.dim ${name}, ${this.constant('index', String(place))} : ${text}`);
        return;
      }
      case 'cast': {
        const known = type.actual.map((size) => (random.chance(0.5) ? undefined : size));
        const to: TensorShape = { ...type, known };
        this.define(to, `tensor.cast ${name} : ${text} to ${typeText(to)}`);
        return;
      }
      case 'extract': {
        if (type.actual.includes(0)) return;
        const places = this.places(type);
        this.define(type.element, `tensor.extract ${name}[${places}] : ${text}`);
        return;
      }
      case 'insert': {
        if (type.actual.includes(0)) return;
        const value = this.scalar(type.element);
        this.define(type, `tensor.insert ${value} into ${name}[${this.places(type)}] : ${text}`);
        return;
      }
      case 'generate':
        this.generate(type);
        return;
      case 'pad':
        this.pad(name, type);
        return;
      default:
        this.reshape(name, type);
    }
  }

  /** Indices within a tensor. */
  private places(type: TensorShape): string {
    return type.actual
      .map((size) => this.constant('index', String(this.random.integer(0, size - 1))))
      .join(', ');
  }

  private newTensor(kind: string): void {
    const { random } = this;
    const element = random.pick(elements);
    const size = random.integer(kind === 'elements' ? 1 : 0, 4);
    const type: TensorShape = { element, known: [size], actual: [size] };
    if (kind === 'elements') {
      const values = Array.from({ length: size }, () => this.scalar(element));
      this.define(type, `tensor.from_elements ${values.join(', ')} : ${typeText(type)}`);
    } else if (kind === 'dense' && size > 0) {
      const values = Array.from({ length: random.chance(0.5) ? 1 : size }, () =>
        constantText(random, element),
      );
      const text = values.length === 1 ? values[0]! : `[${values.join(', ')}]`;
      this.define(type, `arith.constant dense<${text}> : ${typeText(type)}`);
    } else this.define(type, `tensor.splat ${this.scalar(element)} : ${typeText(type)}`);
  }

  /** Constants for the dynamic sizes of a type. */
  private dynamicSizes(type: TensorShape): string {
    return type.actual
      .flatMap((size, i) => (type.known[i] === undefined ? [this.constant('index', String(size))] : []))
      .join(', ');
  }

  private generate(type: TensorShape): void {
    const name = this.fresh();
    const sizes = this.dynamicSizes(type);
    const indices = type.actual.map((): Drawn => ({ name: this.fresh(), type: 'index' }));
    this.line(`${name} = tensor.generate ${sizes} {`);
    this.line(`^bb0(${indices.map((index) => `${index.name}: index`).join(', ')}):`);
    this.nested(indices, () => {
      this.line(`tensor.yield ${this.scalar(type.element)} : ${type.element}`);
    });
    this.line(`} : ${typeText(type)}`);
    this.scope.push({ name, type });
  }

  private pad(source: string, type: TensorShape): void {
    const { random } = this;
    const margins = type.actual.map(() => [random.integer(0, 2), random.integer(0, 2)] as const);
    const actual = type.actual.map((size, i) => size + margins[i]![0] + margins[i]![1]);
    const list = (side: 0 | 1): string =>
      margins
        .map((margin) =>
          random.chance(0.3) ? this.constant('index', String(margin[side])) : String(margin[side]),
        )
        .join(', ');
    const [low, high] = [list(0), list(1)];
    const known = actual.map((size, i) => {
      const isDynamic = low.split(', ')[i]!.startsWith('%') || high.split(', ')[i]!.startsWith('%');
      return isDynamic || type.known[i] === undefined ? undefined : size;
    });
    const value = this.scalar(type.element);
    const to: TensorShape = { ...type, known, actual };
    const name = this.fresh();
    const indices = type.actual.map(() => `${this.fresh()}: index`).join(', ');
    this.line(`${name} = tensor.pad ${source} low[${low}] high[${high}] {`);
    this.line(`^bb0(${indices}):`);
    this.line(`  tensor.yield ${value} : ${type.element}`);
    this.line(`} : ${typeText(type)} to ${typeText(to)}`);
    this.scope.push({ name, type: to });
  }

  private reshape(source: string, type: TensorShape): void {
    if (type.actual.length !== 2) return;
    const [a = 0, b = 0] = type.actual;
    const isStatic = !type.known.includes(undefined);
    const flat: TensorShape = { ...type, actual: [a * b], known: [isStatic ? a * b : undefined] };
    const name = this.define(
      flat,
      `tensor.collapse_shape ${source} [[0, 1]] : ${typeText(type)} into ${typeText(flat)}`,
    );
    if (!isStatic || this.random.chance(0.5)) return;
    this.define(
      { ...type, actual: [b, a], known: [b, a] },
      `tensor.expand_shape ${name} [[0, 1]] output_shape [${b}, ${a}] : ${typeText(flat)} into ${typeText({ ...type, actual: [b, a], known: [b, a] })}`,
    );
  }

  /** Extraction and insertion of slices. */
  private slice(): void {
    const { random } = this;
    const source = this.tensor();
    if (source === undefined) return;
    const { name, type } = source;
    const sizes = type.actual.map((size) => random.integer(0, size));
    const offsets = type.actual.map((size, i) => random.integer(0, size - sizes[i]!));
    const list = (values: readonly number[]): readonly string[] =>
      values.map((value) => (random.chance(0.4) ? this.constant('index', String(value)) : String(value)));
    const [from, length] = [list(offsets), list(sizes)];
    const known = length.map((size, i) => (size.startsWith('%') ? undefined : sizes[i]));
    const part: TensorShape = { ...type, known, actual: sizes };
    const place = `[${from.join(', ')}] [${length.join(', ')}] [${sizes.map(() => '1').join(', ')}]`;
    const slice = this.define(
      part,
      `tensor.extract_slice ${name}${place} : ${typeText(type)} to ${typeText(part)}`,
    );
    if (random.chance(0.5)) return;
    this.define(
      type,
      `tensor.insert_slice ${slice} into ${name}${place} : ${typeText(part)} into ${typeText(type)}`,
    );
  }

  /** A fill, and elementwise sums over it. */
  private structured(): void {
    const { random } = this;
    const source = this.tensor();
    if (source === undefined) return;
    const { name, type } = source;
    const sizes = this.dynamicSizes(type);
    const text = typeText(type);
    const empty = this.fresh();
    // Its content is undefined: only a fill may use it.
    this.line(`${empty} = tensor.empty(${sizes}) : ${text}`);
    const filled = this.define(
      type,
      `linalg.fill ins(${this.scalar(type.element)} : ${type.element}) outs(${empty} : ${text}) -> ${text}`,
    );
    if (random.chance(0.3)) return;
    const rank = type.actual.length;
    const dims = Array.from({ length: rank }, (_, i) => `d${i}`).join(', ');
    const map = `affine_map<(${dims}) -> (${dims})>`;
    const iterators = Array.from({ length: rank }, () => '"parallel"').join(', ');
    const result = this.fresh();
    const [a, b] = [this.fresh(), this.fresh()];
    this.line(
      `${result} = linalg.generic {indexing_maps = [${map}, ${map}], iterator_types = [${iterators}]} ins(${name} : ${text}) outs(${filled} : ${text}) {`,
    );
    this.line(`^bb0(${a}: ${type.element}, ${b}: ${type.element}):`);
    this.nested([], () => {
      const mnemonic = isFloat(type.element) ? 'addf' : 'addi';
      const value = random.chance(0.4)
        ? random.pick([a, b])
        : this.define(type.element, `arith.${mnemonic} ${a}, ${b} : ${type.element}`);
      this.line(`linalg.yield ${value} : ${type.element}`);
    });
    this.line(`} -> ${text}`);
    this.scope.push({ name: result, type });
  }

  /** Writes a body that yields values of these types, as both branches of an `if` and loop bodies do. */
  private body(depth: number, types: readonly DrawnType[], given: readonly Drawn[]): void {
    this.nested(given, () => {
      const count = this.random.integer(0, 4);
      for (let i = 0; i < count; i++) this.operation(depth - 1);
      const names = types.map((type) =>
        isTensor(type)
          ? this.random.pick(
              this.scope.filter((value) => isTensor(value.type) && sameShape(value.type, type)),
            ).name
          : this.scalar(type),
      );
      this.line(`scf.yield ${names.join(', ')} : ${types.map(typeText).join(', ')}`);
    });
  }

  /** Types of results: scalars, and sometimes a tensor in scope. */
  private resultTypes(): readonly DrawnType[] {
    const types: DrawnType[] = Array.from({ length: this.random.integer(1, 2) }, () => this.scalarType());
    const source = this.tensor();
    return source !== undefined && this.random.chance(0.3) ? [...types, source.type] : types;
  }

  private condition(depth: number): void {
    const types = this.resultTypes();
    const condition = this.scalar('i1');
    const name = this.fresh();
    const count = types.length === 1 ? '' : `:${types.length}`;
    this.line(`${name}${count} = scf.if ${condition} -> (${types.map(typeText).join(', ')}) {`);
    this.body(depth, types, []);
    this.line('} else {');
    this.body(depth, types, []);
    this.line('}');
    this.results(name, types);
  }

  private results(name: string, types: readonly DrawnType[]): void {
    types.forEach((type, i) => this.scope.push({ name: types.length === 1 ? name : `${name}#${i}`, type }));
  }

  private loop(depth: number): void {
    const { random } = this;
    const types = this.resultTypes();
    const bounds = [random.integer(-1, 2), random.integer(-1, 5), random.integer(1, 3)].map((bound) =>
      this.constant('index', String(bound)),
    );
    const inits = types.map((type) =>
      isTensor(type)
        ? random.pick(this.scope.filter((value) => isTensor(value.type) && sameShape(value.type, type))).name
        : this.scalar(type),
    );
    const carried = types.map((type): Drawn => ({ name: this.fresh(), type }));
    const variable = this.fresh();
    const name = this.fresh();
    const count = types.length === 1 ? '' : `:${types.length}`;
    const pairs = carried.map((value, i) => `${value.name} = ${inits[i]!}`).join(', ');
    this.line(
      `${name}${count} = scf.for ${variable} = ${bounds[0]!} to ${bounds[1]!} step ${bounds[2]!} iter_args(${pairs}) -> (${types.map(typeText).join(', ')}) {`,
    );
    this.body(depth, types, [{ name: variable, type: 'index' }, ...carried]);
    this.line('}');
    this.results(name, types);
  }
}

const sameShape = (a: TensorShape, b: TensorShape): boolean =>
  typeText(a) === typeText(b) && String(a.actual) === String(b.actual);

/** A function that executes without faults, overflow aside, on arguments of its types. */
export const drawFunction = (random: Random): DrawnFunction => new FunctionWriter(random).write();
