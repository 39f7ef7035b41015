/**
 * Properties and other attributes: in the IR they are one dictionary, in the generic form `<{…}>` and `{…}`. The
 * declaration of an operation says which are its properties.
 */
import type { Attributes } from './attribute.ts';
import { dictionaryAttribute, unknownProperties } from './attribute.ts';
import { attributesFrom } from './attribute-parser.ts';
import type { OpDefinition } from './define-op.ts';
import { storedDefaults } from './define-op.ts';
import type { Operation } from './operation.ts';

/** With what the declaration stores in an operation that is made without it. */
export const withDefaults = (definition: OpDefinition | undefined, attributes: Attributes): Attributes => {
  if (definition === undefined) return attributes;
  const defaults = storedDefaults(definition);
  return Object.keys(defaults).length === 0 ? attributes : Object.freeze({ ...defaults, ...attributes });
};

/**
 * One dictionary of properties and other attributes. Which are which is said by the definition; without one, the
 * properties stay together under a name of their own.
 */
export const joinAttributes = (
  definition: OpDefinition | undefined,
  properties: Attributes | undefined,
  dictionary: Attributes,
): Attributes => {
  if (properties === undefined) return withDefaults(definition, dictionary);
  const own =
    definition === undefined
      ? [[unknownProperties, dictionaryAttribute(properties)] as const]
      : Object.entries(properties);
  return withDefaults(definition, attributesFrom([...own, ...Object.entries(dictionary)]));
};

/** The attributes that the declaration names, stored defaults included, and the others. */
export const splitAttributes = (
  operation: Operation,
  definition: OpDefinition | undefined,
): { readonly inherent: Attributes; readonly discardable: Attributes } => {
  if (definition === undefined) {
    const properties = operation.attributes[unknownProperties];
    return {
      inherent: properties?.kind === 'dictionary' ? properties.entries : {},
      discardable: withoutProperties(operation.attributes),
    };
  }
  const names = new Set(definition.attributeSpecs.map((spec) => spec.name));
  names.add('operandSegmentSizes').add('resultSegmentSizes');
  const entries = Object.entries(operation.attributes);
  return {
    inherent: {
      ...storedDefaults(definition),
      ...Object.fromEntries(entries.filter(([name]) => names.has(name))),
    },
    discardable: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
  };
};

const withoutProperties = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== unknownProperties));
