import { describe, expect, it } from 'vitest';
import { any, apply } from './payloads.ts';

/** Two loops of the function, with what stands before, between and behind them. */
const pair = (
  between: string,
  second: string,
  other = '%c4',
): string => `func.func @f(%m: memref<4xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %a = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %c0) -> index {
    %0 = arith.addi %s, %i : index
    scf.yield %0 : index
  } {first}
  ${between}
  %b = scf.for %i = %c0 to ${other} step %c1 iter_args(%s = %c1) -> index {
    %0 = arith.muli %s, ${second} : index
    scf.yield %0 : index
  } {second}
  %sum = arith.addi %a, %b : index
  return %sum : index
}`;

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

const find = (name: string): string =>
  `%${name} = transform.structured.match attributes {${name}} in %root : (${any}) -> ${any}`;
const fuse = (target: string, source: string): string =>
  `${find('first')}\n${find('second')}\n%one = transform.loop.fuse_sibling %${target} into %${source} : (${any}, ${any}) -> ${any}`;

describe('transform.loop.fuse_sibling', () => {
  it.each([
    ['first', 'second', ''],
    ['second', 'first', ''],
    ['first', 'second', '%c = arith.addi %c4, %c5 : index'],
  ])('lets one loop do what %s and %s do', (target, source, between) => {
    const { diagnostics, text } = apply(pair(between, '%c5'), fuse(target, source));
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(1);
  });

  it.each([
    ['operations cannot be fused', pair('', '%c5', '%c5'), fuse('first', 'second')],
    [
      'user of results of target should be properly dominated by source',
      pair('%c = arith.addi %a, %c5 : index', '%c5'),
      fuse('first', 'second'),
    ],
    [
      'user of results of target should be properly dominated by source',
      pair('', '%a'),
      fuse('first', 'second'),
    ],
    [
      'values used inside regions of target should be properly dominated by source',
      pair('%c = arith.addi %c4, %c5 : index', '%c'),
      fuse('second', 'first'),
    ],
    [
      'operands of target should be properly dominated by source',
      pair('%c = arith.addi %c4, %c5 : index', '%c5', '%c'),
      fuse('second', 'first'),
    ],
    [
      'target and source need to be different loops',
      pair('', '%c5'),
      `${find('first')}\n%again = transform.structured.match attributes {first} in %root : (${any}) -> ${any}
%one = transform.loop.fuse_sibling %first into %again : (${any}, ${any}) -> ${any}`,
    ],
  ])('refuses: %s', (message, payload, script) => {
    const { diagnostics } = apply(payload, script);
    if (message.includes('different loops')) expect(diagnostics).toMatch(/different loops|repeated/);
    else expect(diagnostics).toContain(`${message} [fuse-sibling/target]`);
  });

  /** Two loops in parallel that each write to a tensor of their own, at places of their own. */
  const parallelPair = (one: string, other = one, mapping = '', otherMapping = mapping): string => {
    const names = one.includes(',') ? '%i, %j' : '%i';
    const loop = (
      bounds: string,
      dest: string,
      rest: string,
      sign: string,
    ): string => `scf.forall (${names}) ${bounds} shared_outs(%o = ${dest}) -> (tensor<4x4xf32>) {
    %e = tensor.extract_slice %x[${names.includes('j') ? names : '%i, 0'}] [1, 1] [1, 1] : tensor<4x4xf32> to tensor<1x1xf32>
    %d = linalg.${sign} ins(%e : tensor<1x1xf32>) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[${names.includes('j') ? names : '%i, 0'}] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<4x4xf32>
    }
  } ${rest}`;
    const attributes = (name: string, as: string): string =>
      `{${as === '' ? '' : `mapping = [${as}], `}${name}}`;
    return `func.func @f(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %n: index, %k: index) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = ${loop(one, '%x', attributes('first', mapping), 'negf')}
  %b = ${loop(other, '%y', attributes('second', otherMapping), 'abs')}
  return %a, %b : tensor<4x4xf32>, tensor<4x4xf32>
}`;
  };
  const [block, thread] = ['#gpu.block<x>', '#gpu.thread<x>'];

  it.each([
    ['of a size', parallelPair('in (4)')],
    ['of two sizes', parallelPair('in (4, 3)')],
    ['of ranges', parallelPair('= (0, 1) to (4, 3) step (2, 1)')],
    ['of sizes that are not known', parallelPair('in (%n)')],
    ['with a mapping', parallelPair('in (4)', 'in (4)', block)],
  ])('lets one loop in parallel do what two do, %s', (_, payload) => {
    for (const [target, source] of [['first', 'second'], ['second', 'first']] as const) {
      const { diagnostics, text } = apply(payload, fuse(target, source));
      expect(diagnostics).toBe('');
      expect(occurrences(text, 'scf.forall (')).toBe(1);
      expect(occurrences(text, 'parallel_insert_slice')).toBe(2);
      expect(text.includes('mapping = [')).toBe(payload.includes('mapping'));
    }
  }); // prettier-ignore

  it.each([
    ['other sizes', parallelPair('in (4)', 'in (3)')],
    ['another last size', parallelPair('in (4, 4)', 'in (4, 3)')],
    ['other first indices', parallelPair('= (0) to (4) step (1)', '= (1) to (4) step (1)')],
    ['other steps', parallelPair('= (0) to (4) step (1)', '= (0) to (4) step (2)')],
    ['a size that is not known', parallelPair('in (%n)', 'in (4)')],
    ['a known size', parallelPair('in (4)', 'in (%n)')],
    ['sizes of which neither is known', parallelPair('in (%n)', 'in (%k)')],
    ['another mapping', parallelPair('in (4)', 'in (4)', block, thread)],
    ['one mapping', parallelPair('in (4)', 'in (4)', '', thread)],
    [
      'one that is not in parallel',
      parallelPair('in (4)').replace(
        '  %b =',
        `  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {} {second}
  %b =`,
      ).replace(/, second\}|\{second\}(?=\s+return)/, ''),
    ],
  ])('refuses loops in parallel: %s', (_, payload) => {
    expect(apply(payload, fuse('first', 'second')).diagnostics).toContain(
      'operations cannot be fused [fuse-sibling/target]',
    );
  }); // prettier-ignore

  it('takes one loop each', () => {
    const script = `${find('first')}\n${find('none')}\n%one = transform.loop.fuse_sibling %first into %none : (${any}, ${any}) -> ${any}`;
    expect(apply(pair('', '%c5'), script).diagnostics).toContain(
      'requires exactly one target handle (got 1) and exactly one source handle (got 0) [fuse-sibling/single]',
    );
  });
});
