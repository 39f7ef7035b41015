/** Tiling of `linalg.softmax`: any dimension but the one that it sums over. */
import { silenceableError, success } from '@sconv/diagnostics';
import type { DraftOperation } from '@sconv/ir';
import { shapeOf } from './constraints.ts';
import { createSizes } from './create-size.ts';
import { softmax } from './linalg-aggregate.ts';
import { createSlice } from './structured-tileable.ts';
import type { Tileable } from './tileable.ts';

/** @deviation The summed dimension cannot be tiled: upstream's tiles of it have sums of their own. */
export const softmaxTileable = (operation: DraftOperation): Tileable => {
  const { input, output } = softmax.operands(operation);
  const { dimension: summed } = softmax.attributes(operation);
  const shape = shapeOf(input.type) ?? [];
  const isTensor = output.type.kind === 'tensor';
  return {
    isParallel: shape.map((_, dimension) => dimension !== summed),
    domain: (rewriter) => createSizes(rewriter, input),
    destinations: () => (isTensor ? [output] : []),
    check: (box) =>
      box[summed] === undefined
        ? success(undefined)
        : silenceableError(
            'tile/order',
            `the elements of dimension ${summed} are divided by their sum, and tiles of it would ` +
              'have sums of their own',
            operation,
          ),
    tile: (rewriter, box, [destination = output]) => {
      const operands = [input, destination].map((operand) => createSlice(rewriter, operand, box));
      const tile = rewriter.create({
        name: operation.name,
        operands,
        resultTypes: isTensor ? [operands[1]!.type] : [],
        attributes: operation.attributes,
        location: operation.location,
      });
      return { operation: tile, values: tile.results };
    },
    resultBox: (_rewriter, _result, box) => box,
  };
};
