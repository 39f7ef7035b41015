/** `--planner`: a planner of the user's, from a file. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { KernelChoice } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import {
  andThen,
  definite,
  describeValue,
  error,
  fileLocation,
  mapSuccess,
  success,
} from '@sconv/diagnostics';
import type { Planner } from '@sconv/plans';
import { checkedScheme, lanesOf, planOfScheme } from '@sconv/schemes';
import type { SourceFile } from '../console.ts';
import { readSource } from '../console.ts';
import { messageOf } from '../reason.ts';

/** For commander: the option, and what it does. */
export const plannerOption = [
  '--planner <file>',
  'an ES module whose default export plans in place of Convolution Slicing Analysis, as in ' +
    '(problem, target) => success({ tree }); or a file whose name ends in .scheme, with an optimization scheme',
] as const;

/** Plans by the scheme of a text, whose vectors without a length are those of the target. */
const plannerOfText =
  ({ name, text }: SourceFile): Planner<KernelChoice> =>
  (contraction, target) =>
    andThen(checkedScheme(text, contraction, { file: name, lanes: lanesOf(target, contraction) }), (scheme) =>
      success({ tree: planOfScheme(scheme, contraction).tree }),
    );

/**
 * The planner that a file exports by default; undefined without a file. Fails with `planner/not-found`, with
 * `planner/cannot-load` for a module that cannot be evaluated, and with `planner/no-planner` for one without a function
 * as its default export. What it throws when it plans is the failure `planner/threw`.
 */
export const loadPlanner = async (
  path: string | undefined,
): Promise<Diagnosed<Planner<KernelChoice> | undefined>> => {
  if (path === undefined) return success(undefined);
  const failure = (code: string, message: string) => definite(error(code, message, fileLocation(path, 1, 1)));
  if (!existsSync(path)) return failure('planner/not-found', 'there is no such file: --planner takes a path');
  if (path.endsWith('.scheme')) return mapSuccess(readSource(path), plannerOfText);
  let exported: unknown;
  try {
    ({ default: exported } = (await import(pathToFileURL(resolve(path)).href)) as {
      readonly default?: unknown;
    });
  } catch (problem) {
    return failure('planner/cannot-load', `this module cannot be loaded: ${messageOf(problem)}`);
  }
  if (typeof exported !== 'function') {
    const found = exported === undefined ? 'there is none' : `it is ${describeValue(exported)}`;
    return failure('planner/no-planner', `expected a planner, a function, as the default export: ${found}`);
  }
  const planner = exported as Planner<KernelChoice>;
  return success((problem, target) => {
    try {
      return planner(problem, target);
    } catch (thrown) {
      return failure('planner/threw', `the planner threw: ${messageOf(thrown)}`);
    }
  });
};
