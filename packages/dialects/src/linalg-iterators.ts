/** Iterator types of structured ops. */
import type { Attribute, AttributeSpec } from '@sconv/ir';
import { arrayOf, attributeKind, dialectAttribute } from '@sconv/ir';

/** Whether the iterations of a dimension are independent, or reduce into one element. */
export type IteratorType = 'parallel' | 'reduction';

const iteratorTypes: readonly IteratorType[] = ['parallel', 'reduction'];

/** The iterator type with this name: `"parallel"` in the custom form. */
export const iteratorTypeNamed = (word: string): IteratorType | undefined =>
  iteratorTypes.find((type) => type === word);

const attributes = {
  parallel: dialectAttribute('linalg', 'iterator_type<parallel>'),
  reduction: dialectAttribute('linalg', 'iterator_type<reduction>'),
} satisfies Record<IteratorType, Attribute>;

/** `#linalg.iterator_type<parallel>`. */
export const iteratorAttribute = (type: IteratorType): Attribute => attributes[type];

/** The iterator type that an attribute names. */
export const readIteratorType = (attribute: Attribute): IteratorType | undefined =>
  attribute.kind === 'dialect' && attribute.dialect === 'linalg'
    ? iteratorTypes.find((type) => attribute.body === attributes[type].body)
    : undefined;

export const iteratorTypesAttribute: AttributeSpec<readonly IteratorType[], 'required'> = arrayOf(
  attributeKind('Iterator type', readIteratorType, iteratorAttribute),
  'Iterator type should be an enum.',
);
