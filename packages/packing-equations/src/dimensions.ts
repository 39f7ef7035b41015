/** The iteration dimensions of a convolution whose windows are linearised. */

/** Positions of (iN, iF, iN_win, iN_c, iF_h, iF_w) in the loops of a linearised convolution (ST Listing 2). */
export const dimensions = {
  batch: 0,
  filter: 1,
  window: 2,
  channel: 3,
  filterRow: 4,
  filterColumn: 5,
} as const;
