/** Random accesses of memory: elements, copies, allocations, globals; and arithmetic on what is read. */
import type { Buffer, EffectValue, Element } from './effect-types.ts';
import { isFloat, product, textOf } from './effect-types.ts';
import type { EffectWriter } from './effect-writer.ts';

const hasElements = ({ actual }: Buffer): boolean => !actual.includes(0);

/** Reads an element. */
export const load = (w: EffectWriter): void => {
  const source = w.buffer(hasElements);
  if (source === undefined) return;
  const { name, type } = source;
  w.define(type.element, `memref.load ${name}[${w.indices(type.actual)}] : ${textOf(type)}`);
};

/** Writes an element. */
export const store = (w: EffectWriter): void => {
  const target = w.buffer(hasElements);
  if (target === undefined) return;
  const { name, type } = target;
  w.line(`memref.store ${w.scalar(type.element)}, ${name}[${w.indices(type.actual)}] : ${textOf(type)}`);
};

/** Reads an element, and writes what it computes from it. */
export const update = (w: EffectWriter): void => {
  const target = w.buffer(hasElements);
  if (target === undefined) return;
  const { name, type } = target;
  const at = w.indices(type.actual);
  const old = w.define(type.element, `memref.load ${name}[${at}] : ${textOf(type)}`);
  const value = combined(w, type.element, old, w.scalar(type.element));
  w.line(`memref.store ${value}, ${name}[${at}] : ${textOf(type)}`);
};

/** Arithmetic on two values of a type; a vector's type is text. */
export const combined = (
  w: EffectWriter,
  element: Element,
  a: string,
  b: string,
  type: string = element,
): string => {
  const name = isFloat(element)
    ? w.random.pick(['addf', 'subf', 'mulf', 'maximumf', 'minimumf'])
    : element === 'i1'
      ? w.random.pick(['andi', 'ori', 'xori'])
      : w.random.pick(['addi', 'subi', 'muli', 'maxsi', 'minsi', 'andi', 'xori']);
  const result = w.fresh();
  w.line(`${result} = arith.${name} ${a}, ${b} : ${type}`);
  return result;
};

/** Arithmetic or a comparison of scalars in scope. */
export const arithmetic = (w: EffectWriter): void => {
  const { random } = w;
  const element = random.chance(0.3) ? 'index' : random.chance(0.2) ? 'i1' : w.element;
  if (element === 'i1' && random.chance(0.7)) {
    const of: Element = random.chance(0.5) ? 'index' : w.element;
    const compared = isFloat(of)
      ? `arith.cmpf ${random.pick(['olt', 'oeq', 'une'])}`
      : `arith.cmpi ${random.pick(['slt', 'eq', 'ne', 'ult'])}`;
    w.define('i1', `${compared}, ${w.scalar(of)}, ${w.scalar(of)} : ${of}`);
    return;
  }
  const name = combined(w, element, w.scalar(element), w.scalar(element));
  w.scope.push({ name, type: element });
};

/** `affine.apply` and sizes. */
export const indexOperation = (w: EffectWriter): void => {
  const { random } = w;
  const known = w.scope.filter(({ type, range }) => type === 'index' && range !== undefined);
  if (known.length > 0 && random.chance(0.6)) {
    const { name, range } = random.pick(known);
    const by = random.integer(-2, 3);
    const to = [range![0] + by, range![1] + by] as const;
    w.define('index', `affine.apply affine_map<(d0) -> (d0 + ${by})>(${name})`, { range: to });
    return;
  }
  const source = w.buffer(({ actual }) => actual.length > 0);
  if (source === undefined) return;
  const { name, type } = source;
  const place = random.integer(0, type.actual.length - 1);
  const size = type.actual[place]!;
  w.define('index', `memref.dim ${name}, ${w.constant('index', String(place))} : ${textOf(type)}`, {
    range: [size, size],
  });
};

/** A copy between buffers of the same shape: to itself, or apart, since the order of elements is not specified. */
export const copy = (w: EffectWriter): void => {
  const source = w.buffer();
  if (source === undefined) return;
  const { type } = source;
  const target = w.random.pick(
    w.buffers((each) => each.element === type.element && String(each.actual) === String(type.actual)),
  );
  if (source.name !== target.name && !w.separate(source, target)) return;
  w.features.add('memref.copy');
  w.line(`memref.copy ${source.name}, ${target.name} : ${textOf(type)} to ${textOf(target.type)}`);
};

/** Constants for the dynamic sizes of a buffer, or a buffer's own sizes. */
const sizesOf = (w: EffectWriter, { known, actual }: Pick<Buffer, 'known' | 'actual'>): string =>
  actual.flatMap((size, i) => (known[i] === undefined ? [w.indexIn(size, size)] : [])).join(', ');

/** A new buffer, filled. */
export const allocate = (w: EffectWriter, allowDealloc = true): EffectValue<Buffer> => {
  const { random } = w;
  const actual = random.pick(w.shapes);
  const known = actual.map((size) => (random.chance(0.3) ? undefined : size));
  const element = random.chance(0.9) ? w.element : 'i32';
  const type: Buffer = { kind: 'memref', element, known, actual };
  const op = random.chance(0.35) ? 'memref.alloca' : 'memref.alloc';
  const sizes = sizesOf(w, type);
  const name = w.fresh();
  const root = allowDealloc && op === 'memref.alloc' ? `free${name}` : `own${name}`;
  const value: EffectValue<Buffer> = { name, type, roots: [root] };
  w.line(`${name} = ${op}(${sizes}) : ${textOf(type)}`);
  const like = w.buffers((each) => each.element === element && String(each.actual) === String(actual));
  if (like.length > 0 && random.chance(0.4)) {
    const from = random.pick(like);
    w.line(`memref.copy ${from.name}, ${name} : ${textOf(from.type)} to ${textOf(type)}`);
  } else w.line(`linalg.fill ins(${w.scalar(element)} : ${element}) outs(${name} : ${textOf(type)})`);
  w.scope.push(value);
  w.features.add(op);
  return value;
};

/** Frees a buffer that was allocated in this region; `local` are the names that may be. */
export const deallocate = (w: EffectWriter, outer: ReadonlySet<string>): void => {
  const mine = w.scope.filter(({ name, roots }) => !outer.has(name) && roots?.[0] === `free${name}`);
  if (mine.length === 0) return;
  const { name, type, roots } = w.random.pick(mine);
  w.line(`memref.dealloc ${name} : ${textOf(type)}`);
  w.features.add('memref.dealloc');
  w.remove(roots![0]!);
};

/** A global buffer of the module, with contents. */
export const global = (w: EffectWriter): void => {
  const { random } = w;
  const actual = random.pick(w.shapes);
  if (product(actual) === 0) return;
  const symbol = w.symbol('g');
  const element = w.element === 'i1' ? 'i32' : w.element;
  const type: Buffer = { kind: 'memref', element, known: actual, actual };
  const isConstant = random.chance(0.2);
  const kind = isConstant ? 'constant ' : '';
  w.symbols.push(`memref.global "private" ${kind}${symbol} : ${textOf(type)} = dense<${w.literal(element)}>`);
  w.features.add('memref.global');
  const name = w.define(type, `memref.get_global ${symbol} : ${textOf(type)}`, { roots: [symbol] });
  if (!isConstant) return;
  // Constants are only read.
  const at = w.indices(actual);
  w.remove(symbol);
  w.define(element, `memref.load ${name}[${at}] : ${textOf(type)}`);
};
