/** The bytes of a model, from where a page or Node has them. */
import type { LoadSignal } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, describeValue, error, fileLocation, success, unknownLocation } from '@sconv/diagnostics';
import { aborted } from '../aborted.ts';

/** A stream of bytes: the part of a `ReadableStream` that is used. */
export interface ModelStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): Promise<unknown>;
  };
}

/**
 * A file that is read piece by piece: a `Blob`, such as a `File` that was dropped on a page or what `openAsBlob` of
 * Node opens, or `{ size, stream: () => response.body }` of a response.
 */
export interface ModelSource {
  /** In bytes, if that is known: room for the file is reserved at once then. */
  readonly size?: number;
  stream(): ModelStream;
}

/** How a file is read. */
export interface ReadOptions {
  /** What diagnostics call it. */
  readonly fileName?: string | undefined;
  readonly signal?: LoadSignal | undefined;
  /** Told the bytes that are there, and all of them, if that is known. */
  readonly onBytes: (bytes: number, totalBytes: number | undefined) => void;
}

/**
 * Reads a file into one array, to which each piece is copied once if the size is known. Fails with
 * `sconv/model-unreadable` where the stream fails or memory is short, and with `sconv/aborted`.
 */
export const readModel = async (
  source: ModelSource,
  { fileName, signal, onBytes }: ReadOptions,
): Promise<Diagnosed<Uint8Array>> => {
  const location = fileName === undefined ? unknownLocation : fileLocation(fileName, 1, 1);
  const { size } = source;
  try {
    let all = new Uint8Array(size ?? leastBytes);
    let length = 0;
    const reader = source.stream().getReader();
    // What is waited for may never come.
    const cancel = (): void => void reader.cancel().catch(() => undefined);
    signal?.addEventListener?.('abort', cancel);
    try {
      for (;;) {
        onBytes(length, size !== undefined && length <= size ? size : undefined);
        const { done, value } = await reader.read();
        if (signal?.aborted === true) {
          cancel();
          return aborted(location);
        }
        if (done || value === undefined) return success(all.subarray(0, length));
        if (length + value.length > all.length) all = grown(all, length + value.length);
        all.set(value, length);
        length += value.length;
      }
    } finally {
      signal?.removeEventListener?.('abort', cancel);
    }
  } catch (problem) {
    const reason = problem instanceof Error ? problem.message : describeValue(problem);
    return definite(error('sconv/model-unreadable', `the model cannot be read: ${reason}`, location));
  }
};

/** Room for a file of unknown size, which doubles when it is full. */
const leastBytes = 2 ** 20;

const grown = (bytes: Uint8Array, least: number): Uint8Array<ArrayBuffer> => {
  const more = new Uint8Array(Math.max(least, 2 * bytes.length));
  more.set(bytes);
  return more;
};
