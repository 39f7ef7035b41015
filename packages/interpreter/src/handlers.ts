/** The operations that the interpreter supports. */
import { affineHandlers } from './affine.ts';
import { arithHandlers } from './arith.ts';
import { atomicHandlers } from './atomics.ts';
import { bufferizationHandlers } from './bufferization.ts';
import { cfHandlers } from './cf.ts';
import type { Handler, Handlers } from './context.ts';
import { extendedIntegerHandlers } from './extended-integers.ts';
import { funcHandlers } from './func.ts';
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
  ...linalgHandlers,
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

const ownTable: ReadonlyMap<string, Handler> = new Map(Object.entries(own));

/**
 * Handlers of all dialects by operation name; those in `more` take precedence. Terminators are handled by their parent
 * operation.
 */
export const handlerTable = (more?: Handlers): ReadonlyMap<string, Handler> =>
  more === undefined ? ownTable : new Map([...ownTable, ...Object.entries(more)]);
