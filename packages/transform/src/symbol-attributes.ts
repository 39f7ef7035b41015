/** Symbol references in the attributes of transform ops. */
import type { Attribute } from '@sconv/ir';
import { arrayOf, attributeKind, symbolRefAttribute, symbolRefAttributeKind, withSyntax } from '@sconv/ir';

/** A symbol, as `root::nested`. */
export const symbolPath = withSyntax(
  attributeKind(
    'symbol reference attribute',
    (attribute: Attribute) =>
      attribute.kind === 'symbol-ref' ? [attribute.root, ...attribute.nested].join('::') : undefined,
    (path: string) => {
      const [root = '', ...nested] = path.split('::');
      return symbolRefAttribute(root, nested);
    },
  ),
  {
    parse: (parser) => parser.optionalAttribute(),
    print: (printer, attribute) => {
      printer.attribute(attribute);
    },
  },
);

export const symbolList = arrayOf(symbolRefAttributeKind, 'symbol ref array attribute');
