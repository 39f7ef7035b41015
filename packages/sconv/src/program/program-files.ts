/** How a saved program is given, without types that only a page or Node has. */
import type { ModelSource } from '../model/read-model.ts';

/** The files of a program by name, as a page is given them (`Blob` or `File`), or `saveModel` makes them. */
export type ProgramFiles = Readonly<Record<string, Uint8Array | ModelSource>>;

/** An address: a `URL`. */
export interface ProgramAddress {
  readonly href: string;
}
