/**
 * Properties and discardable attributes: one dictionary in the IR, `<{…}>` and `{…}` in the generic form. The
 * declaration of an operation determines which are properties.
 */
import type { Attributes } from './attribute.ts';
import { dictionaryAttribute, unknownProperties } from './attribute.ts';
import { attributesFrom } from './attribute-parser.ts';
import type { OpDefinition } from './define-op.ts';
import { storedDefaults } from './define-op.ts';
import type { Operation } from './operation.ts';

/** What the sizes of operand groups are called by ops of an IRDL file. */
const segmentsOfIrdl = 'operand_segment_sizes';

/** Adds the attributes that the declaration stores by default. */
export const withDefaults = (definition: OpDefinition | undefined, attributes: Attributes): Attributes => {
  if (definition === undefined) return attributes;
  const defaults = storedDefaults(definition);
  return Object.keys(defaults).length === 0 ? attributes : Object.freeze({ ...defaults, ...attributes });
};

/**
 * Joins properties and other attributes into one dictionary. The definition tells them apart later; without one, the
 * properties are kept together under a reserved name.
 */
export const joinAttributes = (
  definition: OpDefinition | undefined,
  properties: Attributes | undefined,
  dictionary: Attributes,
): Attributes => {
  if (definition?.traits.has('irdl') === true) {
    const { [segmentsOfIrdl]: sizes, ...others } = { ...properties, ...dictionary };
    return withDefaults(definition, sizes === undefined ? others : { ...others, operandSegmentSizes: sizes });
  }
  if (properties === undefined) return withDefaults(definition, dictionary);
  const own =
    definition === undefined
      ? [[unknownProperties, dictionaryAttribute(properties)] as const]
      : Object.entries(properties);
  return withDefaults(definition, attributesFrom([...own, ...Object.entries(dictionary)]));
};

/** Splits attributes into declared ones, stored defaults included, and others. */
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
  if (definition.traits.has('irdl')) {
    const { operandSegmentSizes: sizes, ...others } = operation.attributes;
    return {
      inherent: {},
      discardable: sizes === undefined ? others : { ...others, [segmentsOfIrdl]: sizes },
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
