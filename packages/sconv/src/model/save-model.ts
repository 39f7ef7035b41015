/** A model as a program in files, which are loaded without the compiler. */
import type { SavedCode, SaveOptions } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, mapSuccess, unknownLocation } from '@sconv/diagnostics';
import { contentSum } from '../program/content-sum.ts';
import type { Program, ProgramFile } from '../program/manifest.ts';
import { manifestName, printManifest } from '../program/manifest.ts';
import type { CompiledModel } from './compile-model.ts';
import type { ModelTensor } from './runnable-model.ts';

/** A program as files by name. */
export type SavedModel = Readonly<Record<string, Uint8Array>>;

/** What of a `CompiledModel` is saved. */
export interface EmittedModel extends Pick<CompiledModel, 'inputs' | 'outputs'> {
  readonly compiled: Pick<CompiledModel['compiled'], 'backend' | 'emitted' | 'target'>;
}

/**
 * The files of a compiled model, for `loadModel`, to be written into a folder of their own. They depend on nothing but
 * the model and how it was compiled, and the model may have been disposed of. It is called once more, with zeros, to
 * have its weights in the form in which calls read them.
 *
 * Fails with `sconv/no-save` where the backend saves no code, and as the backend and that call do.
 */
export const saveModel = async (
  { inputs, outputs, compiled: { backend, emitted, target } }: EmittedModel,
  options: SaveOptions = {},
): Promise<Diagnosed<SavedModel>> => {
  if (backend.save === undefined) {
    const location = emitted.functions[0]?.location ?? unknownLocation;
    return definite(error('sconv/no-save', `the backend '${backend.name}' saves no code`, location));
  }
  const saved = await backend.save(emitted, options);
  return mapSuccess(saved, (code) =>
    filesOf(code, { target: target.name, inputs: inputs.map(tensorOf), outputs: outputs.map(tensorOf) }),
  );
};

/** The files, with names that tell their contents, so that those of two programs cannot be taken for one another. */
const filesOf = (
  { backend, code, extension, weights, description }: SavedCode,
  model: Pick<Program, 'target' | 'inputs' | 'outputs'>,
): SavedModel => {
  const codeFile = fileOf('code', extension, code);
  const weightsFile = fileOf('weights', '.bin', weights);
  const program = { ...model, backend, code: codeFile, weights: weightsFile, description };
  return {
    [codeFile.name]: code,
    [weightsFile.name]: weights,
    [manifestName]: new TextEncoder().encode(printManifest(program)),
  };
};

const fileOf = (what: string, extension: string, bytes: Uint8Array): ProgramFile => ({
  name: `${what}-${contentSum(bytes)}${extension}`,
  bytes: bytes.length,
});

const tensorOf = ({ name, shape, type }: ModelTensor): ModelTensor => ({
  name,
  shape,
  type: { name: type.name },
});
