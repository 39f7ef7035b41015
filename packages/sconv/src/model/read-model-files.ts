/** A model's file and the files beside it that its weights lie in, for the commands. */
import { dirname, join } from 'node:path';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, fileLocation, mapSuccess, success } from '@sconv/diagnostics';
import type { ExternalData } from '@sconv/onnx';
import { externalFilesOf } from '@sconv/onnx';
import { readBytes } from '../console.ts';

/** The bytes of a model, and of the files that it names. */
export interface ModelFiles {
  readonly bytes: Uint8Array;
  readonly externalData: ExternalData;
}

/** Reads a model. Fails with `sconv/cannot-read`, also for a file beside it, and as `externalFilesOf` does. */
export const readModelFiles = (path: string): Diagnosed<ModelFiles> =>
  andThen(readBytes(path), (bytes) =>
    andThen(inFile(externalFilesOf(bytes), path), (names) =>
      names.reduce<Diagnosed<ModelFiles>>(
        (read, name) =>
          andThen(read, ({ externalData }) =>
            mapSuccess(readBytes(join(dirname(path), name)), (external) => ({
              bytes,
              externalData: { ...externalData, [name]: external },
            })),
          ),
        success({ bytes, externalData: {} }),
      ),
    ),
  );

const inFile = <T>(found: Diagnosed<T>, path: string): Diagnosed<T> => ({
  ...found,
  diagnostics: found.diagnostics.map((each) => ({ ...each, location: fileLocation(path, 1, 1) })),
});
