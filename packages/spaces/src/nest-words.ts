/**
 * The nests of loops above a microkernel as words, outermost first: each band of a level of memory adds a part of one
 * of the kept orders. Different choices make the same nest, for loops of one iteration are left out; a nest is one
 * word, which is why it is words that are counted, by an automaton that reads each of them in one way.
 */
import type { PackedOperand } from '@sconv/plans';
import {
  choicesOf,
  outermost,
  placesBelow,
  type Layout,
  type PackingPlaces,
  type PackingRule,
} from './packing-places.ts';

/** A letter of a word: a loop over a dimension, or the place of a combination. */
export type NestLetter = string;

/** The place where a combination of two heights stands. */
export const combined = 'combination';

/** What nests there are. */
export interface NestRules {
  /** The kept orders of a band. */
  readonly orders: readonly (readonly string[])[];
  /** How many bands there are, one for each level of memory above the registers. */
  readonly bands: number;
  /** The dimensions of which the microkernel may have loops, in its order: sums stay in registers over them. */
  readonly inner: readonly string[];
  /** The dimension that a combination covers. */
  readonly height: string;
  readonly packing: Readonly<Record<PackedOperand, PackingRule>>;
  /** The dimension whose last tile is apart from the others, for it has padding. */
  readonly padded?: string | undefined;
}

/** How often each letter occurs. */
export type Occurrences = ReadonlyMap<NestLetter, number>;

/** A word, and where its operands are packed. */
export interface NestWord {
  readonly letters: readonly NestLetter[];
  readonly layout: Layout;
}

/** The words of given occurrences, in the order of their letters. */
export interface NestWords {
  readonly count: (occurrences: Occurrences) => bigint;
  readonly at: (occurrences: Occurrences, i: bigint) => NestWord;
  /** Undefined for a word that is none of these. */
  readonly indexOf: (word: NestWord) => bigint | undefined;
}

/** More bands than there are caches are no machine's. */
export const mostBands = 7;

/** Words by these rules. What has been counted is kept. */
export const nestWords = (rules: NestRules): NestWords => {
  const letters = [...(rules.orders[0] ?? []), combined].sort();
  const { first, after, layouts } = automaton(rules);
  const counts = new Map<number, bigint>();

  /** How many words go on from a state with the letters that are left, of which each has a digit. */
  const below = (state: number, left: number): bigint => {
    const key = state * radix ** letters.length + left;
    let count = counts.get(key);
    if (count === undefined) {
      count = left === 0 ? BigInt(layouts(state)) : 0n;
      for (const [, next, rest] of choices(state, left)) count += below(next, rest);
      counts.set(key, count);
    }
    return count;
  };

  /** The letters that may be next, with the states after them and what is left then. */
  function* choices(state: number, left: number): Generator<readonly [NestLetter, number, number]> {
    let [digit, more] = [1, left];
    for (const letter of letters) {
      const next = more % radix === 0 ? undefined : after(state, letter);
      if (next !== undefined) yield [letter, next, left - digit];
      digit *= radix;
      more = Math.floor(more / radix);
    }
  }

  const lettersOf = (occurrences: Occurrences): number =>
    letters.reduce((sum, letter, i) => sum + (occurrences.get(letter) ?? 0) * radix ** i, 0);

  return {
    count: (occurrences) => below(first, lettersOf(occurrences)),
    at: (occurrences, i) => {
      const word: NestLetter[] = [];
      let [state, left, skipped] = [first, lettersOf(occurrences), i];
      while (left > 0)
        for (const [letter, next, rest] of choices(state, left)) {
          const count = below(next, rest);
          if (skipped < count) {
            word.push(letter);
            [state, left] = [next, rest];
            break;
          }
          skipped -= count;
        }
      return { letters: word, layout: layoutsOf(rules, word)[Number(skipped)]! };
    },
    indexOf: ({ letters: word, layout }) => {
      const occurrences = occurrencesOf(word);
      if ([...occurrences].some(([letter, count]) => !letters.includes(letter) || count > mostBands))
        return undefined;
      let [state, left, index] = [first, lettersOf(occurrences), 0n];
      for (const letter of word) {
        let taken: readonly [NestLetter, number, number] | undefined;
        for (const choice of choices(state, left)) {
          if (choice[0] === letter) {
            taken = choice;
            break;
          }
          index += below(choice[1], choice[2]);
        }
        if (taken === undefined) return undefined;
        [, state, left] = taken;
      }
      const at = layoutsOf(rules, word).findIndex(
        ({ input, filters }) => input === layout.input && filters === layout.filters,
      );
      return layouts(state) === 0 || at < 0 ? undefined : index + BigInt(at);
    },
  };
};

const radix = mostBands + 1;

/** How often the letters of a word occur. */
export const occurrencesOf = (word: readonly NestLetter[]): Occurrences => {
  const occurrences = new Map<NestLetter, number>();
  for (const letter of word) occurrences.set(letter, (occurrences.get(letter) ?? 0) + 1);
  return occurrences;
};

/** The layouts of a nest, in the order of their numbers. */
const layoutsOf = (rules: NestRules, word: readonly NestLetter[]): readonly Layout[] => {
  let places: State['places'] = { input: outermost, filters: outermost };
  word.forEach((letter, i) => {
    places = placesAfter(rules, places, letter, i + 1);
  });
  const of = (operand: PackedOperand) => choicesOf(rules.packing[operand], places[operand]);
  return of('input').flatMap((input) =>
    of('filters').map((filters) => ({
      ...(input === undefined ? {} : { input }),
      ...(filters === undefined ? {} : { filters }),
    })),
  );
};

/** What the letters read so far allow. */
interface State {
  /** The outermost band that the word may be in; it may be in any inner one, too. */
  readonly band: number;
  /** The orders of that band that have the letters read from it, by their positions. */
  readonly alive: readonly number[];
  readonly last: NestLetter | undefined;
  /** Of the places only whether there are some. */
  readonly places: Readonly<Record<PackedOperand, PackingPlaces>>;
}

/** States by number, made when they are reached. */
const automaton = (rules: NestRules) => {
  const ids = new Map<string, number>();
  const states: State[] = [];
  const moves = new Map<string, number | undefined>();
  const idOf = (state: State): number => {
    const key = JSON.stringify(state);
    const id = ids.get(key) ?? states.push(state) - 1;
    ids.set(key, id);
    return id;
  };
  const after = (id: number, letter: NestLetter): number | undefined => {
    const key = `${id} ${letter}`;
    if (!moves.has(key)) {
      const next = nextState(rules, states[id]!, letter);
      moves.set(key, next === undefined ? undefined : idOf(next));
    }
    return moves.get(key);
  };
  const first = idOf({
    band: 0,
    alive: rules.orders.map((_, i) => i),
    last: undefined,
    places: { input: outermost, filters: outermost },
  });
  return {
    first,
    after,
    /** The layouts of a word that ends here; none if its last loop is one of the microkernel. */
    layouts: (id: number): number => {
      const { last, places } = states[id]!;
      if (last !== undefined && rules.inner.includes(last)) return 0;
      const of = (operand: PackedOperand) => choicesOf(rules.packing[operand], places[operand]).length;
      return of('input') * of('filters');
    },
  };
};

/** The state after a letter; undefined where no word goes on so. */
const nextState = (rules: NestRules, state: State, letter: NestLetter): State | undefined => {
  // Loops over one dimension, or a combination and a loop over its dimension, right inside of each other are one; so
  // they are with a packing between them, which packs as much as inside of both.
  const isMerged = letter === state.last || (state.last === combined && letter === rules.height);
  const alive = state.alive.filter(
    (order) => placeIn(rules, order, letter) > placeIn(rules, order, state.last),
  );
  const isSameBand = alive.length > 0;
  if (isMerged || (!isSameBand && state.band + 1 >= rules.bands)) return undefined;
  return {
    band: isSameBand ? state.band : state.band + 1,
    alive: isSameBand ? alive : rules.orders.map((_, i) => i),
    last: letter,
    places: placesAfter(rules, state.places, letter, 0),
  };
};

/** The place of a letter in an order; a combination stands right inside of its dimension. */
const placeIn = ({ orders, height }: NestRules, order: number, letter: NestLetter | undefined): number => {
  if (letter === undefined) return -1;
  return letter === combined ? orders[order]!.indexOf(height) + 0.5 : orders[order]!.indexOf(letter);
};

const placesAfter = (
  { packing, height, padded }: NestRules,
  places: State['places'],
  letter: NestLetter,
  depth: number,
): State['places'] => {
  const isCombination = letter === combined;
  const dimension = isCombination ? height : letter;
  // Both are a sequence of loops, not one.
  const isSplit = isCombination || letter === padded;
  const after = (operand: PackedOperand) =>
    placesBelow(packing[operand], places[operand], dimension, isSplit, depth);
  return { input: after('input'), filters: after('filters') };
};
