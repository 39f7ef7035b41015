/** What is wrong with an attribute that has to be a permutation; `show` puts its numbers in the words of the op. */
export function* permutationErrors(
  name: string,
  positions: readonly number[],
  show = (text: string): string => text,
): Generator<string> {
  if (!positions.every((_, i) => positions.includes(i)))
    yield `expects ${name} to be a permutation, found ${show(positions.join(', '))}`;
}
