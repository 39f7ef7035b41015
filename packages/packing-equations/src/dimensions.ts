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

/** The position of each dimension of a plan among those of a linearised convolution. */
export const fusedPositions = {
  batch: dimensions.batch,
  filters: dimensions.filter,
  windows: dimensions.window,
  channels: dimensions.channel,
} as const;

/** The same of a convolution whose rows and columns are apart; its taps can be tiled. */
export const openPositions = {
  batch: 0,
  filters: 1,
  rows: 2,
  columns: 3,
  channels: 4,
  tapRows: 5,
  tapColumns: 6,
} as const;
