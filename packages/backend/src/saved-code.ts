/** Code as files: its constants in the form in which calls read them, so that loading it takes no compiler. */
import type { Diagnosed } from '@sconv/diagnostics';
import type { Artifact } from './artifact.ts';
import type { LoadOptions, LoadSignal } from './backend.ts';

/** What is saved of emitted code. */
export interface SavedCode {
  /** The name of the backend that has emitted it, and of the loader that loads it. */
  readonly backend: string;
  readonly code: Uint8Array;
  /** What a file of the code is called: `.wasm`, say. */
  readonly extension: string;
  /** The constants, in one block. */
  readonly weights: Uint8Array;
  /** What the loader needs besides, as JSON has it. */
  readonly description: object;
}

/** How code is saved. */
export interface SaveOptions {
  /** Most threads that a load will ask for; default 1. */
  readonly threads?: number;
  readonly signal?: LoadSignal;
}

/** Reads the files of saved code. */
export interface SavedFiles {
  code(): Promise<Diagnosed<Uint8Array>>;
  /**
   * A `Response` with the code, for an engine that compiles while it arrives. Rejects where there is none; then, and if
   * it is no code, `code` is to be called, which says why.
   */
  response?(): Promise<object>;
  /** Where the file of the code is, if it is one of this machine. */
  readonly codePath?: string;
  /** Fills the array, which has the size of the block. */
  weights(into: Uint8Array): Promise<Diagnosed<undefined>>;
}

/** The part of a backend that loads what it has saved. */
export interface CodeLoader {
  /** The name of the backend. */
  readonly backend: string;
  /** As `Backend.load`, of a `SavedCode.description` that is as it was; fails as the files do, too. */
  load(description: object, files: SavedFiles, options?: LoadOptions): Promise<Diagnosed<Artifact>>;
}
