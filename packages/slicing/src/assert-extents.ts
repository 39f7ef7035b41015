/** States in the schedule what a plan is for: its sizes are meaningless for a convolution of another shape. */
import type { ConvolutionShape, Extents } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, error, success } from '@sconv/diagnostics';
import type { Operation } from '@sconv/ir';
import { documented, i64Attribute } from '@sconv/ir';
import { defineTransformOp, reads } from '@sconv/transform';
import { planOperation, shapeFailures, slicedNames } from './plan-operation.ts';

/** The dimensions of one group. */
type ConvolutionExtents = Omit<Extents, 'group'>;

const printExtents = ({ batch, channels, windows, filters }: ConvolutionExtents): string =>
  `batch ${batch}, channels ${channels}, windows ${windows}, filters ${filters}`;

const dimensionNames = ['batch', 'channels', 'windows', 'filters'] as const;

const extentsOfShape = (shape: ConvolutionShape): ConvolutionExtents => ({
  batch: shape.batch,
  channels: shape.inputChannels,
  windows: shape.outputHeight * shape.outputWidth,
  filters: shape.filters,
});

/** Fails at a convolution with other extents than planned. */
const checkExtents = (operation: Operation, planned: ConvolutionExtents): Diagnosed<undefined> =>
  andThen(
    planOperation(operation, (shape) => ({ extents: extentsOfShape(shape), warnings: [] })),
    ({ extents }) => {
      if (dimensionNames.every((name) => extents[name] === planned[name])) return success(undefined);
      const message = `the plan is for ${printExtents(planned)}, but this convolution has ${printExtents(extents)}`;
      return definite(error('sconv/plan-shape', message, operation.location));
    },
  );

/** `transform.structured.assert_extents`. */
export const assertExtents = defineTransformOp({
  name: 'transform.structured.assert_extents',
  summary: 'Rejects convolutions whose extents differ from those of a plan.',
  operands: {
    target: reads('two-dimensional convolutions and matrix products on tensors of static shape', ...slicedNames),
  },
  attributes: {
    batch: documented(i64Attribute, 'images'),
    channels: documented(i64Attribute, 'input channels per group'),
    windows: documented(i64Attribute, 'output elements per image and filter'),
    filters: documented(i64Attribute, 'filters per group'),
  },
  failures: {
    ...shapeFailures,
    'sconv/plan-shape': {
      mode: 'definite',
      when: 'the batch of a target differs, or the channels, windows or filters per group',
    },
  },
  assembly: { format: '$target attr-dict `:` type($target)' },
  // Only inspects the payload; an edit would thaw every function.
  interpret: (run, operation, extents) => {
    for (const target of run.operations(run.idsOf(operation.operands[0]!))) {
      const result = checkExtents(target, extents);
      if (result.status !== 'success') return run.relocated(operation, result);
    }
    return success(undefined);
  },
});
