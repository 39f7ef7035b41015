import { documented, i64Attribute } from '@sconv/ir';

/** `panel = 8`: the microkernel's panel width. */
export const panelAttribute = documented(
  i64Attribute,
  'the width of a panel, in windows or filters; one panel per tile if omitted',
);

/** Errors of a panel width. */
export function* panelErrors(panel: number | undefined): Generator<string> {
  if (panel !== undefined && panel < 1) yield 'expected a panel of at least one element';
}
