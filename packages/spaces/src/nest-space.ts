/** The nests above a microkernel of given sizes: loops, their iterations, the places of packings and a combination. */
import type { PackedOperand } from '@sconv/plans';
import { factorizations, primeFactors } from './factorizations.ts';
import {
  combined,
  nestWords,
  occurrencesOf,
  type NestRules,
  type NestWord,
  type Occurrences,
} from './nest-words.ts';

/** An entry of a nest. */
export type NestStep =
  | { readonly kind: 'loop'; readonly dimension: string; readonly count: number }
  | { readonly kind: 'combination' }
  | { readonly kind: 'pack'; readonly operand: PackedOperand };

/** The nests of given numbers of iterations. */
export interface Nests {
  readonly count: bigint;
  /** Outermost first. */
  readonly at: (i: bigint) => readonly NestStep[];
  /** Undefined for a nest that is none of these. */
  readonly indexOf: (nest: readonly NestStep[]) => bigint | undefined;
}

/** What there is between a microkernel and the whole: iterations by dimension, outermost first where order is free. */
export interface NestSizes {
  readonly iterations: ReadonlyMap<string, number>;
  readonly isCombined: boolean;
}

/** Nests of the same letters: their words, by the factorizations of each dimension's iterations. */
interface Arrangement {
  readonly occurrences: Occurrences;
  /** The dimensions that have a loop in the microkernel, in its order. */
  readonly inner: readonly string[];
  readonly words: bigint;
  readonly count: bigint;
}

/** Nests by these rules; what has been counted is kept for other sizes. */
export const nestSpace = (rules: NestRules): ((sizes: NestSizes) => Nests) => {
  const words = nestWords(rules);
  const factors = factorizations();
  const known = new Map<string, Nests>();

  const arrangementsOf = ({ iterations, isCombined }: NestSizes): readonly Arrangement[] => {
    const split = [...iterations].filter(([, count]) => count > 1);
    let choices: readonly Pick<Arrangement, 'occurrences' | 'inner'>[] = [
      { occurrences: new Map(isCombined ? [[combined, 1]] : []), inner: [] },
    ];
    for (const [dimension, count] of split) {
      const most = primeFactors(count);
      const mayBeInner = rules.inner.includes(dimension);
      choices = choices.flatMap(({ occurrences, inner }) =>
        (mayBeInner ? [false, true] : [false]).flatMap((isInner) => {
          const [from, to] = isInner ? [0, most - 1] : [1, most];
          const outer = Array.from(
            { length: Math.max(0, Math.min(to, rules.bands) - from + 1) },
            (_, i) => from + i,
          );
          const own = isInner
            ? rules.inner.filter((each) => each === dimension || inner.includes(each))
            : inner;
          return outer.map((times) => ({
            occurrences: new Map([...occurrences, [dimension, times]]),
            inner: own,
          }));
        }),
      );
    }
    return choices.flatMap(({ occurrences, inner }) => {
      const found = words.count(occurrences);
      if (found === 0n) return [];
      const ofFactors = split.map(([dimension, count]) =>
        BigInt(factors.count(count, loopsOver(dimension, occurrences, inner))),
      );
      const count = ofFactors.reduce((all, each) => all * each, found);
      return [{ occurrences, inner, words: found, count }];
    });
  };

  return (sizes: NestSizes): Nests => {
    const key = JSON.stringify([...sizes.iterations, sizes.isCombined]);
    const nests = known.get(key) ?? makeNests(sizes, arrangementsOf(sizes));
    known.set(key, nests);
    return nests;
  };

  function makeNests({ iterations }: NestSizes, arrangements: readonly Arrangement[]): Nests {
    const split = [...iterations].filter(([, count]) => count > 1);
    return {
      count: arrangements.reduce((sum, { count }) => sum + count, 0n),
      at: (i) => {
        let left = i;
        const arrangement = arrangements.find(({ count }) => {
          if (left < count) return true;
          left -= count;
          return false;
        })!;
        const { occurrences, inner } = arrangement;
        const word = words.at(occurrences, left % arrangement.words);
        left /= arrangement.words;
        const counts = new Map<string, number[]>();
        for (const [dimension, count] of split) {
          const length = loopsOver(dimension, occurrences, inner);
          const ways = BigInt(factors.count(count, length));
          counts.set(dimension, [...factors.at(count, length, Number(left % ways))]);
          left /= ways;
        }
        return stepsOf(word, inner, counts);
      },
      indexOf: (nest) => {
        const first = innerFrom(nest, rules.inner);
        const word = wordOf(nest.slice(0, first));
        const inner = wordOf(nest.slice(first)).letters;
        const own = occurrencesOf(word.letters);
        let index = 0n;
        for (const each of arrangements) {
          if (!isSame(each, own, inner)) {
            index += each.count;
            continue;
          }
          const at = words.indexOf(word);
          if (at === undefined) return undefined;
          let [below, scale] = [at, each.words];
          for (const [dimension, count] of split) {
            const own = nest.flatMap((step) =>
              step.kind === 'loop' && step.dimension === dimension ? [step.count] : [],
            );
            if (own.reduce((all, factor) => all * factor, 1) !== count || own.includes(1)) return undefined;
            below += scale * BigInt(factors.indexOf(own));
            scale *= BigInt(factors.count(count, own.length));
          }
          return index + below;
        }
        return undefined;
      },
    };
  }
};

/** Where the loops of the microkernel begin: those innermost ones that are in its order. */
const innerFrom = (nest: readonly NestStep[], inner: readonly string[]): number => {
  let [from, place] = [nest.length, inner.length];
  for (const step of nest.toReversed()) {
    const at = step.kind === 'loop' ? inner.indexOf(step.dimension) : -1;
    if (at < 0 || at >= place) break;
    [from, place] = [from - 1, at];
  }
  return from;
};

const loopsOver = (dimension: string, occurrences: Occurrences, inner: readonly string[]): number =>
  (occurrences.get(dimension) ?? 0) + (inner.includes(dimension) ? 1 : 0);

/** A word and the loops of the microkernel, with their iterations, as a nest. */
const stepsOf = (
  { letters, layout }: NestWord,
  inner: readonly string[],
  counts: ReadonlyMap<string, number[]>,
): readonly NestStep[] => {
  const packedAt = (at: number): readonly NestStep[] =>
    (['input', 'filters'] as const)
      .filter((operand) => layout[operand] === at)
      .map((operand) => ({ kind: 'pack', operand }));
  const loop = (dimension: string): NestStep => ({
    kind: 'loop',
    dimension,
    count: counts.get(dimension)!.shift()!,
  });
  return [
    ...packedAt(0),
    ...letters.flatMap((letter, i): readonly NestStep[] => [
      letter === combined ? { kind: 'combination' } : loop(letter),
      ...packedAt(i + 1),
    ]),
    ...inner.map(loop),
  ];
};

const wordOf = (nest: readonly NestStep[]): NestWord => {
  const letters: string[] = [];
  const layout: Partial<Record<PackedOperand, number>> = {};
  for (const step of nest) {
    if (step.kind === 'pack') layout[step.operand] = letters.length;
    else letters.push(step.kind === 'combination' ? combined : step.dimension);
  }
  return { letters, layout };
};

const isSame = (each: Arrangement, occurrences: Occurrences, inner: readonly string[]): boolean => {
  const letters = new Set([...each.occurrences.keys(), ...occurrences.keys()]);
  return (
    each.inner.join() === inner.join() &&
    [...letters].every((letter) => (each.occurrences.get(letter) ?? 0) === (occurrences.get(letter) ?? 0))
  );
};
