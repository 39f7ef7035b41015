/**
 * The register tiles of a microkernel: those that a plan has decided on, as the attribute `sconv.kernel` of the op, or
 * else the fastest ones for the target.
 *
 *     sconv.kernel = {lanes = "windows", tiles = [[0, 8, 0, 4], [8, 8, 0, 4]]}
 */
import { bitsOf, kernelAttributeName } from '@sconv/dialects';
import type { KernelLanes, KernelPass, Microkernel } from '@sconv/dialects/kernel';
import { coversOnce, kernelLanes, passOf } from '@sconv/dialects/kernel';
import { stridedLayoutOf } from '@sconv/dialects/memref';
import type { Attribute, Operation } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import type { TileUnit } from '@sconv/targets';
import { divideForMatrix, divideTile } from '@sconv/targets';

/** What a plan has decided of a microkernel. */
interface Decided {
  readonly lanes?: KernelLanes | undefined;
  readonly tiles?: readonly KernelPass[];
}

/** A microkernel with its register tiles, and why the op's `sconv.kernel` is not what they are, if it does not fit. */
export const dividedMicrokernel = (
  kernel: Microkernel,
  { attributes }: Pick<Operation, 'attributes'>,
  unit: TileUnit | undefined,
): { readonly kernel: Microkernel; readonly problem?: string } => {
  const given = attributes[kernelAttributeName];
  const decided = given === undefined ? {} : decidedBy(given, kernel);
  const problem = typeof decided === 'string' ? { problem: decided } : {};
  const { lanes, tiles } = typeof decided === 'string' ? {} : decided;
  if (tiles === undefined && unit !== undefined)
    return { kernel: { ...kernel, ...fastestTiles(unit, kernel, lanes) }, ...problem };
  return { kernel: { ...kernel, lanes: lanes ?? 'windows', tiles: tiles ?? kernel.tiles }, ...problem };
};

/** The register tiles of a target; of what its matrix unit takes, if that is not refused. */
const fastestTiles = (
  { bits, speeds, matrix }: TileUnit,
  { windows, filters, steps, filterPanel, output }: Microkernel,
  lanes: KernelLanes | undefined,
): Pick<Microkernel, 'lanes' | 'tiles'> => {
  const { elementType } = output.type;
  const isOfMatrix =
    (lanes ?? 'both') === 'both' &&
    elementType.kind === 'float' &&
    elementType.name === 'f32' &&
    stridedLayoutOf(filterPanel.type)?.strides[1] === 1;
  const inMatrix = matrix && isOfMatrix ? divideForMatrix(matrix, { windows, filters }) : undefined;
  const { lanes: along, passes } =
    inMatrix ??
    divideTile(
      speeds,
      { windows, filters },
      {
        lanes: Math.max(1, Math.floor(bits / (bitsOf(elementType) ?? bits))),
        ...(steps === DYNAMIC ? {} : { steps }),
        ...(lanes === undefined || lanes === 'both' ? {} : { along: lanes }),
      },
    );
  return { lanes: along, tiles: passes };
};

/** What the attribute says, or why it does not fit. */
const decidedBy = (given: Attribute, { windows, filters }: Microkernel): Decided | string => {
  const entries = given.kind === 'dictionary' ? given.entries : {};
  const { lanes, tiles } = entries;
  const along = kernelLanes.find((each) => lanes?.kind === 'string' && each === lanes.value);
  if (lanes !== undefined && along === undefined)
    return `'${kernelAttributeName}' has lanes along none of ${kernelLanes.join(', ')}`;
  if (tiles === undefined) return { lanes: along };
  const passes = tiles.kind === 'array' ? tiles.elements.map(numbersOf) : [];
  if (!coversOnce(passes, { windows, filters }))
    return `the tiles of '${kernelAttributeName}' do not cover ${windows} windows of ${filters} filters once`;
  return { lanes: along, tiles: passes.map(passOf) };
};

/** A list of integers; empty for anything else. */
const numbersOf = (attribute: Attribute): readonly number[] => {
  if (attribute.kind === 'dense-array') return attribute.values.map(Number);
  if (attribute.kind !== 'array') return [];
  return attribute.elements.map((each) => (each.kind === 'integer' ? Number(each.value) : NaN));
};
