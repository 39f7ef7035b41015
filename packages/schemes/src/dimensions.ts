/** What the letters of a scheme stand for: dimensions of a plan of rows and columns, or of windows. */
import type { Contraction, Family } from '@sconv/plans';
import { extentsIn, fused, open } from '@sconv/plans';
import type { Scheme } from './scheme.ts';

/** A family of plans with a letter for each dimension. */
export interface Letters {
  readonly family: Family;
  /** From letters to dimensions of plans. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** The letters of what is summed over, in the order of a microkernel's loops. */
  readonly reduced: readonly string[];
}

const convolutionLetters: Letters = {
  family: open,
  dimensions: {
    b: 'batch',
    g: 'group',
    k: 'filters',
    c: 'channels',
    h: 'rows',
    w: 'columns',
    r: 'tapRows',
    s: 'tapColumns',
  },
  reduced: ['c', 'r', 's'],
};

const productLetters: Letters = {
  family: fused,
  dimensions: { b: 'batch', g: 'group', i: 'filters', j: 'windows', k: 'channels' },
  reduced: ['k'],
};

/** The letter of a convolution's dimension in schemes; the name itself where there is none. */
export const letterOf = (dimension: string): string =>
  Object.entries(convolutionLetters.dimensions).find(([, name]) => name === dimension)?.[0] ?? dimension;

/** Whether one of these letters occurs in a scheme, at any depth. */
const mentions = (scheme: Scheme, ...letters: readonly string[]): boolean =>
  scheme.some(
    (each) =>
      ('dimension' in each && letters.includes(each.dimension)) ||
      (each.kind === 'Seq' && each.parts.some((part) => mentions(part.scheme, ...letters))),
  );

/** Whether a scheme is of a matrix product, or of a convolution as one: `k` is then what is summed over. */
export const isProductScheme = (scheme: Scheme): boolean => mentions(scheme, 'i', 'j');

/** The letters of a scheme. */
export const lettersOf = (scheme: Scheme): Letters =>
  isProductScheme(scheme) ? productLetters : convolutionLetters;

/** The letters of the plans of a family: windows are those of products. */
export const lettersOfFamily = (isOpen: boolean): Letters => (isOpen ? convolutionLetters : productLetters);

/**
 * The letters of a scheme for a contraction, and how many points that has of each. A batch of products is one of
 * groups, which are `b` unless the scheme calls them `g`.
 */
export const lettersIn = (
  scheme: Scheme,
  contraction: Contraction,
): { readonly letters: Letters; readonly extents: Readonly<Record<string, number>> } => {
  const letters = lettersOf(scheme);
  const known = extentsIn(letters.family, contraction);
  const isBatch =
    isProductScheme(scheme) && known['batch'] === 1 && known['group'] !== 1 && !mentions(scheme, 'g');
  const { g, ...others } = letters.dimensions;
  const dimensions = isBatch ? { ...others, b: g! } : letters.dimensions;
  const extents = Object.entries(dimensions).map(
    ([letter, dimension]) => [letter, known[dimension]!] as const,
  );
  return { letters: { ...letters, dimensions }, extents: Object.fromEntries<number>(extents) };
};
