/** Creates a `linalg.transpose`. */
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { elementTypeOf } from './constraints.ts';
import { yieldOp } from './linalg-generic.ts';
import { transpose } from './linalg-shape-ops.ts';

/** A `linalg.transpose` at the insertion point: dimension `i` of `init` is dimension `permutation[i]` of `input`. */
export const createTranspose = (
  rewriter: Rewriter,
  input: Value,
  init: Value,
  permutation: readonly number[],
): DraftOperation =>
  rewriter.create(
    transpose.state<Rewriter>({
      operands: { input, init },
      attributes: { permutation },
      resultTypes: init.type.kind === 'tensor' ? [init.type] : [],
      bodies: [
        {
          argumentTypes: [elementTypeOf(input.type), elementTypeOf(init.type)],
          build: (body, element) => {
            body.create(yieldOp.state({ operands: { values: [element] } }));
          },
        },
      ],
    }),
  );
