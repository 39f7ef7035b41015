/** Rows of ConvBench's CSV files (Alvarenga et al., MLArchSys 2024). */

import { describeValue } from '@sconv/diagnostics';
import { CsaError, expectRecord } from './errors.ts';
import { convolution, type ConvolutionShape } from './shape.ts';

/** One row, by column name. */
export type ConvbenchRow = Readonly<Record<string, string>>;

/** The rows of a CSV file with a header line. */
export const parseCsv = (text: string): readonly ConvbenchRow[] => {
  if (typeof (text as unknown) !== 'string')
    throw new CsaError('csa/syntax', 'csv', `expected text, not ${describeValue(text)}`);
  const [header, ...lines] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const names = (header ?? '').split(',').map((name) => name.trim());
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, (cells[index] ?? '').trim()]));
  });
};

const cell = (row: ConvbenchRow, column: string): number => {
  const text = row[column];
  if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text);
  throw new CsaError(
    'csa/column',
    column,
    text === undefined ? 'no such column' : `'${text}' is not a number`,
  );
};

/**
 * The convolution of a row. ConvBench counts input channels (CI) over all groups. Refuses a row whose output size (HO,
 * WO) does not follow from its other columns.
 */
export const shapeFromConvbench = (row: ConvbenchRow): ConvolutionShape => {
  expectRecord('row', row);
  const shape = convolution({
    batch: cell(row, 'NI'),
    inputChannels: cell(row, 'CI'),
    inputHeight: cell(row, 'HI'),
    inputWidth: cell(row, 'WI'),
    filters: cell(row, 'DO'),
    filterHeight: cell(row, 'HK'),
    filterWidth: cell(row, 'WK'),
    strides: { h: cell(row, 'HS'), w: cell(row, 'WS') },
    dilations: { h: cell(row, 'HD'), w: cell(row, 'WD') },
    padding: {
      top: cell(row, 'HPTOP'),
      bottom: cell(row, 'HPBOTTOM'),
      left: cell(row, 'WPLEFT'),
      right: cell(row, 'WPRIGHT'),
    },
    groups: cell(row, 'GROUP'),
  });
  const outputs: readonly (readonly [string, number])[] = [
    ['HO', shape.outputHeight],
    ['WO', shape.outputWidth],
  ];
  for (const [column, extent] of outputs) {
    if (cell(row, column) !== extent) {
      throw new CsaError(
        'csa/output-size',
        column,
        `${cell(row, column)}, but the other columns give ${extent}`,
      );
    }
  }
  return shape;
};
