/** Plans as text, for people and for comparison. */
import type { Extents, Plan } from './plan.ts';
import { foldPlan } from './plan.ts';

const extentsText = (extents: Extents<string>): string =>
  Object.keys(extents)
    .sort()
    .map((dimension) => `${dimension} ${extents[dimension]!}`)
    .join(', ');

/** A plan as indented lines, one per node: `loop windows 4 x 1392`. Complete: plans with the same text are equal. */
export const printPlan = <D extends string>(plan: Plan<D>): string =>
  foldPlan<D, (indent: string) => string>(plan, {
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
      ({ operand, tiles }, body) =>
      (indent) =>
        `${indent}pack ${operand} ${tiles}\n${body(indent)}`,
    kernel:
      ({ lanes, extents }) =>
      (indent) =>
        `${indent}kernel along ${lanes}: ${extentsText(extents)}\n`,
    scalar:
      ({ extents }) =>
      (indent) =>
        `${indent}scalar: ${extentsText(extents)}\n`,
  })('');
