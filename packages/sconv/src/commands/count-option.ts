/** Options whose value is a count. */
import { InvalidArgumentError } from 'commander';

/** Parses a positive integer; anything else is a usage error. */
export const parseCount = (text: string): number => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('a number from 1');
};
