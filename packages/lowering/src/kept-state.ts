/** What code and its loader agree on: `@sconv/lowering/kept-state`, without the compiler. */

/** The `state` of a kept packing: no memory provided, to be filled, or filled. */
export const keptState = { none: 0, fill: 1, full: 2 } as const;
