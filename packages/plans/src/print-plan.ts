/** Plans as text, for people and for comparison. */
import type { KernelNode, Plan } from './plan.ts';
import { foldPlan } from './plan.ts';

const extentsText = (extents: Readonly<Record<string, number | undefined>>): string =>
  Object.keys(extents)
    .sort()
    .map((dimension) => `${dimension} ${extents[dimension]!}`)
    .join(', ');

/** What a leaf decides besides its lanes. */
const decisionsText = ({ unroll, tiles }: KernelNode<string>): string =>
  (unroll === undefined ? '' : `, unrolled ${extentsText(unroll) || 'not at all'}`) +
  (tiles === undefined ? '' : `, in tiles ${tiles.map(partText).join(' ')}`);

const partText = ({
  firstWindow,
  windows,
  firstFilter,
  filters,
}: NonNullable<KernelNode['tiles']>[number]): string => `${firstWindow}+${windows}x${firstFilter}+${filters}`;

/** A plan as indented lines, one per node: `loop windows 4 x 1392`. Complete: plans with the same text are equal. */
export const printPlan = (plan: Plan<string>): string =>
  foldPlan<string, (indent: string) => string>(plan, {
    loop:
      ({ dimension, step, count }, body) =>
      (indent) =>
        `${indent}loop ${dimension} ${count} x ${step}\n${body(`${indent}  `)}`,
    split:
      ({ dimension, parts }, bodies) =>
      (indent) =>
        bodies
          .map((body, i) => `${indent}part ${dimension} ${parts[i]!.size}\n${body(`${indent}  `)}`)
          .join(''),
    pack:
      ({ operand, tiles, padded }, body) =>
      (indent) =>
        `${indent}pack ${operand} ${tiles}${padded === undefined ? '' : `, padded to ${padded}`}\n${body(indent)}`,
    kernel: (node) => (indent) =>
      `${indent}kernel along ${node.lanes}${decisionsText(node)}: ${extentsText(node.extents)}\n`,
    scalar:
      ({ extents }) =>
      (indent) =>
        `${indent}scalar: ${extentsText(extents)}\n`,
  })('');
