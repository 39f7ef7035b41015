import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { transforms } from '../src/transforms.ts';
import { codesIn } from './payloads.ts';

const apply = scriptTester(transforms, { difference: firstDifference });

const any = '!transform.any_op';
const negated = (
  size: string,
): string => `func.func @f(%a: tensor<${size}xf32>, %b: tensor<${size}xf32>) -> tensor<${size}xf32> {
  %0 = linalg.negf ins(%a : tensor<${size}xf32>) outs(%b : tensor<${size}xf32>) -> tensor<${size}xf32>
  return %0 : tensor<${size}xf32>
}`;
const match = (op: string): string =>
  `%op = transform.structured.match ops{["${op}"]} in %root : (${any}) -> ${any}\n`;
const sizes = (attributes: string, type: string, op = 'linalg.negf'): string =>
  `${match(op)}%low, %high, %point = transform.structured.multitile_sizes %op {${attributes}} : (${any}) -> ${type}\n`;
const param = '!transform.param<i64>';
const tiled = (type: string): string =>
  `%t, %l = transform.structured.tile_using_for %op tile_sizes [%high] : (${any}, ${type}) -> (${any}, ${any})`;

describe('transform.structured.multitile_sizes', () => {
  it.each([
    // 13 elements in ceil(13 / 4) = 4 tiles: 3 of 3 and one of 4.
    ['13', 'dimension = 0, target_size = 4', 4],
    // 24 elements in units of 2 and tiles of about 10: 3 tiles of 8, so that larger ones would have 10.
    ['24', 'dimension = 0, target_size = 10, divisor = 2', 10],
    ['1', 'dimension = 0, target_size = 4', 2],
  ])('finds for %s elements with {%s} the larger size %d', (size, attributes, high) => {
    const { diagnostics, text } = apply(negated(size), sizes(attributes, param) + tiled(param));
    expect(codesIn(diagnostics)).toEqual(size === '1' ? ['tile/beyond-extent'] : []);
    expect(text).toContain(`arith.constant ${high} : index`);
  });

  it.each(['13', '?'])('computes sizes for %s elements in the payload, and asserts that they fit', (size) => {
    const { diagnostics, text } = apply(
      negated(size),
      sizes('dimension = 0, target_size = 4', any) + tiled(any),
    );
    expect(diagnostics).toBe('');
    expect(text).toContain('cf.assert');
  });

  it.each([0, 1, 4, 10])('computes sizes that fit for %d elements, a multiple of 2 or not', (dynamicSize) => {
    const differing = scriptTester(transforms, {
      difference: (before, after) => firstDifference(before, after, { dynamicSize }),
    });
    const script = sizes('dimension = 0, target_size = 4, divisor = 2', any);
    const tiled = `%t, %l = transform.structured.tile_using_for %op tile_sizes [%low] : (${any}, ${any}) -> (${any}, ${any})
%u, %k = transform.structured.tile_using_for %t tile_sizes [%high] : (${any}, ${any}) -> (${any}, ${any})`;
    const run = () => differing(negated('?'), script + tiled);
    if (dynamicSize === 1) expect(run).toThrow('could not compute dynamic multi-size tile shapes');
    else expect(run().diagnostics).toBe('');
  });

  it.each([
    ['tile/multitile', '13', 'dimension = 1, target_size = 4', param],
    ['tile/multitile', '13', 'dimension = 1, target_size = 4', any],
    ['tile/multitile', '13', 'dimension = 0, target_size = 0', param],
    // No two multiples of 2 make 13.
    ['tile/multitile', '13', 'dimension = 0, target_size = 4, divisor = 2', param],
    ['tile/multitile', '0', 'dimension = 0, target_size = 4', param],
    // Units of 4 do not fit at all: the ops would divide by their number.
    ['tile/multitile', '3', 'dimension = 0, target_size = 2, divisor = 4', any],
    ['tile/multitile', '3', 'dimension = 0, target_size = 2, divisor = 4', param],
    ['tile/multitile-dynamic', '?', 'dimension = 0, target_size = 4', param],
  ])('refuses with %s: %s elements, {%s}', (code, size, attributes, type) => {
    expect(apply(negated(size), sizes(attributes, type)).diagnostics).toContain(`[${code}]`);
  });
});

describe('transform.structured.continuous_tile_sizes', () => {
  const continuous = (attributes: string, type: string, op = 'linalg.negf'): string =>
    `${match(op)}%sizes, %chunks = transform.structured.continuous_tile_sizes %op {${attributes}} : (${any}) -> ${type}\n`;
  const printed = `transform.debug.emit_param_as_remark %sizes : ${param}\ntransform.debug.emit_param_as_remark %chunks : ${param}`;
  const two = `${negated('8')}\n${negated('8').replace('@f', '@g')}`;

  it.each([
    ['22', 'target_size = 8', ['8', '4', '2'], ['16', '4', '2']],
    ['25', 'target_size = 9', ['9', '4', '2', '1'], ['18', '4', '2', '1']],
    ['24', 'target_size = 6', ['6'], ['24']],
    ['5', 'target_size = 16', ['16', '4', '1'], ['0', '4', '1']],
    ['0', 'target_size = 4', ['4'], ['0']],
    ['3', 'target_size = 1', ['1'], ['3']],
  ])('finds for %s elements with {%s} sizes %j of chunks %j', (size, attributes, sizes, chunks) => {
    const script = continuous(`dimension = 0, ${attributes}`, param) + printed;
    const { diagnostics } = apply(negated(size), script);
    const said = [...diagnostics.matchAll(/remark: (.*)/g)].map(([, text]) =>
      [...text!.matchAll(/(\d+) : i64/g)].map(([, number]) => number),
    );
    expect(said).toEqual([sizes, chunks]);
  });

  it.each(['13', '?'])('computes sizes for %s elements in the payload', (size) => {
    const { diagnostics, text } = apply(negated(size), continuous('dimension = 0, target_size = 4', any));
    expect(diagnostics).toBe('');
    expect(text).toContain('affine.apply');
  });

  it.each([
    ['tile/continuous-targets', two, 'dimension = 0, target_size = 4', param, 'linalg.negf'],
    [
      'tile/continuous-structured',
      two.replace(/\n.*@g[^]*/, ''),
      'dimension = 0, target_size = 4',
      param,
      'func.func',
    ],
    [
      'tile/continuous-structured',
      two.replace(/\n.*@g[^]*/, ''),
      'dimension = 0, target_size = 4',
      any,
      'func.func',
    ],
    ['tile/continuous', negated('8'), 'dimension = 1, target_size = 4', param, 'linalg.negf'],
    ['tile/continuous', negated('8'), 'dimension = 1, target_size = 4', any, 'linalg.negf'],
    ['tile/continuous', negated('8'), 'dimension = 0, target_size = 0', param, 'linalg.negf'],
    ['tile/continuous-dynamic', negated('?'), 'dimension = 0, target_size = 4', param, 'linalg.negf'],
  ])('refuses with %s: %#', (code, payload, attributes, type, op) => {
    expect(apply(payload, continuous(attributes, type, op)).diagnostics).toContain(`[${code}]`);
  });
});

describe('transform.structured.scalarize', () => {
  const scalarized = (op: string): string =>
    `${match(op)}%s = transform.structured.scalarize %op : (${any}) -> ${any}`;

  it('takes what has no known size element by element', () => {
    const { diagnostics, text } = apply(negated('?'), scalarized('linalg.negf'));
    expect(diagnostics).toBe('');
    expect(text).toContain('linalg.negf ins(%extracted_slice : tensor<1xf32>)');
  });

  it('leaves an op of known sizes', () => {
    expect(apply(negated('4'), scalarized('linalg.negf')).text).not.toContain('scf.for');
  });

  it('refuses what is no op to tile', () => {
    expect(apply(negated('4'), scalarized('func.func')).diagnostics).toContain('[tile/not-tileable]');
  });
});
