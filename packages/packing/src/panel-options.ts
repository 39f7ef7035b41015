import type { PackedPanels } from './pack-operand.ts';

/** How packed windows or filters are divided. */
export interface PanelOptions {
  /**
   * The width of the panels that the microkernel takes, in elements. Panels are stored one behind the other; a tile that is no
   * wider than one is one panel. Default: one panel, whatever the tile's size.
   */
  readonly panel?: number | undefined;
}

/** The panels of a tile of `size`; `uneven` where they do not divide it. Throws for a width that is none. */
export const panelsOf = (
  { panel }: PanelOptions,
  size: number,
  at: number,
): PackedPanels | 'uneven' | undefined => {
  if (panel === undefined) return undefined;
  if (!Number.isSafeInteger(panel) || panel < 1)
    throw new RangeError(`a panel has at least one element, not ${panel}`);
  if (size <= panel) return undefined;
  return size % panel === 0 ? { width: panel, at } : 'uneven';
};
