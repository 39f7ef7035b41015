/** The bufferization models of all dialects, for a registry. */
import { structuredViews } from '@sconv/dialects/linalg';
import type { Attachment } from '@sconv/ir';
import { attach } from '@sconv/ir';
import { arithModels } from './models/arith.ts';
import { bufferizationModels } from './models/bufferization.ts';
import { softmaxModel, structuredModel } from './models/destination-style.ts';
import { functionModels } from './models/func.ts';
import { scfModels } from './models/scf.ts';
import { tensorAccessModels } from './models/tensor-access.ts';
import { tensorCreationModels } from './models/tensor-creation.ts';
import { tensorViewModels } from './models/tensor-views.ts';
import { vectorModels } from './models/vector.ts';
import type { OpModel } from './op-model.ts';
import { bufferizable } from './op-model.ts';

const models: Readonly<Record<string, OpModel>> = {
  ...arithModels,
  ...bufferizationModels,
  ...functionModels,
  ...scfModels,
  ...tensorAccessModels,
  ...tensorCreationModels,
  ...tensorViewModels,
  ...vectorModels,
  'linalg.softmax': softmaxModel,
  ...Object.fromEntries([...structuredViews].map(([name, view]) => [name, structuredModel(view)])),
};

/**
 * Bufferization models for arith, bufferization, cf, func, linalg, scf, tensor and vector: pass to `createRegistry`.
 */
export const bufferizationInterfaces: readonly Attachment[] = Object.entries(models).map(([name, model]) =>
  attach(bufferizable, name, model),
);
