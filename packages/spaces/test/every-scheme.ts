/** All schemes of a small space, by trying everything: what `schemeSpace` counts without doing so. */
import type { KernelFamily } from '@sconv/targets';

/** A space, with TT's letters. */
export interface SmallSpace {
  /** Extents of `k`, `c`, `h`, `w`, `r`, `s`, `b`; 1 if absent. */
  readonly extents: Readonly<Partial<Record<string, number>>>;
  /** Whole orders of loops, outermost first: `srcwhk`. */
  readonly orders: readonly string[];
  readonly levels: number;
  readonly family: KernelFamily;
  /** The operands that may be packed. */
  readonly packs: string;
  /** Whether there are fewer filters than `k`: they are packed, tile by tile. */
  readonly isPadded?: boolean;
}

type Entry = readonly [letter: string, count: number];

const lambda = 'L';

/** The texts of all schemes, each once. */
export const everyScheme = (space: SmallSpace): ReadonlySet<string> => {
  const texts = new Set<string>();
  for (const kernel of kernelsOf(space)) {
    const bands = sequences(space.orders, space.levels);
    for (const order of new Set(bands))
      for (const loops of loopsIn(order + innerOrder(kernel.of), kernel.left, kernel.runs.length > 1))
        for (const packed of packedIn(merged(loops, kernel), space)) texts.add(textOf(packed, space));
  }
  return texts;
};

interface Kernel {
  readonly of: KernelFamily['classes'][number];
  readonly runs: readonly Entry[];
  /** Iterations above it. */
  readonly left: Readonly<Record<string, number>>;
}

const kernelsOf = ({ extents, family }: SmallSpace): readonly Kernel[] =>
  family.classes.flatMap((of) => {
    const { channels, tapRows, tapColumns } = of.unroll;
    const H = extents['h'] ?? 1;
    const runs = of.heights.flatMap((low): readonly (readonly Entry[])[] => [
      [['', low]],
      ...of.heights
        .filter((high) => high > low)
        .flatMap((high) =>
          upTo(H).flatMap((a) =>
            upTo(H).map((b): readonly Entry[] => [
              [`${a}`, low],
              [`${b}`, high],
            ]),
          ),
        ),
    ]);
    return runs.flatMap((run) => {
      const covered = run.reduce((sum, [count, height]) => sum + Number(count || 1) * height, 0);
      const sizes: Readonly<Record<string, number>> = {
        k: of.vectors * family.lanes,
        c: channels,
        r: tapRows,
        s: tapColumns,
        h: covered,
      };
      const left = Object.fromEntries(
        Array.from('bkchwrs', (letter) => [letter, (extents[letter] ?? 1) / (sizes[letter] ?? 1)]),
      );
      return Object.values(left).every(Number.isInteger) ? [{ of, runs: run, left }] : [];
    });
  });

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, i) => i + 1);

const sequences = (orders: readonly string[], levels: number): readonly string[] =>
  levels === 0
    ? ['']
    : orders.flatMap((order) => sequences(orders, levels - 1).map((inner) => order + inner));

/** All ways to hand iterations to the places of an order, and to place a combination at one of the rows. */
const loopsIn = (
  order: string,
  left: Readonly<Record<string, number>>,
  isCombined: boolean,
): readonly (readonly Entry[])[] => {
  if (order === '') return !isCombined && Object.values(left).every((each) => each === 1) ? [[]] : [];
  const letter = order[0]!;
  const all = left[letter]!;
  const isLast = !order.includes(letter, 1);
  return (isLast ? [all] : upTo(all))
    .filter((count) => all % count === 0)
    .flatMap((count) => {
      const rest = { ...left, [letter]: all / count };
      const own: Entry = [letter, count];
      const placed =
        isCombined && letter === 'h'
          ? loopsIn(order.slice(1), rest, false).map((inner) => [own, [lambda, 1] as const, ...inner])
          : [];
      return [...placed, ...loopsIn(order.slice(1), rest, isCombined).map((inner) => [own, ...inner])];
    });
};

/** The loops that a microkernel may have: what it unrolls is innermost. */
const innerOrder = ({ unroll: { channels, tapRows } }: Kernel['of']): string =>
  channels > 1 ? 'c' : tapRows > 1 ? 'cr' : 'crs';

/** The same computation without loops of one iteration, and equal neighbours as one. */
const merged = (loops: readonly Entry[], { of, runs }: Kernel) => {
  const nest: Entry[] = [];
  let scale = 1;
  for (const [letter, count] of loops.filter(([letter, count]) => letter === lambda || count > 1)) {
    const last = nest.at(-1);
    if (last?.[0] === letter) nest[nest.length - 1] = [letter, last[1] * count];
    else if (last?.[0] === lambda && letter === 'h') scale *= count;
    else nest.push([letter, count]);
  }
  // Sums stay in registers over all loops that are directly above the microkernel and can be part of it.
  const order = innerOrder(of);
  let [end, place] = [nest.length, Infinity];
  while (end > 0 && order.includes(nest[end - 1]![0]) && order.indexOf(nest[end - 1]![0]) < place) {
    end -= 1;
    place = order.indexOf(nest[end]![0]);
  }
  const isLost = end > 0 && order.includes(nest[end - 1]![0]);
  const parts = runs.map(([count, height]): Entry => [`${Number(count || 1) * scale}`, height]);
  return { of, parts, isLost, outer: nest.slice(0, end), inner: nest.slice(end) };
};

type Nest = ReturnType<typeof merged>;

const dependsOn = { input: 'bcwhrs', filters: 'kcrs' } as const;

/** All places of packings that plans allow. */
const packedIn = (nest: Nest, { packs, isPadded = false }: SmallSpace): readonly Nest[] => {
  const pack = (operand: 'input' | 'filters', from: Nest): readonly Nest[] => {
    if (!packs.includes(operand)) return operand === 'filters' && isPadded ? [] : [from];
    const places = [...from.outer.keys(), from.outer.length].filter((at) => {
      const around = from.outer.slice(0, at).findLast(([letter]) => letter.length === 1);
      const below = from.outer.slice(at).map(([letter]) => letter);
      const own = below.filter((letter) => dependsOn[operand].includes(letter));
      const tiles = operand === 'filters' && !isPadded ? 'k' : '';
      const isAtPack = from.outer[at]?.[0] === 'input';
      return (
        !isAtPack &&
        (around === undefined || isAround(operand, around[0])) &&
        // Two loops over filters around each other, with the packing between them, were one.
        !(around?.[0] === 'k' && below.find((letter) => letter.length === 1) === 'k') &&
        !below.includes(lambda) &&
        // The last tile of filters is apart.
        !(isPadded && below.includes('k')) &&
        (own.length === 0 || own.join() === tiles)
      );
    });
    const unpacked = operand === 'filters' && isPadded ? [] : [from];
    return [
      ...unpacked,
      ...places.map((at) => ({ ...from, outer: from.outer.toSpliced(at, 0, [operand, 1]) })),
    ];
  };
  if (nest.isLost) return [];
  return pack('input', nest).flatMap((from) => pack('filters', from));
};

const isAround = (operand: 'input' | 'filters', letter: string): boolean =>
  dependsOn[operand].includes(letter === lambda ? 'h' : letter);

const textOf = ({ of, parts, outer, inner }: Nest, { family }: SmallSpace): string => {
  const text = ([letter, count]: Entry): string => {
    if (letter === lambda) return `lambda(h; b; [${parts.map((part) => `(${part.join()})`).join()}])`;
    return letter.length > 1 ? `P(${letter})` : `T(${letter},${count})`;
  };
  const unrolled = [
    ['c', of.unroll.channels],
    ['r', of.unroll.tapRows],
    ['s', of.unroll.tapColumns],
    ['h', parts.length > 1 ? 'b' : parts[0]![1]],
    ['k', of.vectors],
  ] as const;
  return `[${[
    ...[...outer, ...inner].map(text),
    ...unrolled.filter(([, count]) => count !== 1).map(([letter, count]) => `U(${letter},${count})`),
    `V(k,${family.lanes})`,
  ].join(', ')}]`;
};
