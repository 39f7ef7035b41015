/** Notable features of a payload: statistics count them, and a test requires each to occur. */
import type { ScalarSpec } from './body-spec.ts';
import { featureOf } from './draw-maps.ts';
import type { OpSpec, PayloadSpec } from './payload-spec.ts';
import { operandsOf } from './payload-spec.ts';

const scalarFeatures = (spec: ScalarSpec): readonly string[] => {
  switch (spec.kind) {
    case 'index':
      return ['linalg.index'];
    case 'captured':
      return ['captured number'];
    case 'extract':
      return ['tensor.extract'];
    case 'binary':
      return [...scalarFeatures(spec.lhs), ...scalarFeatures(spec.rhs)];
    case 'select':
      return ['select', ...[spec.lhs, spec.rhs, spec.other].flatMap(scalarFeatures)];
    default:
      return [];
  }
};

const isProjected = ({ outputs, extents }: OpSpec): boolean =>
  outputs.some(({ map }) => map.results.length < extents.length);

const isPermuted = ({ outputs }: OpSpec): boolean =>
  outputs.some(({ map }) => {
    const positions = map.results.flatMap((result) => (result.kind === 'dim' ? [result.position] : []));
    return positions.some((position, i) => i > 0 && position < positions[i - 1]!);
  });

const opFeatures = (op: OpSpec): readonly string[] => {
  const { form } = op;
  const operands = operandsOf(op);
  const flags: readonly (readonly [boolean, string])[] = [
    [op.inputs.length > 1, 'several inputs'],
    [op.outputs.length > 1, 'several results'],
    [op.iterators.includes('reduction'), 'reduction'],
    [op.extents.includes(0), 'zero extent'],
    [op.extents.includes(1), 'unit extent'],
    [op.extents.length === 0, 'no loops'],
    [isPermuted(op), 'permuted output'],
    [isProjected(op), 'projected output'],
    [op.outputs.some(({ map }) => map.results.some(({ kind }) => kind !== 'dim')), 'output off its place'],
    [operands.some(({ scalar }) => scalar === true), 'scalar input'],
    [operands.some(({ dynamic }) => dynamic.includes(true)), 'dynamic size'],
    [operands.some(({ source }) => source.kind === 'result'), 'result of another op'],
    [operands.some(({ source }) => source.kind === 'operand'), 'same tensor twice'],
  ];
  return [
    form.kind === 'named' ? form.name : `linalg.${form.kind}`,
    `element ${op.outputs[0]!.element}`,
    ...flags.flatMap(([holds, name]) => (holds ? [name] : [])),
    ...operands.map(({ source }) => `from ${source.kind}`),
    ...(form.kind === 'generic'
      ? operands.flatMap(({ map }) => map.results.map((result) => `map: ${featureOf(result)}`))
      : []),
    ...('body' in form ? form.body.yields.flatMap(scalarFeatures) : []),
  ];
};

/** The distinct features of a payload. */
export const payloadFeatures = ({ ops }: PayloadSpec): readonly string[] => [
  ...new Set([...(ops.length > 1 ? ['chain'] : []), ...ops.flatMap(opFeatures)]),
];
