import { describe, expect, it } from 'vitest';
import type { AffineExpr } from '@sconv/affine';
import { constant, dim, equivalent, substitute, usedDims } from '@sconv/affine';
import { elementSource } from '@sconv/dialects';
import { edit, walk } from '@sconv/ir';
import { absoluteInputMap, filterMultipackingMap } from '@sconv/packing-equations';
import { cases, outputOf } from './support/convolutions.ts';
import { stagesOfCase } from './support/stages.ts';

/** Cases whose first fragment starts at window 0, where the slice of the input does too. */
const inputStationary = cases.filter((each) => each.schedule === 'is');

describe('the maps in the IR are those of the equations', () => {
  it.each(inputStationary)('$name', (each) => {
    const { shape } = each;
    const stages = stagesOfCase(each);
    const packed = stages.find(({ name }) => name === 'multipack')!.module;
    const packings = [...walk(packed.root)].filter(
      (op) => op.name === 'linalg.generic' && op.operands.length === 1,
    );
    edit(packed, (rewriter) => {
      const sources = packings.map((packing) => {
        const draft = rewriter.find(packing);
        const extract = rewriter.walk(draft).find((op) => op.name === 'tensor.extract')!;
        return elementSource(rewriter, draft, extract);
      });
      // Packed windows are N x Nc x Fh x Fw x Nwin (Eq. 5), read at [iN, iNc, element] of the linearised input.
      const windows = sources.find(({ indices }) => indices.length === 3)!;
      const equation = absoluteInputMap({
        inputWidth: shape.inputWidth,
        outputWidth: outputOf(shape)[1],
        filterHeight: shape.filterHeight,
        filterWidth: shape.filterWidth,
        strideH: shape.strides.h,
        strideW: shape.strides.w,
        dilationH: shape.dilations.h,
        dilationW: shape.dilations.w,
      });
      const element = windows.indices[2]!;
      // iTs = iO_out + iO_in (Eq. 9): the sum of the induction variables that the element depends on.
      const variables = usedDims(element).filter((position) => position >= 5);
      const start = variables.reduce<AffineExpr>((sum, position) => sum.add(dim(position)), constant(0));
      const expected = substitute(equation.results[1]!, {
        dims: [dim(1), dim(2), dim(3), dim(4)],
        symbols: [start],
      });
      const rank = 5 + windows.outer.length;
      const domain = { dims: Array.from({ length: rank }, () => [0, 40] as const) };
      expect(variables.length).toBeGreaterThan(0);
      expect(equivalent(element, expected, { domain })).toMatchObject({ equivalent: true });
      // Multipacked filters are Nt x Nc x Fh x Fw x Nf (Eq. 3).
      const filters = sources.find(({ indices }) => indices.length === 4)!;
      const [filter] = filterMultipackingMap(each.microkernel[1]).results;
      const sameSums = equivalent(filters.indices[0]!, filter!, { domain });
      expect(sameSums).toMatchObject({ equivalent: true });
    });
  });
});
