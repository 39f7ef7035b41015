/** One-Shot Bufferization (ST §5.6, step 5a): tensors become buffers, in place where the decisions say so. */
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess } from '@sconv/diagnostics';
import type { DraftOperation, EditOptions, Module, Rewriter } from '@sconv/ir';
import { expectModule, expectRegistry, tryEdit } from '@sconv/ir';
import { diagnosed } from './failure.ts';
import type { BufferizeOptions } from './options.ts';
import { resolveOptions } from './options.ts';
import { bufferizeSoundly } from './sound/bufferize-soundly.ts';
import { bufferizeAsUpstream } from './upstream/bufferize-as-upstream.ts';

/** Bufferizes a module; see `bufferizeOp`. */
export const bufferizeModule = (
  module: Module,
  options: BufferizeOptions & EditOptions,
): Diagnosed<Module> => {
  expectModule('what is bufferized', module);
  expectRegistry('bufferizeModule', options);
  return mapSuccess(
    tryEdit(module, options, (rewriter) => bufferizeOp(rewriter, rewriter.root, options)),
    (edit) => edit.module,
  );
};

/**
 * Bufferizes the tensors of a module, or of a single function if function boundaries are not bufferized. Discard the
 * draft after a failure; all are definite.
 *
 * Failures of sound decisions: `bufferize/unsupported-op`, `bufferize/unstructured-control-flow`,
 * `bufferize/recursive-call`, `bufferize/loop-carried-size`, `bufferize/not-a-module`. They warn about tensors that
 * loops copy in each iteration.
 *
 * With `decisions: 'upstream'`, `target` may be any operation unless function boundaries are bufferized. Failures are
 * those of the transform op `transform.bufferization.one_shot_bufferize`.
 */
export const bufferizeOp = (
  rewriter: Rewriter,
  target: DraftOperation,
  options: BufferizeOptions = {},
): Diagnosed<undefined> => {
  const resolved = resolveOptions(options);
  return diagnosed(() =>
    resolved.decisions === 'upstream'
      ? bufferizeAsUpstream(rewriter, target, resolved)
      : bufferizeSoundly(rewriter, target, resolved),
  );
};
