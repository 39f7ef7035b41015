/** A module as a graph of what has a layout: convolutions, and ops that take those of their operands. */
import type { Module, Operation, Registry, Value } from '@sconv/ir';
import { elementCount, isStaticShape, walk } from '@sconv/ir';
import type { LayoutEdge, LayoutGraph } from '@sconv/plans';
import { slicedAs } from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import { epilogueViewOf } from '@sconv/tiling';
import { depthwiseCosts, layoutCosts, repackingCost } from './layout-costs.ts';
import type { Blocks } from './nchwc-schedule.ts';
import { blockedNames, blocksOf, laneRegisters } from './nchwc-schedule.ts';

/** The choices of a layer, by position: as it is given, or in blocks. */
export const blockedChoice = 1;

/** A graph, and which of its layers are convolutions that could be blocked. */
export interface ModuleLayouts {
  readonly graph: LayoutGraph;
  /** By convolution: its layer, and the blocks that it would have. */
  readonly convolutions: ReadonlyMap<Operation, { readonly layer: number; readonly blocks: Blocks }>;
}

/** The layout of a value: as given, in blocks of a vector of channels, or in some that no other layer has. */
type Layout = 'given' | 'blocked' | 'other';

/** A layer's layouts, by choice. */
interface Ends {
  readonly layer: number;
  readonly reads: readonly Layout[];
  readonly writes: readonly Layout[];
}

/** Named ops that have the layout of their input. */
const takesLayout: ReadonlySet<string> = new Set([
  'tensor.pad',
  'tensor.insert_slice',
  'tensor.concat',
  'linalg.depthwise_conv_2d_nchw_chw',
  'linalg.pooling_nchw_max',
  'linalg.pooling_nchw_sum',
]);

/** Ops whose results are made in any layout. */
const isFree: ReadonlySet<string> = new Set(['arith.constant', 'tensor.empty', 'linalg.fill']);

/** The channels of a value in NCHW, or of one with groups. */
const channelsOf = ({ type }: Value): number =>
  type.kind === 'tensor' && type.shape.length === 4 && isStaticShape(type) ? type.shape[1]! : 1;

/** The layers of a module, and what they and changes between them cost. */
export const moduleLayouts = (module: Module, target: Target, registry: Registry): ModuleLayouts => {
  const { lanes } = laneRegisters(target);
  const layers: (readonly number[])[] = [[0]];
  const edges: LayoutEdge[] = [];
  const convolutions = new Map<Operation, { readonly layer: number; readonly blocks: Blocks }>();
  /** What is neither convolution nor takes layouts: one layer, as given. */
  const given: Ends = { layer: 0, reads: ['given'], writes: ['given'] };
  const endsOf = (operation: Operation): Ends => {
    const found = isNamed(operation) ? blocksOf(operation, target) : undefined;
    // Vectors are along filters: fewer fill none.
    const blocks = found?.filters === lanes ? found : undefined;
    const [result] = operation.results;
    const layer = layers.length;
    if (blocks !== undefined) {
      const isDense = slicedAs(operation)?.form.kind === 'dense';
      const { asGiven, blocked } = layoutCosts(operation, blocks, target);
      layers.push([asGiven, blocked]);
      convolutions.set(operation, { layer, blocks });
      const own = (isWhole: boolean): readonly Layout[] => [
        'given',
        isDense && isWhole ? 'blocked' : 'other',
      ];
      const isAsGiven = isDense && blocks.channels === 0;
      return {
        layer,
        reads: isAsGiven
          ? ['given', 'given']
          : own(blocks.channels === lanes && channelsOf(operation.operands[0]!) % lanes === 0),
        writes: own(channelsOf(result!) % lanes === 0),
      };
    }
    const takes =
      takesLayout.has(operation.name) ||
      (operation.name !== 'linalg.fill' && epilogueViewOf(registry, operation).status === 'success');
    if (!takes || result === undefined || channelsOf(result) % lanes !== 0) return given;
    const { asGiven, blocked } = depthwiseCosts(operation, target, registry);
    layers.push([asGiven, blocked]);
    return { layer, reads: ['given', 'blocked'], writes: ['given', 'blocked'] };
  };
  const operations = [...walk(module.root)];
  const writers = new Map<Value['id'], Ends | undefined>();
  for (const operation of operations) {
    const ends = endsOf(operation);
    // Filters have a layout of their own, which is made once.
    const read = convolutions.has(operation) ? operation.operands.slice(0, 1) : operation.operands;
    for (const value of read) {
      const isMade = writers.has(value.id);
      const writer = isMade ? writers.get(value.id) : given;
      if (writer === undefined || channelsOf(value) === 1 || value.type.kind !== 'tensor') continue;
      if (writer.layer === ends.layer) continue;
      const cost = repackingCost(elementCount(value.type.shape));
      const costs = writer.writes.map((from) =>
        ends.reads.map((to) => (from === to && from !== 'other' ? 0 : cost)),
      );
      edges.push({ from: writer.layer, to: ends.layer, costs });
    }
    const isAnywhere = isFree.has(operation.name);
    for (const { id } of operation.results) writers.set(id, isAnywhere ? undefined : ends);
  }
  return { graph: { layers, edges }, convolutions };
};

const isNamed = ({ name }: Operation): boolean => blockedNames.some((each) => each === name);
