/** Input checks of planning, for untyped callers and for names from a command line. */

import { describeValue, unknownName } from '@sconv/diagnostics';
import { costModelNames } from './cost.ts';
import { edgeChoices } from './edges.ts';
import { CsaError, expectRecord } from './errors.ts';
import { heuristics } from './heuristics.ts';
import type { PlanOptions, PlanTarget } from './plan.ts';
import type { ConvolutionShape } from './shape.ts';

/** Requires a field to be a record; `source` tells how to obtain one. */
const record = (field: string, value: unknown, source: string): object => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new CsaError('csa/not-a-record', field, `expected ${source}, not ${describeValue(value)}`);
};

/** Refuses what is no plan, such as the shape that it is made for. */
export const checkPlanRecord = (plan: unknown): void => {
  const source = 'a plan, as planConvolution and planForTarget give one';
  if (!('microkernel' in record('plan', plan, source)))
    throw new CsaError('csa/not-a-record', 'plan', `expected ${source}, without a microkernel it is none`);
  expectRecord('plan', plan, 'shape', 'microkernel', 'tree', 'candidates');
};

/** The numbers of every shape; NaN would pass through the cost models unnoticed. */
const shapeNumbers = [
  'batch',
  'inputChannels',
  'inputHeight',
  'inputWidth',
  'filters',
  'filterHeight',
  'filterWidth',
  'groups',
  'elementBytes',
  'outputHeight',
  'outputWidth',
] as const satisfies readonly (keyof ConvolutionShape)[];

/** Refuses values that are not shapes, e.g. text, which `parseShape` reads. */
export const checkShape = (shape: ConvolutionShape): void => {
  const source = 'a shape, as parseShape and convolution give one';
  record('shape', shape, source);
  const missing = shapeNumbers.find((name) => !Number.isSafeInteger(shape[name]) || shape[name] < 1);
  if (missing !== undefined) {
    const message = `expected ${source}, with a positive ${missing}, not ${describeValue(shape[missing])}`;
    throw new CsaError('csa/not-a-record', 'shape', message);
  }
  for (const [name, sizes] of Object.entries(shapePairs)) {
    const given: Readonly<Record<string, unknown>> = {
      ...record(name, shape[name as keyof typeof shapePairs], source),
    };
    const wrong = sizes.find((size) => !Number.isSafeInteger(given[size]));
    if (wrong === undefined) continue;
    const message = `expected ${source}, with an integer ${name}.${wrong}, not ${describeValue(given[wrong])}`;
    throw new CsaError('csa/not-a-record', 'shape', message);
  }
};

const shapePairs = {
  strides: ['h', 'w'],
  dilations: ['h', 'w'],
  padding: ['top', 'bottom', 'left', 'right'],
} as const;

const known = {
  schedule: ['is', 'ws'],
  heuristic: heuristics,
  costModel: costModelNames,
  edges: edgeChoices,
} as const;

const optionNames = [
  'schedule',
  'heuristic',
  'costModel',
  'fractions',
  'edges',
] as const satisfies readonly (keyof PlanOptions)[];

/** Refuses unknown fields of an options record; undefined ones are harmless. */
const checkFields = (options: object, names: readonly string[], prefix = ''): void => {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || names.includes(name)) continue;
    throw new CsaError('csa/unknown-option', prefix + name, unknownName('option', name, names));
  }
};

/** Refuses unknown options and unknown names. */
export const checkOptions = (options: PlanOptions): void => {
  checkFields(record('options', options, 'an object of options'), optionNames);
  for (const field of ['schedule', 'heuristic', 'costModel', 'edges'] as const) {
    const name = options[field];
    if (name === undefined || known[field].some((each) => each === name)) continue;
    const message = unknownName(field, name, known[field]);
    throw new CsaError('csa/unknown-name', field, message);
  }
  if (options.fractions === undefined) return;
  checkFields(
    record('fractions', options.fractions, 'shares of l1, l2 and l3'),
    ['l1', 'l2', 'l3'],
    'fractions.',
  );
};

/** Refuses values that are not targets, e.g. a target's name. */
export const checkTarget = (target: PlanTarget): void => {
  record('target', target, "a target, as target('wasm') of @sconv/targets gives one");
  record('target.machine', target.machine, 'a machine');
  record('target.machine.cache', target.machine.cache, 'its caches');
  record('target.microkernel', target.microkernel, 'windows and filters');
};
