/**
 * Propagates data layouts: moves `tensor.pack` up and `tensor.unpack` down through elementwise ops, padding and
 * reshapes (upstream's `populateDataLayoutPropagationPatterns`), so that packings of neighbours meet and fold.
 */
import type { RewritePattern } from '@sconv/ir';
import { packThroughGeneric, packThroughPad } from './bubble-up-pack.ts';
import type { PropagationControl } from './propagation-control.ts';
import { unpackThroughGeneric, unpackThroughPad } from './push-down-unpack.ts';
import { packThroughReshape, unpackThroughReshape } from './reshaped-packs.ts';

/**
 * The patterns of `transform.apply_patterns.linalg.data_layout_propagation`, which move packings where `control` says,
 * by default wherever they can. They fold nothing: the canonicalization patterns do, of a packing that meets its
 * inverse.
 */
export const dataLayoutPropagationPatterns = (
  control: PropagationControl = () => true,
): readonly RewritePattern[] => [
  packThroughGeneric(control),
  packThroughPad(control),
  packThroughReshape(control),
  unpackThroughGeneric(control),
  unpackThroughPad(control),
  unpackThroughReshape(control),
];
