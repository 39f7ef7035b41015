/** States in the schedule what a plan is for: its sizes are meaningless for a convolution of another shape. */
import { extentsOfShape } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, error, success } from '@sconv/diagnostics';
import type { Operation } from '@sconv/ir';
import { documented, i64Attribute } from '@sconv/ir';
import type { Extents } from '@sconv/plans';
import { defineTransformOp, reads } from '@sconv/transform';
import type { GroupedShape } from './plan-operation.ts';
import { convolutionShape, shapeFailures, slicedNames } from './plan-operation.ts';

/** Fails at a convolution with other extents than planned: those of one group, or of all. */
export const checkExtents = (
  { location }: Operation,
  planned: Extents<string>,
  { shape, groups }: GroupedShape,
): Diagnosed<undefined> => {
  const { outputHeight: rows, outputWidth: columns, filterHeight: tapRows, filterWidth: tapColumns } = shape;
  const all: Extents<string> = { ...extentsOfShape(shape), rows, columns, tapRows, tapColumns };
  const own: Extents<string> = { ...all, group: planned['group'] === 1 ? 1 : groups };
  const names = order.filter((name) => name in planned);
  if (names.every((name) => own[name] === planned[name])) return success(undefined);
  const print = (extents: Extents<string>): string =>
    names
      .filter((name) => name !== 'group' || extents[name]! > 1)
      .map((name) => `${name} ${extents[name]!}`)
      .join(', ');
  const message = `the plan is for ${print(planned)}, but this convolution has ${print(own)}`;
  return definite(error('sconv/plan-shape', message, location));
};

const order = [
  'group',
  'batch',
  'channels',
  'tapRows',
  'tapColumns',
  'windows',
  'rows',
  'columns',
  'filters',
] as const;

/** The failure of `checkExtents`. */
export const extentsFailure = {
  'sconv/plan-shape': {
    mode: 'definite',
    when: 'the batch of a target differs from that of its plan, or the channels, windows or filters per group',
  },
} as const;

/** `transform.structured.assert_extents`. */
export const assertExtents = defineTransformOp({
  name: 'transform.structured.assert_extents',
  summary: 'Rejects convolutions whose extents differ from those of a plan.',
  operands: {
    target: reads(
      'two-dimensional convolutions and matrix products on tensors of static shape',
      ...slicedNames,
    ),
  },
  attributes: {
    batch: documented(i64Attribute, 'images'),
    channels: documented(i64Attribute, 'input channels per group'),
    windows: documented(i64Attribute, 'output elements per image and filter'),
    filters: documented(i64Attribute, 'filters per group'),
  },
  failures: {
    ...shapeFailures,
    ...extentsFailure,
  },
  assembly: { format: '$target attr-dict `:` type($target)' },
  // Only inspects the payload; an edit would thaw every function.
  interpret: (run, operation, extents) => {
    for (const target of run.operations(run.idsOf(operation.operands[0]!))) {
      const result = andThen(convolutionShape(target), (own) =>
        checkExtents(target, { ...extents, group: 1 }, own),
      );
      if (result.status !== 'success') return run.relocated(operation, result);
    }
    return success(undefined);
  },
});
