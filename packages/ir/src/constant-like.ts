/** Operations that are constants, of whatever dialect: read by whoever computes with them, made by whoever folds. */
import type { Attribute, Attributes } from './attribute.ts';
import type { OperationState } from './define-op.ts';
import { opInterface } from './op-interface.ts';
import type { Operation } from './operation.ts';
import type { Registry } from './registry.ts';
import { modelOf } from './registry.ts';
import type { Rewriter } from './rewriter.ts';
import type { Type } from './type.ts';

/** An op without operands whose one result is known: upstream's `ConstantLike`, and `materializeConstant` of its dialect. */
export interface ConstantLike {
  /** What its result is. */
  readonly value: (operation: Operation) => Attribute | undefined;
  /** The attributes with which its result is `value`, as a value of `type`; undefined where it cannot be. */
  readonly attributesFor: (value: Attribute, type: Type) => Attributes | undefined;
}

export const constantLike = opInterface<ConstantLike>('constant-like');

/** What the result of an operation is, if that is constant. */
export const constantValueOf = (registry: Registry, operation: Operation): Attribute | undefined =>
  modelOf(registry, constantLike, operation)?.value(operation);

/**
 * The op that makes `value` a value of `type`: of the dialect of `operation` if that has one, else the first of the registry
 * that can. Undefined where none can.
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
  bodies: [],
  successors: [],
  location,
});

const dialectOf = (name: string): string => name.slice(0, name.indexOf('.'));

const modelsByRegistry = new WeakMap<Registry, ReadonlyMap<string, ConstantLike>>();

/** By name of the op, in the order of the registry. */
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
