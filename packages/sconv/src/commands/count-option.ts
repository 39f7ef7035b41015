/** Options whose value is a count. */
import { InvalidArgumentError } from 'commander';

/** A number from 1; else bad usage. */
export const parseCount = (text: string): number => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('a number from 1');
};
