/** Restricts a scheduled module to the requested functions. */
import { symbolDce } from '@sconv/canonicalization';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, describeValue, success, unknownName } from '@sconv/diagnostics';
import type { Module, Operation, Registry } from '@sconv/ir';
import { children, edit, stringAttribute, symbolNameOf, walk } from '@sconv/ir';
import { optionProblem } from './check-options.ts';
import type { ScheduledModule } from './schedule-payload.ts';

/**
 * The module with only the named functions and their callees, and their plans; everything if none is named. Fails with
 * `sconv/option` if `payload` has no such function.
 */
export const onlyFunctions = (
  payload: Module,
  { module, plans }: ScheduledModule,
  names: readonly string[] | undefined,
  registry: Registry,
): Diagnosed<ScheduledModule> => {
  if (names === undefined) return success({ module, plans });
  const functions = functionsOf(payload);
  const known = functions.map((each) => symbolNameOf(each) ?? '');
  const refused = (what: string) =>
    definite(optionProblem('compileModule', 'sconv/option', `'functions': ${what}`));
  if (!Array.isArray(names)) return refused(`expected an array of names, not ${describeValue(names)}`);
  for (const name of names as readonly unknown[]) {
    if (typeof name !== 'string') return refused(`no name ${describeValue(name)}`);
    if (!known.includes(name)) return refused(unknownName('function', name, known));
  }
  if (known.every((name) => names.includes(name))) return success({ module, plans });
  const { module: reached } = edit(module, { registry }, (rewriter) => {
    for (const operation of rewriter.root.regions[0]!.blocks[0]!.operations) {
      if (!isFunction(operation)) continue;
      const isNamed = names.includes(symbolNameOf(operation) ?? '');
      rewriter.setAttribute(operation, 'sym_visibility', isNamed ? undefined : stringAttribute('private'));
    }
    symbolDce().runOn!(rewriter, rewriter.root);
  });
  const left = new Set(functionsOf(reached).map(symbolNameOf));
  const planned = new Set(
    functions.flatMap((each) => (left.has(symbolNameOf(each)) ? [...walk(each)].map(({ id }) => id) : [])),
  );
  return success({ module: reached, plans: plans.filter(({ operation }) => planned.has(operation.id)) });
};

const isFunction = ({ name, regions }: Operation): boolean =>
  name === 'func.func' && (regions[0]?.blocks.length ?? 0) > 0;

const functionsOf = ({ root }: Module): readonly Operation[] => children(root).filter(isFunction);
