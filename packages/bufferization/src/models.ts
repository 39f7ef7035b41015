/** The models of all operations that bufferization knows. */
import { isLinalgOp } from '@sconv/dialects/linalg';
import type { Operation } from '@sconv/ir';
import { constantModel } from './arith-models.ts';
import { bufferizationModels } from './bufferization-models.ts';
import { functionModels } from './func-models.ts';
import { linalgModel } from './linalg-model.ts';
import type { OpModel } from './op-model.ts';
import { scfModels } from './scf-models.ts';
import { tensorCreationModels } from './tensor-creation-models.ts';
import { tensorAccessModels } from './tensor-access-models.ts';
import { tensorViewModels } from './tensor-view-models.ts';

const models: ReadonlyMap<string, OpModel> = new Map(
  Object.entries({
    'arith.constant': constantModel,
    ...bufferizationModels,
    ...functionModels,
    ...scfModels,
    ...tensorAccessModels,
    ...tensorCreationModels,
    ...tensorViewModels,
  }),
);

/** The model of an operation; undefined if it cannot be bufferized. */
export const modelOf = (operation: Operation): OpModel | undefined =>
  models.get(operation.name) ?? (isLinalgOp(operation) ? linalgModel : undefined);
