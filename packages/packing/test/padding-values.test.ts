import type { GenericSpec } from '@sconv/interpreter/testing';
import { genericPayload } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { transforms } from '../src/transforms.ts';
import { apply, matchOps } from './payloads.ts';

const any = '!transform.any_op';
const packBy = (sizes: string): string => `${matchOps()}
%packed = transform.structured.pack %op packed_sizes = [${sizes}] : (${any}) -> ${any}`;
/** Of one dimension or two. */
const pack = (payload: string): string => packBy(payload.includes('d1') ? '4, 0' : '4');
const pad = (): string => `${matchOps()}
%padded, %pads, %copies = transform.structured.pad %op pad_to_multiple_of [8] {padding_dimensions = [0]} : (${any}) -> (${any}, ${any}, ${any})`;

/** What the body calls `%r`, of the elements of two tensors. */
const elementwise = (element: string, body: string): string => {
  const operand = { map: 'd0', type: `tensor<7x${element}>` };
  return genericPayload({
    iterators: ['parallel'],
    inputs: [operand, operand],
    outputs: [operand],
    body: `${body}\nlinalg.yield %r : ${element}`,
  });
};

/** The sum over seven columns of what the body calls `%e`. */
const sum = (inputs: GenericSpec['inputs'], body: string): string =>
  genericPayload({
    iterators: ['reduction', 'parallel'],
    inputs,
    outputs: [{ map: 'd1', type: 'tensor<3xf32>' }],
    body: `${body}\n%r = arith.addf %y0, %e : f32\nlinalg.yield %r : f32`,
  });

const padded = { map: 'd0, d1', type: 'tensor<7x3xf32>' };
const whole = { map: 'd1', type: 'tensor<3xf32>' };
const constant = (value: string, type: string): string => `%c = arith.constant ${value} : ${type}`;

describe.each([
  ['packs', pack, '[pack/padding]'],
  ['pads', pad, '[pad/value]'],
])('%s', (_, script, code) => {
  it.each([
    ['divided by each other', elementwise('i32', '%r = arith.divsi %x0, %x1 : i32')],
    ['divided by each other without signs', elementwise('i32', '%r = arith.ceildivui %x0, %x1 : i32')],
    ['of which a remainder is taken', elementwise('i32', '%r = arith.remsi %x0, %x1 : i32')],
    [
      'divided by a number that is not representable with the other sign',
      elementwise('i32', `${constant('-1', 'i32')}\n%r = arith.floordivsi %x0, %c : i32`),
    ],
    [
      'whose quotient, perhaps infinite, becomes an integer',
      elementwise(
        'f32',
        '%q = arith.divf %x0, %x1 : f32\n%i = arith.fptosi %q : f32 to i32\n%r = arith.sitofp %i : i32 to f32',
      ),
    ],
    ['multiplied by what may be infinite', sum([padded, whole], '%e = arith.mulf %x0, %x1 : f32')],
    [
      'multiplied by their logarithms',
      sum([padded], '%l = math.log %x0 : f32\n%e = arith.mulf %x0, %l : f32'),
    ],
  ])('no elements %s', (__, payload) => {
    expect(apply(payload, script(payload)).diagnostics).toContain(code);
  });

  it.each([
    ['divided by a number', elementwise('i32', `${constant('3', 'i32')}\n%r = arith.divsi %x0, %c : i32`)],
    [
      'divided by the largest number',
      elementwise('i32', `${constant('-1', 'i32')}\n%r = arith.divui %x0, %c : i32`),
    ],
    [
      'that become integers',
      elementwise('f32', '%i = arith.fptosi %x0 : f32 to i32\n%r = arith.sitofp %i : i32 to f32'),
    ],
    ['multiplied by a number', sum([padded], `${constant('2.0', 'f32')}\n%e = arith.mulf %x0, %c : f32`)],
    ['of which magnitudes are summed', sum([padded], '%e = math.absf %x0 : f32')],
    [
      'of which magnitudes in bytes are summed',
      sum(
        [padded],
        '%i = arith.fptosi %x0 : f32 to i32\n%t = arith.trunci %i : i32 to i8\n%a = math.absi %t : i8\n' +
          '%e = arith.uitofp %a : i8 to f32',
      ),
    ],
    [
      'multiplied by sums of themselves',
      sum([padded], '%s = arith.addf %x0, %x0 : f32\n%e = arith.mulf %x0, %s : f32'),
    ],
  ])('elements %s', (__, payload) => {
    expect(apply(payload, script(payload)).diagnostics).toBe('');
  });
});

it('pads operands besides one whose elements have no zero', () => {
  const payload = genericPayload({
    iterators: ['parallel', 'reduction'],
    inputs: [
      { map: 'd1', type: 'tensor<3xcomplex<f32>>' },
      { map: 'd0, d1', type: 'tensor<7x3xi8>' },
    ],
    outputs: [{ map: 'd0', type: 'tensor<7xi32>' }],
    body: `%e = arith.extsi %x1 : i8 to i32
%r = arith.addi %y0, %e : i32
linalg.yield %r : i32`,
  });
  // The interpreter has no complex numbers.
  const { diagnostics, text } = scriptTester(transforms)(payload, pad());
  expect(diagnostics).toBe('');
  expect(text).toContain('arith.constant 0 : i8');
});

it.each([
  ['minnumf', '', '0x7FC00000'],
  ['maxnumf', '', '0xFFC00000'],
  ['minnumf', ' fastmath<nnan>', '0x7F800000'],
  ['maximumf', ' fastmath<ninf>', '-3.40282347E+38'],
])('pads what %s%s combines with %s', (name, flags, value) => {
  const payload = genericPayload({
    iterators: ['reduction', 'parallel'],
    inputs: [padded],
    outputs: [{ map: 'd1', type: 'tensor<3xf32>' }],
    body: `%r = arith.${name} %y0, %x0${flags} : f32\nlinalg.yield %r : f32`,
  });
  const { diagnostics, text } = apply(payload, packBy('4, 0'));
  expect(diagnostics).toBe('');
  expect(text).toContain(`arith.constant ${value} : f32`);
});
