/** Draws from a seeded generator, reproducible on every machine. */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A source of draws. */
export interface Random {
  /** An integer from `low` to `high`, inclusive. */
  integer(low: number, high: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** An item of a nonempty list. */
  pick<T>(items: readonly T[]): T;
  /** The item of one of these pairs, with probability proportional to its weight; undefined without pairs. */
  weighted<T>(items: readonly (readonly [weight: number, item: T])[]): T | undefined;
  /** The items in random order. */
  shuffled<T>(items: readonly T[]): readonly T[];
}

/** Discarded outputs: generators of adjacent seeds start alike. */
const warmUp = 20;

/** The draws of payload `index` of a seed, independent of other payloads. */
export const randomOf = (seed: number, index: number): Random => {
  const generator = xoroshiro128plus(Math.imul(seed, 0x9e3779b1) ^ index);
  for (let i = 0; i < warmUp; i++) generator.next();
  const integer = (low: number, high: number): number => uniformInt(generator, low, high);
  const unit = (): number => integer(0, 2 ** 30 - 1) / 2 ** 30;
  return {
    integer,
    chance: (probability) => unit() < probability,
    pick: (items) => items[integer(0, items.length - 1)]!,
    weighted: (items) => {
      const total = items.reduce((sum, [weight]) => sum + weight, 0);
      let left = unit() * total;
      for (const [weight, item] of items) {
        left -= weight;
        if (left < 0) return item;
      }
      return items.at(-1)?.[1];
    },
    shuffled: (items) => {
      const result = [...items];
      for (let i = result.length - 1; i > 0; i--) {
        const j = integer(0, i);
        [result[i], result[j]] = [result[j]!, result[i]!];
      }
      return result;
    },
  };
};
