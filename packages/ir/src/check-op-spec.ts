/** What `defineOp` is given by untyped callers, who may pass anything. */
import { describeValue, recordProblem } from '@sconv/diagnostics';

const recordFields = ['operands', 'results', 'attributes'] as const;
const listFields = ['regions', 'bodies', 'successors', 'traits', 'interfaces', 'typeRelations'] as const;

/** Throws a TypeError that names what of a declaration is none. */
export const checkOpSpec = (given: unknown): void => {
  const fail = (what: string, value: unknown): never => {
    throw new TypeError(`defineOp expects ${what}, not ${describeValue(value)}`);
  };
  if (recordProblem('', given) !== undefined) fail('the declaration of an operation', given);
  const spec = given as Readonly<Record<string, unknown>>;
  if (typeof spec['name'] !== 'string') fail('a name', spec['name']);
  for (const field of recordFields) {
    const all = spec[field] ?? {};
    if (
      recordProblem('', all) !== undefined ||
      Object.values(all).some((each) => recordProblem('', each) !== undefined)
    )
      fail(`${field} by name`, all);
  }
  for (const field of listFields)
    if (!Array.isArray(spec[field] ?? [])) fail(`a list of ${field}`, spec[field]);
};
