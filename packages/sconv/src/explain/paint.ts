/** Colours of an explanation in a terminal. Characters say the same, so that nothing is lost without them. */
import { styleText } from 'node:util';
import type { LineKind } from '@sconv/explain';

type Style = Parameters<typeof styleText>[0];

const styles: Readonly<Record<LineKind, Style | undefined>> = {
  step: 'bold',
  error: 'red',
  warning: 'yellow',
  removed: 'red',
  added: 'green',
  changed: 'yellow',
  moved: 'cyan',
  handle: 'blue',
  note: undefined,
};

/** A line in the colours of its kind. */
export const paint = (kind: LineKind, text: string): string => {
  const style = styles[kind];
  return style === undefined ? text : styleText(style, text, { validateStream: false });
};
