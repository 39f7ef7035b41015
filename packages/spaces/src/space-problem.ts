/**
 * What the schemes of a space are of: a contraction as it lies, or with rows and columns counted as one dimension.
 */
import { constant, dim, makeMap, substitute, usedDims } from '@sconv/affine';
import type { Contraction, ContractionOperand } from '@sconv/plans';
import { hasEvenWindows } from '@sconv/plans';
import { letterOf } from '@sconv/schemes';

/** A contraction as loops see it, and the letters of its dimensions. */
export interface SpaceProblem {
  readonly contraction: Contraction;
  readonly letterOf: (dimension: string) => string;
  /** Whether the input can be read where it lies, as far as its windows go. */
  readonly isInputEven: boolean;
}

/** Whether a contraction is a matrix product: its filters have no taps, not even one. */
export const isProduct = ({ dimensions, operands: [, filters] }: Contraction): boolean =>
  !usedDims(filters.map).some((position) => dimensions[position]!.name.startsWith('tap'));

/** As it lies, with the letters of a convolution. */
export const openProblem = (contraction: Contraction): SpaceProblem => ({
  contraction,
  letterOf,
  isInputEven: true,
});

/** With windows through all rows, and taps that are whole: as a matrix product, with its letters. */
export const fusedProblem = (contraction: Contraction): SpaceProblem => {
  const { dimensions, operands } = contraction;
  const extentOf = (name: string): number => dimensions.find((each) => each.name === name)?.extent ?? 1;
  const [rows, columns] = [extentOf('rows'), extentOf('columns')];
  const kept = dimensions.filter(({ name }) => !['columns', 'tapRows', 'tapColumns'].includes(name));
  const positions = new Map(kept.map(({ name }, i) => [name, i]));
  // Neighbouring windows are neighbours in their row.
  positions.set(columns > 1 ? 'columns' : 'rows', positions.get('rows')!);
  if (columns > 1) positions.delete('rows');
  const dims = dimensions.map(({ name }) => {
    const position = positions.get(name);
    return position === undefined ? constant(0) : dim(position);
  });
  const fused = (operand: ContractionOperand): ContractionOperand => ({
    ...operand,
    map: makeMap(
      kept.length,
      0,
      operand.map.results.map((expr) => substitute(expr, { dims })),
    ),
  });
  const [input, filters, output] = operands;
  const letters: Readonly<Record<string, string>> = {
    batch: 'b',
    // A batch of products is one of groups.
    group: extentOf('batch') === 1 ? 'b' : 'g',
    filters: 'i',
    windows: 'j',
    channels: 'k',
  };
  return {
    contraction: {
      ...contraction,
      dimensions: kept.map((each) =>
        each.name === 'rows' ? { ...each, name: 'windows', extent: rows * columns } : each,
      ),
      operands: [fused(input), fused(filters), fused(output)],
    },
    letterOf: (dimension) => letters[dimension] ?? dimension,
    isInputEven: hasEvenWindows(contraction),
  };
};

/** Whether filters fill no whole vectors. */
export const arePadded = ({ contraction }: SpaceProblem, lanes: number): boolean =>
  contraction.dimensions.some(({ name, extent }) => name === 'filters' && extent % lanes !== 0);
