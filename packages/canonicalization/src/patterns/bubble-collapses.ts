/**
 * Elementwise ops on expanded tensors as ops on what was expanded: reshapes move towards the borders of a function,
 * and what follows a matrix product reads its result (upstream's `populateFoldReshapeOpsByCollapsingPatterns`).
 *
 *     %e = tensor.expand_shape %p [[0], [1, 2]]            %c = tensor.collapse_shape %x [[0], [1, 2]]
 *     %r = linalg.generic ins(%e, %x) outs(%o)      →      %q = linalg.generic ins(%p, %c) outs(…)
 *                                                          %r = tensor.expand_shape %q [[0], [1, 2]]
 */
import type { AffineMap } from '@sconv/affine';
import { dim, makeMap } from '@sconv/affine';
import {
  createCollapse,
  createExpand,
  createGenericLike,
  indexDimensions,
  isTensorValue,
  takeBody,
} from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import { expandShape } from '@sconv/dialects/tensor';
import type { Reassociation } from '@sconv/dialects/tensor';
import type { RewritePattern, TensorType, Value } from '@sconv/ir';
import { isStaticShape } from '@sconv/ir';
import { definedBy } from '../match.ts';

/** The loops that an operand's dimensions are, in their order; undefined for an index that is none. */
const loopsOf = ({ results }: AffineMap): readonly number[] | undefined => {
  const loops = results.flatMap((expr) => (expr.kind === 'dim' ? [expr.position] : []));
  return loops.length === results.length ? loops : undefined;
};

/** Loops of so many, those of each group joined; undefined where a group is not of neighbours in their order. */
const joinedLoops = (rank: number, groups: readonly (readonly number[])[]): Reassociation | undefined => {
  const areNeighbours = groups.every((group) => group.every((loop, i) => loop === group[0]! + i));
  if (!areNeighbours) return undefined;
  const isJoined = (loop: number): boolean => groups.some((group) => group.indexOf(loop) > 0);
  const joined: number[][] = [];
  for (let loop = 0; loop < rank; loop += 1) {
    if (isJoined(loop)) joined.at(-1)!.push(loop);
    else joined.push([loop]);
  }
  return joined;
};

/** The dimensions of an operand by the joined loops that they are; undefined if it has only some of a group's. */
const dimensionsIn = (loops: readonly number[], groups: Reassociation): Reassociation | undefined => {
  const dimensions: number[][] = [];
  for (let at = 0; at < loops.length;) {
    const group = groups.find((each) => each[0] === loops[at]);
    if (!group?.every((loop, i) => loops[at + i] === loop)) return undefined;
    dimensions.push(group.map((_, i) => at + i));
    at += group.length;
  }
  return dimensions;
};

const ofExpandedOperand: RewritePattern = {
  name: 'elementwise-of-expanded',
  rewrite: (rewriter, operation) => {
    const [result, ...others] = operation.results;
    const view = structured(rewriter.registry, operation);
    if (view?.body === undefined || result === undefined || others.length > 0) return;
    if (view.iteratorTypes.some((type) => type !== 'parallel') || indexDimensions(operation).length > 0)
      return;
    const operands = [...view.inputs, ...view.outputs];
    const loops = view.indexingMaps.map(loopsOf);
    const rank = view.iteratorTypes.length;
    for (const [i, input] of view.inputs.entries()) {
      const expanded = definedBy(rewriter, input, expandShape);
      const own = loops[i];
      if (expanded === undefined || own === undefined) continue;
      const { reassociation } = expandShape.attributes(expanded);
      const groups = joinedLoops(
        rank,
        reassociation.map((group) => group.map((at) => own[at]!)),
      );
      if (groups === undefined || groups.length === rank) continue;
      const dimensions = loops.map((each) => each && dimensionsIn(each, groups));
      const fits = operands.every(
        (operand, at) =>
          dimensions[at] !== undefined &&
          (isTensorValue(operand) ? isStaticShape(operand.type) : loops[at]!.length === 0),
      );
      if (!fits) continue;
      const collapsed = operands.map((operand, at): Value => {
        const grouped = dimensions[at]!;
        const isSame = !isTensorValue(operand) || grouped.length === operand.type.shape.length;
        return isSame ? operand : createCollapse(rewriter, operand, grouped);
      });
      const made = createGenericLike(rewriter, operation, {
        inputs: collapsed.slice(0, view.inputs.length),
        outputs: collapsed.slice(view.inputs.length),
        indexingMaps: dimensions.map((grouped, at) =>
          makeMap(
            groups.length,
            0,
            grouped!.map(([first]) => dim(groups.findIndex((group) => group[0] === loops[at]![first!]))),
          ),
        ),
        iteratorTypes: groups.map(() => 'parallel' as const),
      });
      takeBody(rewriter, operation, made);
      const { shape } = result.type as TensorType;
      const again = createExpand(rewriter, made.results[0]! as Value<TensorType>, shape, dimensions.at(-1)!);
      rewriter.replaceOperation(operation, [again], [made]);
      return;
    }
  },
};

/** Moves reshapes towards the borders: expansions behind elementwise ops, and collapses before them. */
export const bubbleCollapsePatterns: readonly RewritePattern[] = [ofExpandedOperand];
