import { describe, expect, it } from 'vitest';
import type { AffineExpr } from '@sconv/affine';
import { constant, dim, equivalent, substitute, usedDims } from '@sconv/affine';
import type { ElementSource } from '@sconv/dialects';
import { elementSource } from '@sconv/dialects';
import { edit, walk } from '@sconv/ir';
import type { Geometry } from '@sconv/packing-equations';
import {
  absoluteInputMap,
  absoluteMultipackedInputMap,
  filterMultipackingMap,
  filterPackingMap,
} from '@sconv/packing-equations';
import type { Case } from './support/convolutions.ts';
import { cases, outputOf } from './support/convolutions.ts';
import { registry } from './support/registry.ts';
import { stagesOfCase } from './support/stages.ts';

/** What the packings of a case read after multipacking: of the first fragment, whose slice starts with the input. */
const packedSources = (each: Case): { readonly windows: ElementSource; readonly filters: ElementSource } => {
  const { module } = stagesOfCase(each).find(({ name }) => name === 'multipack')!;
  const packings = [...walk(module.root)].filter(
    (op) => op.name === 'linalg.generic' && op.operands.length === 1,
  );
  const sources = edit(module, { registry }, (rewriter) =>
    packings.map((packing) => {
      const draft = rewriter.find(packing);
      const extract = rewriter.walk(draft).find((op) => op.name === 'tensor.extract')!;
      return elementSource(rewriter, draft, extract);
    }),
  ).results;
  return {
    // The linearised input is read at [iN, iNc, element], the filters at [iNf, iNc, iFh, iFw].
    windows: sources.find(({ indices }) => indices.length === 3)!,
    filters: sources.find(({ indices }) => indices.length === 4)!,
  };
};

const geometryOf = ({ shape }: Case): Geometry => ({
  inputWidth: shape.inputWidth,
  outputWidth: outputOf(shape)[1],
  filterHeight: shape.filterHeight,
  filterWidth: shape.filterWidth,
  strideH: shape.strides.h,
  strideW: shape.strides.w,
  dilationH: shape.dilations.h,
  dilationW: shape.dilations.w,
});

/** The sum of the induction variables that an index depends on, in a packing of rank `rank`. */
const inductionVariables = (index: AffineExpr, rank: number): AffineExpr => {
  const variables = usedDims(index).filter((position) => position >= rank);
  expect(variables.length).toBeGreaterThan(0);
  return variables.reduce<AffineExpr>((sum, position) => sum.add(dim(position)), constant(0));
};

const expectEqual = (actual: AffineExpr, expected: AffineExpr): void => {
  const rank = 1 + Math.max(...usedDims(actual), ...usedDims(expected));
  const domain = { dims: Array.from({ length: rank }, () => [0, 40] as const) };
  expect(equivalent(actual, expected, { domain })).toMatchObject({ equivalent: true });
};

const dims = (...positions: readonly number[]) => positions.map((position) => dim(position));

/** Cases of a schedule whose first tiles are as wide as the microkernel. */
const isOfOneWidth =
  (wanted: Case['schedule']) =>
  ({ schedule, edges }: Case): boolean =>
    schedule === wanted && edges !== 'composed' && edges !== 'transposed';

describe('the maps in the IR are those of the equations', () => {
  it.each(cases.filter(isOfOneWidth('is')))('$name', (each) => {
    const { windows, filters } = packedSources(each);
    // Packed windows are N x Nc x Fh x Fw x Nwin (Eq. 5), from iTs = iO_out + iO_in (Eq. 9).
    const element = windows.indices[2]!;
    const [, window] = absoluteInputMap(geometryOf(each)).results;
    const start = inductionVariables(element, 5);
    expectEqual(element, substitute(window!, { dims: dims(1, 2, 3, 4), symbols: [start] }));
    // Multipacked filters are Nt x Nc x Fh x Fw x Nf (Eq. 3).
    const [filter] = filterMultipackingMap(each.microkernel[1]).results;
    expectEqual(filters.indices[0]!, filter!);
  });

  it.each(cases.filter(isOfOneWidth('ws')))('$name', (each) => {
    const { windows, filters } = packedSources(each);
    // Multipacked windows are Nt x N x Nc x Fh x Fw x Nwin, from iTs = iO_out (Eqs. 13 and 14).
    const element = windows.indices[2]!;
    const [, window] = absoluteMultipackedInputMap(geometryOf(each), each.microkernel[0]).results;
    const start = inductionVariables(element, 6);
    expectEqual(element, substitute(window!, { dims: dims(0, 2, 3, 4, 5), symbols: [start] }));
    // Packed filters are Nc x Fh x Fw x Nf (Eq. 2), from the first filter of the tile.
    const first = inductionVariables(filters.indices[0]!, 4);
    expectEqual(filters.indices[0]!, filterPackingMap().results[0]!.add(first));
  });
});
