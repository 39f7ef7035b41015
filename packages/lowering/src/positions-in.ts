/** All positions in a box of these sizes, in row-major order. */
export const positionsIn = (sizes: readonly number[]): readonly (readonly number[])[] =>
  sizes.reduce<readonly (readonly number[])[]>(
    (all, size) => all.flatMap((head) => Array.from({ length: size }, (_, i) => [...head, i])),
    [[]],
  );
