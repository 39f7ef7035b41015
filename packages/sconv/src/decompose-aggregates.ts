/** Ops that stand for several structured ones, of which no backend makes code. */
import { softmax } from '@sconv/dialects/linalg';
import type { Module, Registry } from '@sconv/ir';
import { edit, operationsIn } from '@sconv/ir';
import { decomposeInterfaceOp } from '@sconv/normalization';

/** Decomposes each `linalg.softmax` of tensors as `transform.structured.decompose_interface` does. */
export const decomposeAggregates = (module: Module, registry: Registry): Module =>
  operationsIn(module.root).some((operation) => softmax.is(operation))
    ? edit(module, { registry }, (rewriter) => {
        for (const operation of rewriter.walk(rewriter.root)) {
          if (softmax.is(operation)) decomposeInterfaceOp(rewriter, operation);
        }
      }).module
    : module;
