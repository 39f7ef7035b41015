/** Modules and registries of possibly untyped callers. */
import { describeValue } from '@sconv/diagnostics';

/**
 * Why a value is not a module, as in "not 'module {}'; parseModule() makes one of a text"; undefined for a module. What
 * `parseModule` returns before `unwrap` is none.
 */
export const moduleProblem = (value: unknown): string | undefined => {
  const fields = typeof value === 'object' && value !== null ? value : {};
  const root: unknown = 'root' in fields ? fields.root : undefined;
  if (typeof root === 'object' && root !== null && 'regions' in root) return undefined;
  const hint =
    'status' in fields
      ? '; unwrap() takes the module out of a result'
      : typeof value === 'string'
        ? '; parseModule() makes one of a text'
        : '';
  return `not ${describeValue(value)}${hint}`;
};

/** Throws a TypeError, with this name of the argument, for what is not a module. */
export const expectModule = (name: string, value: unknown): void => {
  const problem = moduleProblem(value);
  if (problem !== undefined) throw new TypeError(`expected a module as ${name}, ${problem}`);
};

/** Throws a TypeError, with this name of the argument, for what is not an operation. */
export const expectOperation = (name: string, value: unknown): void => {
  if (typeof value === 'object' && value !== null && 'operands' in value && 'regions' in value) return;
  throw new TypeError(`expected an operation as ${name}, not ${describeValue(value)}`);
};

/** Whether a value is a registry, as `createRegistry` makes it. */
export const isRegistry = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'operations' in value && 'passes' in value;

/** Throws a TypeError, with the name of the function, for options that are no object with a registry. */
export const expectRegistry = (functionName: string, options: unknown): void => {
  const isObject = typeof options === 'object' && options !== null;
  if (!isObject) {
    throw new TypeError(`${functionName} expects options with a registry, not ${describeValue(options)}`);
  }
  const registry: unknown = 'registry' in options ? options.registry : undefined;
  if (isRegistry(registry)) return;
  throw new TypeError(
    `${functionName} expects a registry, as createRegistry() makes it, as 'registry', not ${describeValue(registry)}`,
  );
};
