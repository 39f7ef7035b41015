/** Random views of buffers. */
import type { Buffer, EffectValue, Layout } from './effect-types.ts';
import { layoutOf, product, textOf } from './effect-types.ts';
import type { EffectWriter } from './effect-writer.ts';

const times = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a * b;
const plus = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a + b;

/** A part, with strides, dynamic numbers and dropped dimensions. */
export const subview = (w: EffectWriter, source = w.buffer()): EffectValue<Buffer> | undefined => {
  if (source === undefined || layoutOf(source.type).strides.includes(0)) return undefined;
  const { random } = w;
  const { name, type, roots } = source;
  const steps = type.actual.map((size) => (size > 2 && random.chance(0.25) ? 2 : 1));
  const sizes = type.actual.map((size, i) => random.integer(size === 0 ? 0 : 1, Math.ceil(size / steps[i]!)));
  const offsets = type.actual.map((size, i) =>
    random.integer(0, Math.max(0, size - 1 - Math.max(0, sizes[i]! - 1) * steps[i]!)),
  );
  const written = (value: number, low: number): string =>
    random.chance(0.35) ? w.indexIn(Math.max(low, value), value) : String(value);
  const at = offsets.map((offset, i) => {
    const room = type.actual[i]! - 1 - Math.max(0, sizes[i]! - 1) * steps[i]!;
    return random.chance(0.25) && room > 0 ? w.indexIn(0, room) : written(offset, 0);
  });
  const lengths = sizes.map((size) => written(size, 0));
  const kept = lengths.map((length) => length !== '1' || !random.chance(0.5));
  const strides = steps.map(String);
  const isStatic = (text: string): boolean => !text.startsWith('%');
  const from = layoutOf(type);
  const offset = from.strides.reduce<number | undefined>(
    (sum, stride, i) =>
      plus(sum, isStatic(at[i]!) ? (at[i] === '0' ? 0 : times(stride, Number(at[i]))) : undefined),
    from.offset,
  );
  const layout: Layout = {
    strides: from.strides.flatMap((stride, i) => (kept[i]! ? [times(stride, steps[i])] : [])),
    offset,
  };
  const to: Buffer = {
    ...type,
    known: lengths.flatMap((text, i) => (kept[i]! ? [isStatic(text) ? Number(text) : undefined] : [])),
    actual: sizes.filter((_, i) => kept[i]),
    layout,
  };
  w.features.add(
    kept.includes(false) ? 'subview, rank-reducing' : steps.includes(2) ? 'subview, strided' : 'subview',
  );
  const text = `memref.subview ${name}[${at.join(', ')}] [${lengths.join(', ')}] [${strides.join(', ')}]`;
  const view = w.define(to, `${text} : ${textOf(type)} to ${textOf(to)}`, { roots });
  return { name: view, type: to, roots };
};

const cast = (w: EffectWriter, { name, type, roots }: EffectValue<Buffer>): void => {
  const { random } = w;
  const known = type.known.map((size) => (random.chance(0.5) ? undefined : size));
  const { strides } = layoutOf(type);
  const dynamic: Layout = { strides: strides.map(() => undefined), offset: undefined };
  const to: Buffer = { ...type, known, layout: random.chance(0.4) ? dynamic : type.layout };
  if (textOf(to) === textOf(type)) return;
  // A row-major layout needs its sizes.
  w.define(to, `memref.cast ${name} : ${textOf(type)} to ${textOf(to)}`, { roots });
};

const transpose = (w: EffectWriter, { name, type, roots }: EffectValue<Buffer>): void => {
  const rank = type.actual.length;
  const order = w.random.shuffled(Array.from({ length: rank }, (_, i) => i));
  const permuted = <T>(items: readonly T[]): readonly T[] => order.map((i) => items[i]!);
  const { strides, offset } = layoutOf(type);
  // A layout in text has no stride of 0, as rows of an empty buffer have.
  if (strides.includes(0)) return;
  const to: Buffer = {
    ...type,
    known: permuted(type.known),
    actual: permuted(type.actual),
    layout: { strides: permuted(strides), offset },
  };
  const dims = strides.map((_, i) => `d${i}`);
  const map = `(${dims.join(', ')}) -> (${permuted(dims).join(', ')})`;
  w.define(to, `memref.transpose ${name} ${map} : ${textOf(type)} to ${textOf(to)}`, { roots });
};

const isPlain = ({ known, layout }: Buffer): boolean => layout === undefined && !known.includes(undefined);

/** Another shape over a row-major buffer, from an offset on. */
const reinterpret = (w: EffectWriter, { name, type, roots }: EffectValue<Buffer>): void => {
  const { random } = w;
  const count = product(type.actual);
  const size = random.integer(0, count);
  const step = size > 1 && (size - 1) * 2 < count && random.chance(0.3) ? 2 : 1;
  const offset = random.integer(0, Math.max(0, count - 1 - Math.max(0, size - 1) * step));
  const start = random.chance(0.3) ? w.indexIn(offset, offset) : String(offset);
  const to: Buffer = {
    ...type,
    known: [size],
    actual: [size],
    layout: { strides: [step], offset: start.startsWith('%') ? undefined : offset },
  };
  const parts = `offset: [${start}], sizes: [${size}], strides: [${step}]`;
  w.define(to, `memref.reinterpret_cast ${name} to ${parts} : ${textOf(type)} to ${textOf(to)}`, { roots });
};

const groups = (rank: number): string => `[[${Array.from({ length: rank }, (_, i) => i).join(', ')}]]`;

/** One dimension of all, or two of one. */
const reshape = (w: EffectWriter, { name, type, roots }: EffectValue<Buffer>): void => {
  const rank = type.actual.length;
  if (rank > 1) {
    const count = product(type.actual);
    const to: Buffer = { ...type, known: [count], actual: [count] };
    w.define(to, `memref.collapse_shape ${name} ${groups(rank)} : ${textOf(type)} into ${textOf(to)}`, {
      roots,
    });
    return;
  }
  const [size = 1] = type.actual;
  const factors = [1, 2, 4, size].filter((each) => each > 0 && size % each === 0);
  const outer = w.random.pick(factors);
  const shape = rank === 0 ? [1, 1] : [outer, size / outer];
  const to: Buffer = { ...type, known: shape, actual: shape };
  const map = rank === 0 ? '[]' : groups(2);
  const text = `memref.expand_shape ${name} ${map} output_shape [${shape.join(', ')}]`;
  w.define(to, `${text} : ${textOf(type)} into ${textOf(to)}`, { roots });
};

/** A view of rank 1 by the metadata of another buffer. */
const metadata = (w: EffectWriter, { name, type, roots }: EffectValue<Buffer>): void => {
  const rank = type.actual.length;
  const [base, head] = [w.fresh(), w.fresh()];
  const parts = Array.from({ length: 2 * rank }, () => w.fresh());
  const indices = Array.from({ length: 2 * rank + 1 }, () => 'index').join(', ');
  const to: Buffer = {
    ...type,
    known: type.known.map(() => undefined),
    layout: { strides: type.known.map(() => undefined), offset: undefined },
  };
  w.line(
    `${[base, head, ...parts].join(', ')} = memref.extract_strided_metadata ${name} : ` +
      `${textOf(type)} -> memref<${type.element}>, ${indices}`,
  );
  const list = (names: readonly string[]): string => `[${names.join(', ')}]`;
  const text = `offset: ${list([head])}, sizes: ${list(parts.slice(0, rank))}, strides: ${list(parts.slice(rank))}`;
  w.define(to, `memref.reinterpret_cast ${base} to ${text} : memref<${type.element}> to ${textOf(to)}`, {
    roots,
  });
};

const select = (w: EffectWriter, { type }: EffectValue<Buffer>): void => {
  const [a, b] = [w.same(type), w.same(type)];
  const roots = [...new Set([...(a.roots ?? []), ...(b.roots ?? [])])];
  w.define(type, `arith.select ${w.scalar('i1')}, ${a.name}, ${b.name} : ${textOf(type)}`, { roots });
};

/** A random view of a random buffer. */
export const view = (w: EffectWriter): void => {
  const source = w.buffer();
  if (source === undefined) return;
  const { type } = source;
  const draw = w.random.weighted<readonly [string, () => unknown]>([
    [5, ['subview', () => subview(w, source)]],
    [2, ['memref.cast', () => cast(w, source)]],
    [type.actual.length > 1 ? 2 : 0, ['memref.transpose', () => transpose(w, source)]],
    [
      isPlain(type) && type.actual.length > 0 ? 2 : 0,
      ['memref.reinterpret_cast', () => reinterpret(w, source)],
    ],
    [isPlain(type) ? 2 : 0, ['memref reshape', () => reshape(w, source)]],
    [1, ['memref.extract_strided_metadata', () => metadata(w, source)]],
    [3, ['select of buffers', () => select(w, source)]],
  ])!;
  if (draw[0] !== 'subview') w.features.add(draw[0]);
  draw[1]();
};
