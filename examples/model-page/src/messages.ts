/** What the page and the model's worker say to each other. */
import type { OpenInput } from './open-inputs.ts';
import type { Summary } from './summary.ts';

/** Asks for a model to be run. */
export interface Request {
  readonly file: File;
  /** Of inputs that the model leaves open; without them, the worker may answer with `sizes`. */
  readonly sizes?: Readonly<Record<string, readonly number[]>>;
  readonly threads: number;
  readonly seed: number;
  readonly image?: File;
}

/** A diagnostic, to be read. */
export interface Problem {
  readonly severity: string;
  /** The node, or the file. */
  readonly where: string;
  readonly message: string;
  readonly code: string;
  readonly notes: readonly { readonly where: string; readonly message: string }[];
}

/** An output of the model. */
export interface Output extends Summary {
  readonly name: string;
  readonly shape: readonly number[];
  readonly type: string;
  readonly bytes: ArrayBuffer;
}

/** A part of the model: a loop nest, with what is fused with it. */
export interface Part {
  readonly nodes: readonly string[];
  readonly seconds: number;
  /** Undefined where nothing is multiplied. */
  readonly gflops: number | undefined;
  /** Of the time of all parts. */
  readonly share: number;
}

/** What the worker says. */
export type Answer =
  /** Asks for these; nothing more comes until the answer. */
  | { readonly kind: 'sizes'; readonly inputs: readonly OpenInput[] }
  | { readonly kind: 'progress'; readonly stage: string; readonly done: number }
  | {
      readonly kind: 'result';
      readonly outputs: readonly Output[];
      readonly threads: number;
      /** Until the model was ready, of the first call, and the median of the later ones. */
      readonly seconds: { readonly load: number; readonly first: number; readonly steady: number };
      readonly calls: number;
    }
  | { readonly kind: 'profile'; readonly parts: readonly Part[] }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }
  /** There is nothing more to come. */
  | { readonly kind: 'end' };
