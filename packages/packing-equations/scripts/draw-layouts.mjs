/**
 * Draws the packed layouts of docs/packing-equations.md from the maps themselves:
 *
 *   node packages/packing-equations/scripts/draw-layouts.mjs
 */
import { writeFileSync } from 'node:fs';
import { evaluate } from '@sconv/affine';
import {
  absoluteInputMap,
  absoluteMultipackedInputMap,
  filterMultipackingMap,
} from '@sconv/packing-equations';

const docs = new URL('../../../docs/', import.meta.url);
const cell = 26;
const fills = ['#cfe3f7', '#fbe0c3', '#d5eccb', '#eed3ec', '#f6efb5', '#d9d9e8'];

/** A cell with a number, or an empty one. */
function drawCell(x, y, fill, label) {
  const text = `<text x="${x + cell / 2}" y="${y + cell / 2 + 3.5}" text-anchor="middle">${label}</text>`;
  return `<rect x="${x}" y="${y}" width="${cell}" height="${cell}" fill="${fill}" stroke="#777"/>${label === '' ? '' : text}`;
}

function drawText(x, y, text, anchor = 'start') {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;
}

function save(name, title, width, height, parts) {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `font-family="sans-serif" font-size="10" role="img"><title>${title}</title>` +
    `<rect width="${width}" height="${height}" fill="#fff"/>\n${parts.join('\n')}\n</svg>\n`;
  writeFileSync(new URL(name, docs), svg);
}

/** The input image, elements numbered from 0; those that the tile touches are coloured by row. */
function drawImage(geometry, rows, touched, x, y) {
  const parts = [drawText(x, y - 8, 'input, one channel')];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < geometry.inputWidth; column++) {
      const element = row * geometry.inputWidth + column;
      const fill = touched.has(element) ? fills[row % fills.length] : '#fff';
      parts.push(drawCell(x + column * cell, y + row * cell, fill, element));
    }
  }
  return parts;
}

/** The packed tile: a line per filter position, a column per window, and in each cell the source element. */
function drawPacked(geometry, windows, elementAt, x, y, title) {
  const parts = [drawText(x, y - 8, title)];
  for (let fh = 0; fh < geometry.filterHeight; fh++) {
    for (let fw = 0; fw < geometry.filterWidth; fw++) {
      const line = y + (fh * geometry.filterWidth + fw) * cell;
      parts.push(drawText(x - 6, line + cell / 2 + 3.5, `iFh ${fh}, iFw ${fw}`, 'end'));
      for (let window = 0; window < windows; window++) {
        const element = elementAt(fh, fw, window);
        const row = Math.floor(element / geometry.inputWidth);
        parts.push(drawCell(x + window * cell, line, fills[row % fills.length], element));
      }
    }
  }
  return parts;
}

function drawInputPacking(name, title, geometry, rows, windows, start) {
  const map = absoluteInputMap(geometry);
  const elementAt = (fh, fw, window) => evaluate(map, [0, fh, fw, window], [start])[1];
  const touched = new Set();
  for (let fh = 0; fh < geometry.filterHeight; fh++) {
    for (let fw = 0; fw < geometry.filterWidth; fw++) {
      for (let window = 0; window < windows; window++) touched.add(elementAt(fh, fw, window));
    }
  }
  const [left, top] = [90, 30];
  const below = top + rows * cell + 40;
  const height = below + geometry.filterHeight * geometry.filterWidth * cell + 20;
  const width = left + Math.max(geometry.inputWidth, windows) * cell + 20;
  const caption = `packed tile, stored line by line; columns are the windows ${start} … ${start + windows - 1}`;
  save(name, title, width, height, [
    ...drawImage(geometry, rows, touched, left, top),
    ...drawPacked(geometry, windows, elementAt, left, below, caption),
  ]);
}

const square = { filterHeight: 3, filterWidth: 3, strideH: 1, strideW: 1, dilationH: 1, dilationW: 1 };

drawInputPacking(
  'packing-one-row.svg',
  'Packing 16 windows of one row, filters of 3x3, strides of 1',
  { ...square, inputWidth: 18, outputWidth: 16 },
  3,
  16,
  0,
);
drawInputPacking(
  'packing-row-break.svg',
  'Packing 8 windows that go over the end of a row, filters of 3x3, strides of 2',
  { ...square, inputWidth: 13, outputWidth: 6, strideH: 2, strideW: 2 },
  7,
  8,
  3,
);

/** Nt tiles packed at once, side by side. */
function drawMultipacking() {
  const geometry = { ...square, filterHeight: 2, filterWidth: 2, inputWidth: 7, outputWidth: 6 };
  const [windows, tiles] = [4, 3];
  const map = absoluteMultipackedInputMap(geometry, windows);
  const [left, top] = [90, 30];
  const gap = 100;
  const parts = [];
  for (let tile = 0; tile < tiles; tile++) {
    const elementAt = (fh, fw, window) => evaluate(map, [tile, 0, fh, fw, window], [0])[1];
    const x = left + tile * (windows * cell + gap);
    parts.push(...drawPacked(geometry, windows, elementAt, x, top, `iNt = ${tile}`));
  }
  const width = left + tiles * (windows * cell + gap) - gap + 20;
  save(
    'packing-multipacking.svg',
    'Three tiles of four windows, packed at once',
    width,
    top + 4 * cell + 20,
    parts,
  );
}
drawMultipacking();

/** Filter tiles: a line per packed position (iNc, iFh, iFw), a column per filter, tiles side by side. */
function drawFilterPacking() {
  const [filters, tiles, channels, height, width] = [4, 2, 2, 1, 3];
  const map = filterMultipackingMap(filters);
  const [left, top] = [110, 30];
  const gap = 120;
  const parts = [];
  for (let tile = 0; tile < tiles; tile++) {
    const x = left + tile * (filters * cell + gap);
    parts.push(drawText(x, top - 8, `filters of tile iNt = ${tile}`));
    for (let line = 0; line < channels * height * width; line++) {
      const [c, fw] = [Math.floor(line / width), line % width];
      parts.push(drawText(x - 6, top + line * cell + cell / 2 + 3.5, `iNc ${c}, iFw ${fw}`, 'end'));
      for (let f = 0; f < filters; f++) {
        const [filter, channel, , column] = evaluate(map, [tile, c, 0, fw, f]);
        const element = (filter * channels + channel) * width + column;
        parts.push(drawCell(x + f * cell, top + line * cell, fills[filter % fills.length], element));
      }
    }
  }
  const total = left + tiles * (filters * cell + gap) - gap + 80;
  save(
    'packing-filters.svg',
    'Two tiles of four filters, two channels of 1x3',
    total,
    top + 6 * cell + 20,
    parts,
  );
}
drawFilterPacking();
