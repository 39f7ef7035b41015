/** The pass `transform-interpreter`: runs a schedule that is in the module itself, or in a library. */
import { mapSuccess } from '@sconv/diagnostics';
import type { Module, Registry } from '@sconv/ir';
import { children, definePass, edit, symbolNameOf, textOption } from '@sconv/ir';
import { findSequence } from './find-sequence.ts';
import type { RunOptions } from './run-options.ts';
import { runSchedule } from './run.ts';
import { entryPoint } from './script.ts';

/** What a pass is given that text cannot say. */
export interface InterpreterPassOptions {
  /** Sequences that the module's own may include, and of which one may be the entry point; asked when the pass runs. */
  readonly library?: () => Module | undefined;
  readonly trace?: RunOptions['trace'];
}

/** The pass `transform-interpreter`, with a library or a trace. */
export const interpreterPassWith = ({ library, trace }: InterpreterPassOptions) =>
  definePass({
    name: 'transform-interpreter',
    title: 'InterpreterPass',
    summary: 'run the schedule of the input or of a preloaded library',
    options: { entryPoint: textOption(`the sequence to run (default: ${entryPoint})`, entryPoint) },
    run: (module, options, { registry }) => {
      const script = scriptWith(options.entryPoint, module, library?.(), registry);
      const running = { registry, entryPoint: options.entryPoint, ...(trace === undefined ? {} : { trace }) };
      return mapSuccess(runSchedule(script, module, running), (result) => result.module);
    },
  });

/** The pass `transform-interpreter`. */
export const transformInterpreterPass = interpreterPassWith({});

/** The module that holds the sequence: the payload, one directly in it, or the library; the payload where there is none. */
const scriptWith = (
  name: string,
  payload: Module,
  library: Module | undefined,
  registry: Registry,
): Module => {
  const own = [payload.root, ...children(payload.root)]
    .filter((operation) => operation.name === 'builtin.module')
    .map((root): Module => ({ ...payload, root }))
    .find((module) => findSequence(module, name) !== undefined);
  if (library === undefined) return own ?? payload;
  if (own !== undefined) return withLibrary(own, library, registry);
  return findSequence(library, name) === undefined ? payload : library;
};

/** A script with those operations of a library that it does not define itself. */
export const withLibrary = (script: Module, library: Module, registry: Registry): Module => {
  const own = new Set(children(script.root).map(symbolNameOf));
  const { module } = edit(script, { registry }, (rewriter) => {
    rewriter.setInsertionPointToEnd(rewriter.root.regions[0]!.blocks[0]!);
    for (const operation of children(library.root)) {
      const symbol = symbolNameOf(operation);
      if (symbol !== undefined && !own.has(symbol)) rewriter.clone(operation);
    }
  });
  return module;
};
