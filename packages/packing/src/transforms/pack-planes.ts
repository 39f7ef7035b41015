/** `packPlanesOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { documented, i64Attribute, optionalAttribute, unitAttributeKind } from '@sconv/ir';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { packPlanesOp } from '../pack-planes-op.ts';

/** `transform.structured.pack_planes`. */
export const packPlanes = defineTransformOp({
  name: 'transform.structured.pack_planes',
  summary:
    'Computes a depthwise convolution or pooling plane by plane, each packed within its padding, with the rows and ' +
    'columns of each phase of its strides together.',
  operands: {
    target: consumes('depthwise convolutions and poolings on tensors, with rows and columns innermost'),
  },
  attributes: {
    flat: documented(unitAttributeKind, 'compute all windows of a plane as one row'),
    planes: optionalAttribute(
      documented(i64Attribute, 'the planes packed at once; as many as have 2048 elements if omitted'),
    ),
  },
  results: { sums: produces('the sums of the planes that are packed at once', 'linalg.generic') },
  failures: {
    'pack-planes/target': {
      mode: 'silenceable',
      when: 'a target is another op, has sizes that are not known, or reads what is contiguous where it lies',
    },
    'pack-planes/planes': {
      mode: 'silenceable',
      when: 'the planes that are packed at once do not divide the channels',
    },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  *verify({ attributes: { planes } }) {
    if (planes !== undefined && planes < 1) yield 'expected at least one plane at once';
  },
  apply: ({ rewriter }, { target }, options) =>
    mapSuccess(
      collect(target, (operation) => packPlanesOp(rewriter, operation, options)),
      (sums) => ({ sums }),
    ),
});
