import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { edit } from '@sconv/ir';
import { eraseUnused } from '../src/index.ts';
import { parse, registry } from './support.ts';

/** The ops left in a function after erasing the unused result of its last op. */
const leftOf = (lines: readonly string[]): readonly string[] => {
  const text = `func.func private @f() -> index
func.func @g(%t: tensor<4x8xf32>, %i: index) {\n${lines.join('\n')}\nreturn\n}`;
  return edit(unwrap(parse(text)), { registry }, (rewriter) => {
    const { block } = rewriter.walk(rewriter.root).find((op) => op.name === 'func.return')!;
    eraseUnused(rewriter, block!.operations.at(-2)!.results[0]!);
    return block!.operations.slice(0, -1).map((op) => op.name);
  }).results;
};

const slice = '%s = tensor.extract_slice %t[%a, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>';
const sum = '%a = arith.addi %i, %i : index';

describe('eraseUnused', () => {
  it('erases an op and what only that used', () => {
    expect(leftOf([sum, slice])).toEqual([]);
  });

  it('keeps what others use', () => {
    expect(
      leftOf([sum, '%b = arith.muli %a, %a : index', 'scf.for %k = %i to %b step %a {\n}', slice]),
    ).toEqual(['arith.addi', 'arith.muli', 'scf.for']);
  });

  it('keeps a call, though nothing uses its result', () => {
    expect(leftOf(['%a = func.call @f() : () -> index', slice])).toEqual(['func.call']);
  });
});
