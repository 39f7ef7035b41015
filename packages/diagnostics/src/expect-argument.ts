/** What untyped callers pass by mistake: each of these throws a TypeError that says what is expected instead. */
import { describeValue } from './describe-value.ts';
import { recordProblem } from './record-problem.ts';

const expecting =
  (isExpected: (value: unknown) => boolean) =>
  (what: string, value: unknown): void => {
    if (!isExpected(value)) throw new TypeError(`expected ${what}, not ${describeValue(value)}`);
  };

/** Throws for what is no list, or has elements, or holes, that are none of `isOne`. */
export const expectList = (
  what: string,
  value: unknown,
  isOne: (element: unknown) => boolean = () => true,
): void => {
  // `every` would skip holes.
  expecting((given) => Array.isArray(given) && Array.from<unknown>(given).every(isOne))(what, value);
};

/** Throws for what is no text. */
export const expectText = expecting((value) => typeof value === 'string');

/** Throws for what is no function. */
export const expectFunction = expecting((value) => typeof value === 'function');

/** Throws for what is no object, or a list. */
export const expectObject = expecting((value) => recordProblem('', value) === undefined);
