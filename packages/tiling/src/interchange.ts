/** An interchange with the identity for the positions that it does not name. */
export const padded = (interchange: readonly number[], rank: number): readonly number[] => [
  ...interchange,
  ...Array.from({ length: rank }, (_, position) => position).slice(interchange.length),
];
