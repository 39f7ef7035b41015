/** The pass `transform-interpreter`: runs a schedule from the module itself, or from a library. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, definite, error, mapSuccess, success, unknownLocation } from '@sconv/diagnostics';
import type { Id, Module, Operation, Registry } from '@sconv/ir';
import {
  children,
  definePass,
  edit,
  findOperation,
  flagOption,
  i64,
  integerAttribute,
  listOption,
  symbolNameOf,
  textOption,
  walk,
  walkPostOrder,
} from '@sconv/ir';
import { findSequence } from './find-sequence.ts';
import type { Payload } from './payload.ts';
import { operationsPayload, paramsPayload, valuesPayload } from './payload.ts';
import type { RunOptions } from './run-options.ts';
import { runSchedule } from './run.ts';
import { entryPoint } from './script.ts';

/** Options that have no text form. */
export interface InterpreterPassOptions extends Pick<RunOptions, 'trace' | 'print'> {
  /** Sequences that the module's own may include, or that may be the entry point; queried when the pass runs. */
  readonly library?: () => Module | undefined;
}

/** The pass `transform-interpreter`, with a library, a trace, or a print sink. */
export const interpreterPassWith = ({ library, ...running }: InterpreterPassOptions) =>
  definePass({
    name: 'transform-interpreter',
    title: 'InterpreterPass',
    summary: 'run the schedule of the input or of a preloaded library',
    options: {
      entryPoint: textOption(`the sequence to run (default: ${entryPoint})`, entryPoint),
      debugPayloadRootTag: textOption(`the ${targetTag} of the operation that is the payload`, ''),
      debugBindTrailingArgs: listOption(
        'what further arguments of the sequence stand for: names of operations, with ^ their results, #1;2 numbers',
      ),
      disableExpensiveChecks: flagOption('taken as upstream takes it; checks are never left out'),
    },
    run: (module, { entryPoint: name, debugPayloadRootTag, debugBindTrailingArgs }, { registry }) => {
      const { script, payload } = linked(name, module, library?.(), registry);
      return andThen(rootWith(payload, debugPayloadRootTag), (root) =>
        andThen(
          collect(debugBindTrailingArgs, (text) => bindingOf(text, root)),
          (bindings) =>
            mapSuccess(
              runSchedule(script, payload, {
                ...running,
                registry,
                entryPoint: name,
                root: root.id,
                bindings,
              }),
              (result) => result.module,
            ),
        ),
      );
    },
  });

const targetTag = 'transform.target_tag';

/** The operation with this tag; the root of the module without a tag. */
const rootWith = ({ root }: Module, tag: string): Diagnosed<Operation> => {
  if (tag === '') return success(root);
  const [found, second] = [...walk(root)].filter(({ attributes }) => {
    const attribute = attributes[targetTag];
    return attribute?.kind === 'string' && attribute.value === tag;
  });
  if (found === undefined) {
    const message = `could not find the operation with ${targetTag}="${tag}" attribute`;
    return definite(error('transform/target-tag', message, root.location));
  }
  if (second === undefined) return success(found);
  const note = { message: 'previously seen operation', location: found.location };
  const message = `repeated operation with the target tag '${tag}'`;
  return definite(error('transform/repeated-tag', message, second.location, [note]));
};

/** The payload that an argument is bound to: `func.func`, `^arith.addi`, `#1;2`. */
const bindingOf = (text: string, root: Operation): Diagnosed<Payload> => {
  const named = (name: string) => [...walkPostOrder(root)].filter((each) => each.name === name);
  if (text.startsWith('^'))
    return success(valuesPayload(named(text.slice(1)).flatMap(({ results }) => results.map(({ id }) => id))));
  if (!text.startsWith('#')) return success(operationsPayload(named(text).map(({ id }) => id)));
  const numbers = text.slice(1).split(';');
  if (numbers.every((number) => /^-?\d{1,15}$/.test(number)))
    return success(paramsPayload(numbers.map((number) => integerAttribute(Number(number), i64))));
  const message = `couldn't parse integer pass argument ${text}`;
  return definite(error('transform/bound-integers', message, unknownLocation));
};

/** The pass `transform-interpreter`. */
export const transformInterpreterPass = interpreterPassWith({});

/**
 * The module that contains the sequence: the payload, one directly in it, or the library; the payload if there is
 * none. A module of the payload is linked against the library, as upstream.
 */
const linked = (
  name: string,
  payload: Module,
  library: Module | undefined,
  registry: Registry,
): { readonly script: Module; readonly payload: Module } => {
  const own = [payload.root, ...children(payload.root)]
    .filter((operation) => operation.name === 'builtin.module')
    .find((root) => findSequence({ ...payload, root }, name) !== undefined);
  if (own === undefined) {
    const isInLibrary = library !== undefined && findSequence(library, name) !== undefined;
    return { script: isInLibrary ? library : payload, payload };
  }
  const whole = library === undefined ? payload : withLibraryIn(payload, own.id, library, registry);
  return { script: { ...whole, root: findOperation(whole, own.id, registry)! }, payload: whole };
};

/** A script linked against a library: gets the operations that it does not define itself. */
export const withLibrary = (script: Module, library: Module, registry: Registry): Module =>
  withLibraryIn(script, script.root.id, library, registry);

/** The same for a nested module. */
const withLibraryIn = (script: Module, id: Id, library: Module, registry: Registry): Module =>
  edit(script, { registry }, (rewriter) => {
    const root = rewriter.find(id);
    const own = new Map(children(root).map((each) => [symbolNameOf(each), each]));
    rewriter.setInsertionPointToEnd(root.regions[0]!.blocks[0]!);
    for (const operation of children(library.root)) {
      const symbol = symbolNameOf(operation);
      const declared = own.get(symbol);
      const isDefined = declared !== undefined && !isExternal(declared);
      if (symbol === undefined || isDefined || (declared !== undefined && isExternal(operation))) continue;
      if (declared !== undefined) rewriter.eraseOperation(rewriter.find(declared.id));
      rewriter.clone(operation);
    }
  }).module;

/** Whether a sequence is only declared. */
const isExternal = ({ regions }: Operation): boolean => regions.every(({ blocks }) => blocks.length === 0);
