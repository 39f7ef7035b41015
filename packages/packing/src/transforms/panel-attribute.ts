import { i64Attribute } from '@sconv/ir';

/** `panel = 8`: the width of the microkernel's panels. */
export const panelAttribute = i64Attribute;

/** What is wrong with the width of a panel. */
export function* panelErrors(panel: number | undefined): Generator<string> {
  if (panel !== undefined && panel < 1) yield 'expected a panel of at least one element';
}
