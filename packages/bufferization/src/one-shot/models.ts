/** The One-Shot Bufferize models of all dialects. */
import { structuredViews } from '@sconv/dialects/linalg';
import type { Attachment } from '@sconv/ir';
import { attach } from '@sconv/ir';
import type { OneShotModel } from './model.ts';
import { oneShotBufferizable } from './model.ts';
import { softmaxModel, structuredOneShotModel } from './models/destination-style.ts';
import { functionOneShotModels } from './models/func.ts';
import { otherModels } from './models/other.ts';
import { scfOneShotModels } from './models/scf.ts';
import { tensorModels } from './models/tensor.ts';
import { vectorModels } from './models/vector.ts';

const models: Readonly<Record<string, OneShotModel>> = {
  ...otherModels,
  ...functionOneShotModels,
  ...scfOneShotModels,
  ...tensorModels,
  ...vectorModels,
  'linalg.softmax': softmaxModel,
  ...Object.fromEntries([...structuredViews].map(([name, view]) => [name, structuredOneShotModel(view)])),
};

/** One-Shot Bufferize models for arith, bufferization, cf, func, linalg, scf, tensor and vector. */
export const oneShotInterfaces: readonly Attachment[] = Object.entries(models).map(([name, model]) =>
  attach(oneShotBufferizable, name, model),
);
