import type { PackedPanels } from './pack-operand.ts';

/** How packed windows or filters are split into panels. */
export interface PanelOptions {
  /**
   * The microkernel's panel width in elements. Panels are stored one after the other; a tile no wider than a panel is
   * one panel. Default: a single panel of any size.
   */
  readonly panel?: number | undefined;
}

/** The panels of a tile of `size`; `uneven` if the width does not divide it. Throws for an invalid width. */
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
