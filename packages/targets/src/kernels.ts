import type { Microkernel } from './microkernel.ts';
import { openblasPanels } from './openblas.ts';
import { expectRecord, TargetError } from './target-error.ts';

/** An OpenBLAS kernel and the tile that it is called for. */
export interface OpenblasTile {
  /** The suffix of its symbol: `HASWELL`, `SKYLAKEX`, … */
  readonly core: string;
  readonly windows: number;
  readonly filters: number;
  readonly source: string;
}

/**
 * The descriptor of a call to `sgemm_kernel_<core>`: windows are its m, filters its n. Throws `TargetError` for a core
 * with unknown panels.
 */
export const openblasKernel = (tile: OpenblasTile): Microkernel => {
  expectRecord('tile', tile);
  const symbol = `sgemm_kernel_${tile.core}`;
  const panels = openblasPanels(symbol);
  if (panels === undefined)
    throw new TargetError('targets/unknown-core', 'core', `the panels of ${symbol} are not known`);
  return {
    kind: 'microkernel',
    name: `openblas-${tile.core.toLowerCase()}-${tile.windows}x${tile.filters}`,
    windows: tile.windows,
    filters: tile.filters,
    panels: { windows: panels.windows, filters: panels.filters },
    vectorized: tile.core === 'POWER10' ? 'both' : 'windows',
    elementType: panels.elementType,
    generation: 'openblas',
    symbol,
    source: tile.source,
  };
};

/** A tile generated through MLIR's vector dialect, with each operand in one panel. */
export const vectorKernel = (windows: number, filters: number, source: string): Microkernel => ({
  kind: 'microkernel',
  name: `vector-${windows}x${filters}`,
  windows,
  filters,
  panels: { windows, filters },
  vectorized: 'windows',
  elementType: 'f32',
  generation: 'vector-dialect',
  source,
});

/**
 * The same for all windows of a small output, one more than vectors take: its last window has lanes along the
 * filters. It takes several passes, and `steps` per call leave its panels in L1.
 */
export const imageKernel = (
  windows: number,
  filters: number,
  { steps, registerTile }: Pick<Microkernel, 'steps' | 'registerTile'>,
  source: string,
): Microkernel => ({
  ...vectorKernel(windows, filters, source),
  ...(steps === undefined ? {} : { steps }),
  ...(registerTile === undefined ? {} : { registerTile }),
});

/** The same with vectors of filters, for a few windows: its output is transposed. */
export const filterVectorKernel = (...tile: Parameters<typeof vectorKernel>): Microkernel => ({
  ...vectorKernel(...tile),
  vectorized: 'filters',
});
