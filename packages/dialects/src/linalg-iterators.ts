/** Iterator types of structured ops. */
import type { Attribute, AttributeSpec } from '@sconv/ir';
import { arrayOf, attributeKind, dialectAttribute } from '@sconv/ir';

/** Whether iterations of a dimension may go in any order, combine into one element, or slide. */
export type IteratorType = 'parallel' | 'reduction' | 'window';

const iteratorTypes: readonly IteratorType[] = ['parallel', 'reduction', 'window'];

/** `#linalg.iterator_type<parallel>`; the custom form writes `"parallel"`. */
export const iteratorAttribute = (type: IteratorType): Attribute =>
  dialectAttribute('linalg', `iterator_type<${type}>`);

/** The iterator type that an attribute or its string form names. */
export const readIteratorType = (attribute: Attribute): IteratorType | undefined => {
  const word =
    attribute.kind === 'string'
      ? attribute.value
      : attribute.kind === 'dialect' && attribute.dialect === 'linalg'
        ? /^iterator_type<(\w+)>$/.exec(attribute.body)?.[1]
        : undefined;
  return iteratorTypes.find((type) => type === word);
};

export const iteratorTypesAttribute: AttributeSpec<readonly IteratorType[], 'required'> = arrayOf(
  attributeKind('Iterator type', readIteratorType, iteratorAttribute),
  'Iterator type should be an enum.',
);
