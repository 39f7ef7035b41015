/** Puts the ops that others are composed of in their place: see `ComposedOp`. */
import type { DraftOperation, Module, Operation, Registry, Rewriter, Value } from '@sconv/ir';
import { builder, edit, modelOf, operationsIn } from '@sconv/ir';
import { uniformConstant } from './arith-fold.ts';
import { elementTypeOf } from './constraints.ts';
import { createDynamicSizes } from './create-size.ts';
import { createConstantValue } from './create-tensor.ts';
import type { ComposedOp } from './scalar-op.ts';
import { scalarOp } from './scalar-op.ts';
import { splat } from './tensor.ts';

/** Ops that are composed of others that are, and so on: what is deeper may have no end, and stays. */
const maximumDepth = 8;

/** The module without ops that are composed of others; itself if it has none. */
export const withoutComposed = (module: Module, registry: Registry): Module =>
  operationsIn(module.root).some((operation) => composedModel(registry, operation) !== undefined)
    ? edit(module, { registry }, (rewriter) => {
        expandComposed(rewriter, rewriter.root);
      }).module
    : module;

/** Replaces all ops below an operation that are composed of others. */
export const expandComposed = (rewriter: Rewriter, root: DraftOperation): void => {
  for (let depth = 0; depth < maximumDepth; depth++) {
    const composed = rewriter
      .walk(root)
      .filter((operation) => composedModel(rewriter.registry, operation) !== undefined);
    if (composed.length === 0) return;
    for (const operation of composed) {
      const { build } = composedModel(rewriter.registry, operation)!;
      rewriter.setInsertionPointBefore(operation);
      const number = (value: number): Value => createNumber(rewriter, value, operation.operands[0]!);
      rewriter.replaceOperation(operation, [build(builder(rewriter), operation.operands, number, operation)]);
    }
  }
};

const composedModel = (registry: Registry, operation: Operation): ComposedOp | undefined => {
  const scalar = modelOf(registry, scalarOp, operation);
  return scalar?.kind === 'composed' ? scalar : undefined;
};

/** A number as a value of the type of another one. */
const createNumber = (rewriter: Rewriter, value: number, like: Value): Value => {
  const { type } = like;
  const elementType = elementTypeOf(type);
  const element = elementType.kind === 'float' ? value : BigInt(value);
  const constant = uniformConstant(element, type);
  if (constant !== undefined) return createConstantValue(rewriter, constant, type);
  const input = createConstantValue(rewriter, uniformConstant(element, elementType)!, elementType);
  return builder(rewriter)(
    splat,
    { input, dynamicSizes: createDynamicSizes(rewriter, like) },
    { resultTypes: [type] },
  );
};
