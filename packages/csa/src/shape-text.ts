/**
 * Shapes as text: `1x32x152x152,256x32x3x3,s2,p1` is the input (NxCxHxW) and the filters (FxCxHxW), then in any order
 * strides `s` and dilations `d` (`s2` or `s2x1`: height, width), padding `p` (`p1`, `p1x2`: height, width, or
 * `p1x1x2x2`: top, bottom, left, right), groups `g` and the element type.
 */

import { describeValue, didYouMean } from '@sconv/diagnostics';
import { elementTypes, isElementType } from '@sconv/targets';
import { CsaError } from './errors.ts';
import { checkShape } from './plan-input.ts';
import {
  convolution,
  type ConvolutionFields,
  type ConvolutionShape,
  type Extent2,
  type Padding,
} from './shape.ts';

const numbers = (field: string, text: string): number[] =>
  text.split('x').map((part) => {
    if (/^\d{1,15}$/.test(part)) return Number(part);
    throw new CsaError('csa/syntax', field, `expected a number, found '${part}' in '${text}'`);
  });

const four = (field: string, text: string | undefined, form: string): [number, number, number, number] => {
  if (text === undefined) throw new CsaError('csa/syntax', field, `missing; write it as ${form}`);
  const sizes = numbers(field, text);
  if (sizes.length !== 4) {
    throw new CsaError('csa/syntax', field, `'${text}' is not of the form ${form}`);
  }
  return sizes as [number, number, number, number];
};

const pair = (field: string, text: string): Extent2 => {
  const [h, w, ...rest] = numbers(field, text);
  if (h === undefined || rest.length > 0) {
    throw new CsaError('csa/syntax', field, `'${text}' is neither one number nor HEIGHTxWIDTH`);
  }
  return { h, w: w ?? h };
};

const paddingOf = (text: string): Padding => {
  const sides = numbers('padding', text);
  const [top, second, third, fourth] = sides;
  if (top !== undefined && sides.length === 4) {
    return { top, bottom: second ?? 0, left: third ?? 0, right: fourth ?? 0 };
  }
  const { h, w } = pair('padding', text);
  return { top: h, bottom: h, left: w, right: w };
};

const option = (text: string): [keyof ConvolutionFields, Partial<ConvolutionFields>] => {
  if (isElementType(text)) return ['elementType', { elementType: text }];
  const rest = text.slice(1);
  switch (text.charAt(0)) {
    case 's':
      return ['strides', { strides: pair('strides', rest) }];
    case 'd':
      return ['dilations', { dilations: pair('dilations', rest) }];
    case 'p':
      return ['padding', { padding: paddingOf(rest) }];
    case 'g': {
      const [groups, ...more] = numbers('groups', rest);
      if (groups !== undefined && more.length === 0) return ['groups', { groups }];
    }
  }
  throw new CsaError(
    'csa/syntax',
    'shape',
    `'${text}' is no option: sSTRIDE, dDILATION, pPADDING, gGROUPS or an element type${didYouMean(text, elementTypes)}`,
  );
};

/** Parses a shape; throws `CsaError` naming the offending part. */
export const parseShape = (text: string): ConvolutionShape => {
  const given: unknown = text;
  if (typeof given !== 'string') {
    throw new CsaError('csa/syntax', 'shape', `expected text, not ${describeValue(given)}`);
  }
  const [input, filters, ...options] = text.split(',').map((part) => part.trim());
  const [batch, inputChannels, inputHeight, inputWidth] = four('input', input, 'NxCxHxW');
  const [count, channels, filterHeight, filterWidth] = four('filters', filters, 'FxCxHxW');
  let fields: ConvolutionFields = {
    batch,
    inputChannels,
    inputHeight,
    inputWidth,
    filters: count,
    filterHeight,
    filterWidth,
  };
  const seen = new Set<string>();
  for (const text of options) {
    const [name, value] = option(text);
    if (seen.has(name)) throw new CsaError('csa/syntax', name, `given twice, the second time as '${text}'`);
    seen.add(name);
    fields = { ...fields, ...value };
  }
  const shape = convolution(fields);
  if (channels * shape.groups === shape.inputChannels) return shape;
  throw new CsaError(
    'csa/channels',
    'filters',
    `${channels} channels a filter, but the input has ${shape.inputChannels} in ${shape.groups} group(s)`,
  );
};

const each = (prefix: string, values: readonly number[], neutral: number): string[] => {
  if (values.every((value) => value === neutral)) return [];
  const [first] = values;
  return [prefix + (values.every((value) => value === first) ? String(first) : values.join('x'))];
};

/** Inverse of `parseShape`. */
export const printShape = (shape: ConvolutionShape): string => {
  checkShape(shape);
  const { strides, dilations, padding } = shape;
  return [
    [shape.batch, shape.inputChannels, shape.inputHeight, shape.inputWidth].join('x'),
    [shape.filters, shape.inputChannels / shape.groups, shape.filterHeight, shape.filterWidth].join('x'),
    ...each('s', [strides.h, strides.w], 1),
    ...each('d', [dilations.h, dilations.w], 1),
    ...each('p', [padding.top, padding.bottom, padding.left, padding.right], 0),
    ...(shape.groups === 1 ? [] : [`g${shape.groups}`]),
    ...(shape.elementType === 'f32' ? [] : [shape.elementType]),
  ].join(',');
};
