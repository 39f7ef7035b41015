/** Pads an interchange with the identity. */
export const padded = (interchange: readonly number[], rank: number): readonly number[] => [
  ...interchange,
  ...Array.from({ length: rank }, (_, position) => position).slice(interchange.length),
];
