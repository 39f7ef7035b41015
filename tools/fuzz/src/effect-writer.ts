/** Writes random functions with effects: values in scope, indices within bounds, regions. */
import type { Buffer, EffectType, EffectValue, Element, Tensor, Vector } from './effect-types.ts';
import { isBuffer, isElement, isFloat, isTensor, isVector, sameType, textOf } from './effect-types.ts';
import type { Random } from './random.ts';

/** Writes one function; values in scope are a list. */
export class EffectWriter {
  readonly random: Random;
  readonly lines: string[] = [];
  scope: EffectValue[] = [];
  /** The element type of most values. */
  readonly element: Element;
  /** The shapes of most buffers. */
  readonly shapes: readonly (readonly number[])[];
  /** What was drawn, for statistics. */
  readonly features: Set<string>;
  /** Pairs of roots that structured ops need to be distinct, as `a b`. */
  readonly distinct = new Set<string>();
  /** Private functions, globals. */
  readonly symbols: string[];
  private readonly names: { next: number };
  private margin = '  ';

  constructor(random: Random, outer?: EffectWriter, shape?: readonly number[]) {
    this.random = random;
    this.symbols = outer?.symbols ?? [];
    this.features = outer?.features ?? new Set();
    this.names = outer?.names ?? { next: 0 };
    this.element =
      outer?.element ??
      random.weighted<Element>([
        [8, 'f32'],
        [4, 'i32'],
        [2, 'i64'],
        [2, 'i8'],
        [1, 'f16'],
        [1, 'i1'],
      ])!;
    this.shapes = outer?.shapes ?? [shape ?? this.drawShape(), this.drawShape()];
  }

  private drawShape(): readonly number[] {
    const rank = this.random.weighted([
      [1, 0],
      [6, 1],
      [7, 2],
      [2, 3],
    ])!;
    return Array.from({ length: rank }, () =>
      this.random.pick([1, 2, 3, 4, 4, 5, 8, this.random.chance(0.3) ? 0 : 2]),
    );
  }

  // --- What is drawn from ----------------------------------------------------------------------------------------

  private known<T extends EffectType>(
    is: (type: EffectType) => type is T,
    accept: (type: T) => boolean,
  ): readonly EffectValue<T>[] {
    return this.scope.filter((value): value is EffectValue<T> => is(value.type) && accept(value.type));
  }

  private one<T extends EffectType>(
    is: (type: EffectType) => type is T,
    accept: (type: T) => boolean,
  ): EffectValue<T> | undefined {
    const known = this.known(is, accept);
    // Recent values are preferred.
    const recent = known.slice(-3);
    return known.length === 0 ? undefined : this.random.pick(this.random.chance(0.4) ? recent : known);
  }

  buffer(accept: (type: Buffer) => boolean = () => true): EffectValue<Buffer> | undefined {
    return this.one(isBuffer, accept);
  }

  buffers(accept: (type: Buffer) => boolean): readonly EffectValue<Buffer>[] {
    return this.known(isBuffer, accept);
  }

  tensor(accept: (type: Tensor) => boolean = () => true): EffectValue<Tensor> | undefined {
    return this.one(isTensor, accept);
  }

  vector(accept: (type: Vector) => boolean = () => true): EffectValue<Vector> | undefined {
    return this.one(isVector, accept);
  }

  /** A value in scope of the same type; there is one if `type` is that of a value in scope. */
  same(type: EffectType): EffectValue {
    return isElement(type)
      ? { name: this.scalar(type), type }
      : this.random.pick(this.scope.filter((value) => sameType(value.type, type)));
  }

  literal(type: Element): string {
    if (isFloat(type)) return this.random.pick(['0.0', '1.0', '-1.0', '2.0', '3.0', '-2.0', '-0.0']);
    if (type === 'i1') return this.random.pick(['true', 'false']);
    return this.random.pick(['0', '1', '-1', '2', '3', '-2', '5']);
  }

  constant(type: Element, literal = this.literal(type)): string {
    const range = type === 'index' ? ([Number(literal), Number(literal)] as const) : undefined;
    return this.define(type, `arith.constant ${type === 'i1' ? literal : `${literal} : ${type}`}`, { range });
  }

  /** A value in scope of this type, or a new constant. */
  scalar(type: Element): string {
    const known = this.known(isElement, (each) => each === type);
    return known.length > 0 && this.random.chance(0.75) ? this.random.pick(known).name : this.constant(type);
  }

  /** An index from `low` to `high`, both included, in the first run. */
  indexIn(low: number, high: number): string {
    const { random } = this;
    const known = this.scope.filter(
      ({ type, range }) => type === 'index' && range !== undefined && range[0] >= low && range[1] <= high,
    );
    const varying = known.filter(({ range }) => range![0] !== range![1]);
    if (varying.length > 0 && random.chance(0.5)) return random.pick(varying).name;
    if (known.length > 0 && random.chance(0.6)) return random.pick(known).name;
    const free = this.scope.filter(({ type }) => type === 'index');
    if (low === 0 && free.length > 0 && random.chance(0.4)) {
      const size = this.constant('index', String(high + 1));
      return this.define('index', `arith.remui ${random.pick(free).name}, ${size} : index`, {
        range: [0, high],
      });
    }
    return this.constant('index', String(random.integer(low, high)));
  }

  /** Indices of an element. */
  indices(shape: readonly number[]): string {
    return shape.map((size) => this.indexIn(0, size - 1)).join(', ');
  }

  // --- What is written -------------------------------------------------------------------------------------------

  line(text: string): void {
    this.lines.push(this.margin + text);
  }

  fresh(): string {
    this.names.next += 1;
    return `%v${this.names.next}`;
  }

  /** A writer of another function of the module. */
  inner(): EffectWriter {
    return new EffectWriter(this.random, this);
  }

  /** A name of a symbol. */
  symbol(prefix: string): string {
    this.names.next += 1;
    return `@${prefix}${this.names.next}`;
  }

  define(type: EffectType, text: string, more: Pick<EffectValue, 'range' | 'roots'> = {}): string {
    const name = this.fresh();
    this.line(`${name} = ${text}`);
    this.scope.push({ name, type, ...more });
    return name;
  }

  /** Runs `make` in an indented scope whose values are local. */
  nested<T>(given: readonly EffectValue[], make: () => T): T {
    const { scope, margin } = this;
    this.scope = [...scope, ...given];
    this.margin = `${margin}  `;
    try {
      return make();
    } finally {
      // What was deallocated within is gone.
      this.scope = scope.filter(({ name }) => !this.gone.has(name));
      this.margin = margin;
    }
  }

  private readonly gone = new Set<string>();

  /** Takes all values out of scope that may be in a root. */
  remove(root: string): void {
    for (const { name, roots = [] } of this.scope) if (roots.includes(root)) this.gone.add(name);
    this.scope = this.scope.filter(({ name }) => !this.gone.has(name));
  }

  /** Defines results, as `%v:2`, of an op whose text begins with the returned name. */
  results(types: readonly EffectType[]): { readonly head: string; readonly name: string } {
    const name = this.fresh();
    if (types.length === 0) return { head: '', name };
    return { head: types.length === 1 ? `${name} = ` : `${name}:${types.length} = `, name };
  }

  /** Puts the results of an op into scope. */
  bind(name: string, values: readonly Omit<EffectValue, 'name'>[]): void {
    values.forEach((value, i) => {
      this.scope.push({ ...value, name: values.length === 1 ? name : `${name}#${i}` });
    });
  }

  /** Requires that the roots of `a` and `b` are distinct; false if they share one. */
  separate(a: EffectValue, b: EffectValue): boolean {
    const [x, y] = [a.roots ?? [], b.roots ?? []];
    if (x.some((root) => y.includes(root))) return false;
    for (const from of x) for (const to of y) this.distinct.add([from, to].sort().join(' '));
    return true;
  }
}

/** Types as a list in text. */
export const typesText = (types: readonly EffectType[]): string => types.map(textOf).join(', ');
