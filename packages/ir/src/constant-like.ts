/** Constants of any dialect: their values, and their materialization by folds. */
import type { Attribute, Attributes } from './attribute.ts';
import type { OperationState } from './define-op.ts';
import { opInterface } from './op-interface.ts';
import type { Operation } from './operation.ts';
import type { Registry } from './registry.ts';
import { modelOf } from './registry.ts';
import type { Rewriter } from './rewriter.ts';
import type { Type } from './type.ts';

/** An op with no operands and one constant result: upstream's `ConstantLike` and `materializeConstant`. */
export interface ConstantLike {
  /** The value of its result. */
  readonly value: (operation: Operation) => Attribute | undefined;
  /** The attributes for which its result is `value` of `type`; undefined if impossible. */
  readonly attributesFor: (value: Attribute, type: Type) => Attributes | undefined;
}

/** The interface of operations that are constants. */
export const constantLike = opInterface<ConstantLike>('constant-like');

/** The value of a constant operation; undefined for other operations. */
export const constantValueOf = (registry: Registry, operation: Operation): Attribute | undefined =>
  modelOf(registry, constantLike, operation)?.value(operation);

/**
 * The op that materializes `value` as a value of `type`: from the dialect of `operation` if it has one, else the
 * first of the registry that can. Undefined if there is none.
 */
export const materializeConstant = (
  registry: Registry,
  operation: Operation,
  value: Attribute,
  type: Type,
): OperationState<Rewriter> | undefined => {
  const dialect = dialectOf(operation.name);
  const models = constantModels(registry);
  for (const own of [true, false]) {
    for (const [name, model] of models) {
      if ((dialectOf(name) === dialect) !== own) continue;
      const attributes = model.attributesFor(value, type);
      if (attributes !== undefined) return constantState(name, attributes, type, operation);
    }
  }
  return undefined;
};

const constantState = (
  name: string,
  attributes: Attributes,
  type: Type,
  { location }: Operation,
): OperationState<Rewriter> => ({
  name,
  operands: [],
  resultTypes: [type],
  attributes,
  location,
});

const dialectOf = (name: string): string => name.slice(0, name.indexOf('.'));

const modelsByRegistry = new WeakMap<Registry, ReadonlyMap<string, ConstantLike>>();

/** By op name, in registry order. */
const constantModels = (registry: Registry): ReadonlyMap<string, ConstantLike> => {
  const known = modelsByRegistry.get(registry);
  if (known !== undefined) return known;
  const models = new Map<string, ConstantLike>();
  for (const name of [
    ...registry.operations.keys(),
    ...(registry.attachments.get(constantLike.name)?.keys() ?? []),
  ]) {
    const model = modelOf(registry, constantLike, { name });
    if (model !== undefined) models.set(name, model);
  }
  modelsByRegistry.set(registry, models);
  return models;
};
