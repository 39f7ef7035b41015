/** Errors of an attribute that must be a permutation; `show` formats its numbers as the op does. */
export function* permutationErrors(
  name: string,
  positions: readonly number[],
  show = (text: string): string => text,
): Generator<string> {
  if (!positions.every((_, i) => positions.includes(i)))
    yield `expects ${name} to be a permutation, found ${show(positions.join(', '))}`;
}
