/** Keeps a payload's symbols apart from the C library's: a function may well be called `free`. */
import { global } from '@sconv/dialects/memref';
import type { Attribute, Attributes, Operation, Rewriter } from '@sconv/ir';
import {
  arrayAttribute,
  dictionaryAttribute,
  stringAttribute,
  symbolNameOf,
  symbolRefAttribute,
} from '@sconv/ir';

/** The library symbol for `name` of a payload. */
export const definedName = (name: string): string => `sconv.${name}`;

/** Renames each symbol that the module defines to its `definedName`; the linker resolves mere declarations. */
export const renameDefinitions = (rewriter: Rewriter): void => {
  const renamed = new Set<string>();
  for (const operation of rewriter.walk(rewriter.root)) {
    const name = symbolNameOf(operation);
    if (name === undefined || operation.parent !== rewriter.root || isDeclaration(operation)) continue;
    renamed.add(name);
    rewriter.setAttribute(operation, 'sym_name', stringAttribute(definedName(name)));
  }
  for (const operation of rewriter.walk(rewriter.root)) {
    for (const [key, attribute] of Object.entries(operation.attributes)) {
      const after = withSymbols(attribute, (name) => (renamed.has(name) ? definedName(name) : name));
      if (after !== attribute) rewriter.setAttribute(operation, key, after);
    }
  }
};

/** An attribute with the roots of its symbol references renamed; the same object if it has none. */
const withSymbols = (attribute: Attribute, rename: (name: string) => string): Attribute => {
  switch (attribute.kind) {
    case 'symbol-ref': {
      const root = rename(attribute.root);
      return root === attribute.root ? attribute : symbolRefAttribute(root, attribute.nested);
    }
    case 'array': {
      const elements = attribute.elements.map((each) => withSymbols(each, rename));
      return elements.every((each, i) => each === attribute.elements[i])
        ? attribute
        : arrayAttribute(elements);
    }
    case 'dictionary': {
      const entries = Object.entries(attribute.entries).map(([key, each]) => [
        key,
        withSymbols(each, rename),
      ]);
      return dictionaryAttribute(Object.fromEntries(entries) as Attributes);
    }
    default:
      return attribute;
  }
};

/** Whether a symbol is external: a function without a body, or a global without a value. */
const isDeclaration = (operation: Operation): boolean =>
  global.is(operation)
    ? operation.attributes['initial_value'] === undefined
    : operation.regions.length > 0 && operation.regions.every(({ blocks }) => blocks.length === 0);
