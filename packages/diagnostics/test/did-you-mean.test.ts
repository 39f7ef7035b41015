import { describe, expect, it } from 'vitest';
import { closestName, didYouMean, unknownName } from '../src/index.ts';

const ops = [
  'linalg.fill',
  'linalg.conv_2d_nchw_fchw',
  'linalg.conv_2d_nhwc_hwcf',
  'tensor.pad',
  'math.sqrt',
];
const targets = ['wasm', 'wasm-relaxed', 'avx512', 'avx2', 'sme'];
const flags = ['mlir-print-ir-after-all', 'mlir-print-ir-after-change', 'mlir-timing'];

describe('the closest name', () => {
  it.each([
    ['a letter too many', 'avx22', targets, 'avx2'],
    ['a letter too few', 'ame', ['name', 'shape'], 'name'],
    ['another letter', 'smr', targets, 'sme'],
    ['two letters swapped', 'wams', targets, 'wasm'],
    ['letters swapped at the start', 'awsm', targets, 'wasm'],
    ['another case', 'WASM', targets, 'wasm'],
    ['swapped letters with more between them', 'wsma', targets, undefined],
    ['another separator', 'wasm_relaxed', targets, 'wasm-relaxed'],
    ['no separator', 'wasmrelaxed', targets, 'wasm-relaxed'],
    ['a blank', 'wasm relaxed', targets, 'wasm-relaxed'],
    ['the nearer one', 'avx51', targets, 'avx512'],
    ['the first of equally near ones', 'cat', ['bat', 'hat'], 'bat'],
    ['the first of equally near ones', 'cat', ['hat', 'bat'], 'hat'],
    ['the beginning of a name', 'mlir-print', flags, 'mlir-print-ir-after-all'],
    [
      'the beginning of a name, before another slip',
      'linalg.conv',
      ['linalg.con2', 'linalg.conv_2d'],
      'linalg.con2',
    ],
    ['a name and more', 'avx512-something-else', targets, 'avx512'],
    ['a name of another layout', 'linalg.conv_2d_nhcw_fhcw', ops, 'linalg.conv_2d_nchw_fchw'],
    ['a family of names', 'linalg.conv2d', ops, 'linalg.conv_2d_nchw_fchw'],
    ['a name without its qualifier', 'conv_2d_nhwc_hwcf', ops, 'linalg.conv_2d_nhwc_hwcf'],
    ['a short name without its qualifier', 'pad', ops, 'tensor.pad'],
    ['a name with another qualifier', 'arith.sqrt', ops, 'math.sqrt'],
    ['a slip in the qualifier', 'tensr.pad', ops, 'tensor.pad'],
    ['two fifths of the letters', 'abcxy', ['abcde'], 'abcde'],
    ['more than two fifths', 'abxyz', ['abcde'], undefined],
    ['only the qualifier in common', 'linalg.map', ['linalg.fill'], undefined],
    ['only the end of a name', 'relax', targets, undefined],
    ['one letter', 'm', targets, undefined],
    ['two letters that begin a name', 'wa', targets, undefined],
    ['three letters that begin a name', 'mli', flags, 'mlir-print-ir-after-all'],
    ['another name of one letter', 'x', ['o'], undefined],
    ['nothing', '', targets, undefined],
    ['no names', 'wasm', [], undefined],
    ['200 letters', 'x'.repeat(200), ['x'.repeat(199)], 'x'.repeat(199)],
    ['more, at once', 'x'.repeat(10_000_000), ['x'.repeat(199)], undefined],
  ])('of %s: %s', (_, word, known, expected) => {
    expect(closestName(word, known)).toBe(expected);
  });
  it('takes any iterable', () => {
    expect(closestName('stride', new Map([['strides', 1]]).keys())).toBe('strides');
  });
});

describe('the end of a message', () => {
  it.each([
    ['stride', "; did you mean 'strides'?"],
    ['nonsense', ''],
  ])('for %s is %j', (word, expected) => {
    expect(didYouMean(word, ['strides', 'dilations'])).toBe(expected);
  });
});

describe('the message for an unknown name', () => {
  it.each([
    ['avx22', "no target 'avx22'; there are wasm, avx2; did you mean 'avx2'?"],
    ['vax', "no target 'vax'; there are wasm, avx2"],
  ])('%s', (name, expected) => {
    expect(unknownName('target', name, ['wasm', 'avx2'])).toBe(expected);
  });

  it('says where there are none', () => {
    expect(unknownName('target', 'wasm', [])).toBe("no target 'wasm'; there are none");
  });
});
