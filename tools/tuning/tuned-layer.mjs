// @ts-check
/** Tunes a layer and keeps what was measured in a folder, so that a script that is stopped goes on where it was. */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import { target as targetNamed } from '@sconv/targets';
import { measured } from '@sconv/tuning';
import { detectHost, tune } from 'sconv/node';
import { convolutionPayload } from '../../packages/sconv/dist/convolution-payload.js';
import { shapeSet } from '../../packages/sconv/dist/bench/shape-sets.js';
import { specOfShape } from '../../packages/sconv/dist/spec-of-shape.js';

/** @typedef {import('sconv/node').TuneOptions} TuneOptions */
/** @typedef {import('sconv/node').TunedWorkload} TunedWorkload */
/** @typedef {{ readonly name: string, readonly shape: import('@sconv/csa').ConvolutionShape }} Layer */

/** The 23 layers of TT's Figure 8. @returns {readonly Layer[]} */
export const figure8 = () => (shapeSet('figure-8') ?? []).filter(({ name }) => /^(?:Yolo|ResNet)/.test(name));

/** The target of a name; `host` is this machine. @param {string} name */
export const targetOf = (name) => (name === 'host' ? detectHost().target : targetNamed(name));

/**
 * What tuning a layer comes to, with its records in a file of `folder` that is read first.
 *
 * @param {string} folder
 * @param {string} file
 * @param {Layer} layer
 * @param {TuneOptions} options
 * @returns {Promise<TunedWorkload>}
 */
export const tunedLayer = async (folder, file, { shape }, options) => {
  mkdirSync(folder, { recursive: true });
  const records = path.join(folder, `${file}.jsonl`);
  const payload = convolutionPayload({ ...specOfShape(shape), accumulate: false });
  const { workloads } = unwrap(
    await tune(payload, { ...options, records: { path: records, isResumed: existsSync(records) } }),
  );
  const [only] = workloads;
  if (only === undefined) throw new Error('a layer is one contraction');
  return only;
};

/** The least ratio of the last comparison; 1 for the untuned plan. @param {TunedWorkload} workload */
export const bestRatio = ({ finals }) =>
  Math.min(1, ...finals.map((record) => measured(record, 'ratio') ?? Infinity));

/** The times of all candidates over the untuned plan's, ascending. @param {TunedWorkload} workload */
export const ratiosOf = ({ records }) =>
  records.flatMap((record) => measured(record, 'ratio') ?? []).sort((a, b) => a - b);

/** @param {readonly number[]} numbers */
export const geometricMean = (numbers) =>
  Math.exp(numbers.reduce((sum, each) => sum + Math.log(each), 0) / numbers.length);

/** The rest of the time that a script may take, in seconds. @param {number} seconds */
export const timeLeft = (seconds) => {
  const end = Date.now() + 1000 * seconds;
  return () => (end - Date.now()) / 1000;
};
