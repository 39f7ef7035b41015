/** Packing by definition: loops over rows, columns and channels, without affine maps. */
import type { Geometry, TileSizes } from '../src/index.ts';

/** The element of the packed input tile and the (channel, row, column) of the image it comes from. */
export function packInput(
  g: Geometry,
  sizes: Pick<TileSizes, 'channels' | 'windows'>,
  start: number,
): { packed: number[]; channel: number; row: number; column: number }[] {
  const elements = [];
  for (let channel = 0; channel < sizes.channels; channel++) {
    for (let fh = 0; fh < g.filterHeight; fh++) {
      for (let fw = 0; fw < g.filterWidth; fw++) {
        let outputRow = 0;
        let outputColumn = 0;
        for (let skipped = 0; skipped < start; skipped++)
          [outputRow, outputColumn] = nextWindow(g, outputRow, outputColumn);
        for (let w = 0; w < sizes.windows; w++) {
          elements.push({
            packed: [channel, fh, fw, w],
            channel,
            row: outputRow * g.strideH + fh * g.dilationH,
            column: outputColumn * g.strideW + fw * g.dilationW,
          });
          [outputRow, outputColumn] = nextWindow(g, outputRow, outputColumn);
        }
      }
    }
  }
  return elements;
}

function nextWindow(g: Geometry, row: number, column: number): [number, number] {
  return column + 1 === g.outputWidth ? [row + 1, 0] : [row, column + 1];
}
