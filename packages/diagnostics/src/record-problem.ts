/** What is no record, for functions that untyped callers may call. */
import { describeValue } from './describe-value.ts';

/**
 * The first of a value and its parts with these names that is no record: where it stands, and a message. Undefined if
 * all are.
 */
export const recordProblem = (
  field: string,
  value: unknown,
  parts: readonly string[] = [],
): { readonly field: string; readonly message: string } | undefined => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { field, message: `expected an object, not ${describeValue(value)}` };
  for (const part of parts) {
    const found = recordProblem(`${field}.${part}`, (value as Readonly<Record<string, unknown>>)[part]);
    if (found !== undefined) return found;
  }
  return undefined;
};
