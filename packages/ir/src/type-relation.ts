/**
 * Relations between operand and result types, as ODS's `AllTypesMatch` and `TypesMatchWith`: the verifier checks
 * them, and the assembly format infers omitted types from them.
 */
import type { OpDefinition } from './define-op.ts';
import { groupSizes } from './value-groups.ts';
import type { Operation, Value } from './operation.ts';
import type { ValueSpec } from './op-spec.ts';
import type { Type } from './type.ts';
import { typeEquals } from './type.ts';

/** The types of the groups `to` follow from the single type of the group `from`. */
export interface TypeRelation {
  /** As in "failed to verify that {description}". */
  readonly description: string;
  /** The name of a single-value operand or result group. */
  readonly from: string;
  readonly to: readonly string[];
  /** The type of all values of `to`; undefined if the type of `from` determines nothing. */
  readonly transform: (type: Type) => Type | undefined;
  /** Whether any of the groups determines the others; `transform` is then the identity. */
  readonly symmetric: boolean;
}

/** All values of these groups have one type. */
export const allTypesMatch = (first: string, ...others: readonly string[]): TypeRelation => ({
  description: `all of {${[first, ...others].join(', ')}} have same type`,
  from: first,
  to: others,
  transform: (type) => type,
  symmetric: true,
});

/** The type of `to` is `transform` of the type of `from`. */
export const typesMatchWith = (
  description: string,
  from: string,
  to: string,
  transform: (type: Type) => Type | undefined,
): TypeRelation => ({ description, from, to: [to], transform, symmetric: false });

/**
 * Adds to `known` (types by group name) what relations, the `same-operands…` traits and buildable constraints
 * determine. `sizes` has the size of each group.
 */
export const inferRelatedTypes = (
  definition: OpDefinition,
  known: Map<string, readonly Type[]>,
  sizes: ReadonlyMap<string, number>,
): void => {
  const fill = (name: string, type: Type | undefined): void => {
    if (type === undefined || known.has(name)) return;
    known.set(
      name,
      Array.from({ length: sizes.get(name) ?? 1 }, () => type),
    );
  };
  for (const spec of [...definition.operandSpecs, ...definition.resultSpecs])
    fill(spec.name, spec.type.buildable);
  for (const relation of [...traitRelations(definition), ...definition.typeRelations]) {
    const sources = relation.symmetric ? [relation.from, ...relation.to] : [relation.from];
    const source = sources.map((name) => known.get(name)?.[0]).find((type) => type !== undefined);
    if (source === undefined) continue;
    if (relation.symmetric) fill(relation.from, source);
    for (const name of relation.to) fill(name, relation.transform(source));
  }
};

const traitRelations = (definition: OpDefinition): readonly TypeRelation[] => {
  const operands = definition.operandSpecs.map((spec) => spec.name);
  const results = definition.resultSpecs.map((spec) => spec.name);
  const names = definition.traits.has('same-operands-and-result-type')
    ? [...operands, ...results]
    : definition.traits.has('same-operands-type')
      ? operands
      : [];
  const [first, ...others] = names;
  return first === undefined ? [] : [allTypesMatch(first, ...others)];
};

/** Errors of the types of `operation`, with upstream's messages. */
export const relationErrors = (definition: OpDefinition, operation: Operation): readonly string[] => {
  const types = groupTypes(definition, operation);
  return definition.typeRelations
    .filter((relation) => {
      const source = types.get(relation.from)?.[0];
      const wanted = source === undefined ? undefined : relation.transform(source);
      return (
        wanted !== undefined &&
        relation.to.some((name) => (types.get(name) ?? []).some((type) => !typeEquals(type, wanted)))
      );
    })
    .map((relation) => `failed to verify that ${relation.description}`);
};

const groupTypes = (definition: OpDefinition, operation: Operation): ReadonlyMap<string, readonly Type[]> => {
  const byName = new Map<string, readonly Type[]>();
  const add = (
    specs: readonly (ValueSpec & { readonly name: string })[],
    values: readonly Value[],
    segments: string,
  ): void => {
    const sizes = groupSizes(specs, values.length, operation.attributes[segments]) ?? [];
    let next = 0;
    specs.forEach((spec, i) => {
      const end = next + (sizes[i] ?? 0);
      byName.set(
        spec.name,
        values.slice(next, end).map((value) => value.type),
      );
      next = end;
    });
  };
  add(definition.operandSpecs, operation.operands, 'operandSegmentSizes');
  add(definition.resultSpecs, operation.results, 'resultSegmentSizes');
  return byName;
};
