/** The operations that the interpreter supports. */
import { arithDialect, mathDialect, scalarOp, vectorDialect } from '@sconv/dialects';
import type { Registry } from '@sconv/ir';
import { createRegistry, modelOf } from '@sconv/ir';
import { affineHandlers } from './affine.ts';
import { arithHandlers, elementwise } from './arith.ts';
import { atomicHandlers } from './atomics.ts';
import { bufferizationHandlers } from './bufferization.ts';
import { cfHandlers } from './cf.ts';
import type { Handler, Handlers } from './context.ts';
import { extendedIntegerHandlers } from './extended-integers.ts';
import { funcHandlers } from './func.ts';
import { kernelHandlers } from './kernel.ts';
import { linalgHandlers } from './linalg.ts';
import { memrefHandlers } from './memref.ts';
import { scfHandlers } from './scf.ts';
import { softmaxHandler } from './softmax.ts';
import { winogradHandler } from './winograd.ts';
import { tensorHandlers } from './tensor.ts';
import { vectorHandlers } from './vector.ts';
import { packHandlers } from './tensor-pack.ts';

const own: Handlers = {
  ...affineHandlers,
  ...arithHandlers,
  ...atomicHandlers,
  ...bufferizationHandlers,
  ...cfHandlers,
  ...extendedIntegerHandlers,
  ...funcHandlers,
  ...kernelHandlers,
  ...linalgHandlers,
  // Everything is in order.
  'llvm.fence': () => undefined,
  ...memrefHandlers,
  ...packHandlers,
  ...scfHandlers,
  'linalg.softmax': softmaxHandler,
  'linalg.winograd_filter_transform': winogradHandler,
  'linalg.winograd_input_transform': winogradHandler,
  'linalg.winograd_output_transform': winogradHandler,
  ...tensorHandlers,
  ...vectorHandlers,
};

/** The dialects whose ops declare what they compute. */
const ownRegistry = createRegistry([arithDialect, mathDialect, vectorDialect]);

/** Handlers by operation name, and what operations are declared to compute. */
export interface HandlerTable {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly registry: Registry;
}

const tableOf = (registry: Registry): HandlerTable => {
  const computed = [...registry.operations.keys()].filter((name) => {
    const scalar = modelOf(registry, scalarOp, { name });
    return scalar !== undefined && scalar.kind !== 'composed';
  });
  const handlers = new Map([...computed.map((name) => [name, elementwise] as const), ...Object.entries(own)]);
  return { handlers, registry };
};

const ownTable = tableOf(ownRegistry);

/**
 * Handlers of all dialects, and of what else a registry declares to compute; those in `more` take precedence.
 * Terminators are handled by their parent operation.
 */
export const handlerTable = (registry?: Registry, more?: Handlers): HandlerTable => {
  const table = registry === undefined ? ownTable : tableOf(registry);
  if (more === undefined) return table;
  return { ...table, handlers: new Map([...table.handlers, ...Object.entries(more)]) };
};
