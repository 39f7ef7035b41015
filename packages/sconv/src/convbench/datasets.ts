/** The convolutions of ConvBench by name, and others from CSV files of the same form. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { ConvolutionShape } from '@sconv/csa';
import { CsaError, parseCsv, parseShape, printShape, shapeFromConvbench } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, definite, error, fileLocation, success } from '@sconv/diagnostics';
import { readSource } from '../console.ts';
import { packageFile } from '../package-file.ts';

/** A convolution of a dataset. */
export interface DatasetRow {
  /** `regular:12`: the dataset, and the row's ID in it. */
  readonly name: string;
  readonly dataset: string;
  readonly shape: ConvolutionShape;
  /** The shape as text: equal for rows with the same convolution. */
  readonly text: string;
}

/** Those shipped with the package: ConvBench's 7922 convolutions are the first three. */
export const datasetNames = ['pointwise', 'rectangular', 'regular', 'grouped'] as const;

const isDatasetName = (word: string): boolean => (datasetNames as readonly string[]).includes(word);

/** The rows of datasets, each a name or the path of a CSV file; row names are unique. */
export const readDatasets = (words: readonly string[]): Diagnosed<readonly DatasetRow[]> =>
  andThen(collect([...new Set(words)], readDataset), (datasets) => success(datasets.flat()));

const readDataset = (word: string): Diagnosed<readonly DatasetRow[]> =>
  isDatasetName(word) ? success(namedRows(word)) : csvRows(word);

const namedRows = (dataset: string): readonly DatasetRow[] =>
  readFileSync(packageFile(`convbench/${dataset}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [id = '', text = ''] = line.split(' ');
      return { name: `${dataset}:${id}`, dataset, shape: parseShape(text), text };
    });

/** Rows of a file are named by file name and line. */
const csvRows = (path: string): Diagnosed<readonly DatasetRow[]> =>
  andThen(readSource(path), ({ text }) => {
    const dataset = basename(path).replace(/\.csv$/, '');
    return collect([...parseCsv(text).entries()], ([i, row]): Diagnosed<DatasetRow> => {
      try {
        const shape = shapeFromConvbench(row);
        return success({ name: `${dataset}:${row['ID'] ?? i}`, dataset, shape, text: printShape(shape) });
      } catch (problem) {
        if (!(problem instanceof CsaError)) throw problem;
        const message = `no convolution of ConvBench: ${problem.message}`;
        return definite(error('convbench/row', message, fileLocation(path, i + 2, 1)));
      }
    });
  });
