/** Options whose value is a share of something. */
import { InvalidArgumentError } from 'commander';

/** Parses a number from 0 to below 1; anything else is a usage error. */
export const parseShare = (text: string): number => {
  const share = /^(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : NaN;
  if (share < 1) return share;
  throw new InvalidArgumentError('a number from 0 to below 1, as in 1e-6');
};
