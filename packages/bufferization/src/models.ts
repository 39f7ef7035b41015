/** The bufferization models of all dialects, for a registry. */
import { structuredViews } from '@sconv/dialects/linalg';
import type { Attachment } from '@sconv/ir';
import { attach } from '@sconv/ir';
import { constantModel } from './arith-models.ts';
import { bufferizationModels } from './bufferization-models.ts';
import { functionModels } from './func-models.ts';
import { oneShotInterfaces } from './one-shot/models.ts';
import { structuredModel } from './structured-model.ts';
import type { OpModel } from './op-model.ts';
import { bufferizable } from './op-model.ts';
import { scfModels } from './scf-models.ts';
import { tensorCreationModels } from './tensor-creation-models.ts';
import { tensorAccessModels } from './tensor-access-models.ts';
import { tensorViewModels } from './tensor-view-models.ts';
import { vectorModels } from './vector-models.ts';

const models: Readonly<Record<string, OpModel>> = {
  'arith.constant': constantModel,
  ...bufferizationModels,
  ...functionModels,
  ...scfModels,
  ...tensorAccessModels,
  ...tensorCreationModels,
  ...tensorViewModels,
  ...vectorModels,
  ...Object.fromEntries([...structuredViews].map(([name, view]) => [name, structuredModel(view)])),
};

/** Bufferization models for arith, func, scf, tensor, linalg, vector and bufferization: pass to `createRegistry`. */
export const bufferizationInterfaces: readonly Attachment[] = [
  ...Object.entries(models).map(([name, model]) => attach(bufferizable, name, model)),
  ...oneShotInterfaces,
];
