/** Which files beside a model its weights lie in. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, success } from '@sconv/diagnostics';
import { externalNames } from './external-tensors.ts';
import { decodeModel } from './model.ts';

/**
 * The names of the files beside a model that its weights lie in, relative to its folder, for `externalData` of
 * `importOnnx`. Fails with `onnx/malformed` for what is no ONNX file, and with `onnx/external-data` for a name that
 * leads out of the folder.
 */
export const externalFilesOf = (file: Uint8Array): Diagnosed<readonly string[]> =>
  andThen(decodeModel(file), ({ graph }) => (graph === undefined ? success([]) : externalNames(graph)));
