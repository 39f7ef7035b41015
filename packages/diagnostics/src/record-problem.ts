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
  if (!isRecord(value)) return { field, message: `expected an object, not ${describeValue(value)}` };
  const wrong = parts.find((part) => !isRecord(value[part]));
  return wrong === undefined ? undefined : recordProblem(`${field}.${wrong}`, value[wrong]);
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
