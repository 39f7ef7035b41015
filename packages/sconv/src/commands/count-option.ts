/** Options whose value is a count. */
import { InvalidArgumentError } from 'commander';

/** Parses an integer from 1 to 999999; anything else is a usage error. */
export const parseCount = (text: string): number => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('a number from 1 to 999999');
};
