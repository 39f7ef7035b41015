/** The symbols that attributes and operations refer to. */
import type { Attribute, DraftOperation } from '@sconv/ir';

/** The symbols that an attribute references, also inside of arrays and dictionaries, and the nested ones of each. */
const references = (attribute: Attribute): readonly string[] => {
  switch (attribute.kind) {
    case 'symbol-ref':
      return [attribute.root, ...attribute.nested];
    case 'array':
      return attribute.elements.flatMap(references);
    case 'dictionary':
      return Object.values(attribute.entries).flatMap(references);
    default:
      return [];
  }
};

/** The symbols that an operation's own attributes reference, once per reference. */
export const symbolReferences = ({ attributes }: DraftOperation): readonly string[] =>
  Object.values(attributes).flatMap(references);
