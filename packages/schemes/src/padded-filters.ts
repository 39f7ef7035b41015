/**
 * Filters that fill no vector, or no microkernel. The last tile of them then has fewer, packed with padding, so that
 * its vectors are whole: 28,269 filters are 883 tiles of 32, and one of 13 in a vector of 16 (TT §7 pads the layer).
 */
import type { Letters } from './dimensions.ts';
import { leafFrom } from './leaf.ts';
import type { Nest, Sizes } from './nest.ts';
import { sizesOf } from './nest.ts';

/** The last tiles of filters of a scheme. */
export interface LastFilters {
  /** How many filters the smallest of the microkernels covers that compute them. */
  readonly size: number;
  /** Whether all of these read filters that are packed for them alone. */
  readonly arePacked: boolean;
}

/** The letter of the filters. */
export const filtersLetter = ({ dimensions }: Letters): string =>
  Object.keys(dimensions).find((letter) => dimensions[letter] === 'filters')!;

/** The microkernels at the end of the filters; undefined if one of them has no vectors along these. */
export const lastFilters = (
  nest: Nest,
  letters: Letters,
  extents: Sizes,
  arePacked = false,
): LastFilters | undefined => {
  const { steps, sequence } = nest;
  const letter = filtersLetter(letters);
  const leaf = sequence === undefined ? leafFrom(steps, letters.reduced) : steps.length;
  let isPacked = arePacked;
  for (const step of steps.slice(0, leaf)) {
    if (step.kind === 'P') isPacked ||= step.operand === 'filters';
    // What is packed outside of a loop over tiles is several of them.
    else if (step.dimension === letter) isPacked = false;
  }
  if (sequence === undefined) {
    const last = steps.at(-1);
    if (last?.kind !== 'V' || last.dimension !== letter) return undefined;
    return { size: sizesOf(nest, extents, leaf)[letter]!, arePacked: isPacked };
  }
  const isAlongFilters = sequence.dimension === letter;
  const parts = isAlongFilters ? sequence.parts.slice(-1) : sequence.parts;
  const ofParts = parts.map((part) => lastFilters(part.nest, letters, extents, isPacked && !isAlongFilters));
  const known = ofParts.filter((each) => each !== undefined);
  if (known.length < ofParts.length) return undefined;
  return {
    size: Math.min(...known.map(({ size }) => size)),
    arePacked: known.every((each) => each.arePacked),
  };
};
