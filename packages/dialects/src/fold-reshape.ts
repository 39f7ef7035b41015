/** Folds of `tensor.collapse_shape` and `tensor.expand_shape`. */
import type { Folder } from '@sconv/ir';
import { attributeEquals, DYNAMIC, typeEquals } from '@sconv/ir';

/**
 * A reshape to the same type folds to its source, and one that undoes another, the op `inverse`, to the source of
 * that: of two dynamic sizes or more, it must have the same groups.
 */
export const foldReshape =
  (inverse: string): Folder =>
  ({ operands: [source], results: [result], attributes }, _constants, definitionOf) => {
    if (source === undefined || result === undefined) return undefined;
    if (typeEquals(source.type, result.type)) return [source];
    const first = definitionOf(source);
    const before = first?.name === inverse ? first.operands[0] : undefined;
    if (before?.type.kind !== 'tensor' || !typeEquals(before.type, result.type)) return undefined;
    const [groups, others] = [attributes['reassociation'], first?.attributes['reassociation']];
    if (groups === undefined || others === undefined) return undefined;
    const dynamic = before.type.shape.filter((size) => size === DYNAMIC).length;
    return dynamic < 2 || attributeEquals(groups, others) ? [before] : undefined;
  };
