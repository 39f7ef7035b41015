/** Elements of the page. */

/** An element with these properties, and what is in it. */
export const element = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

/** A table; the cells of the columns that are `numeric` are aligned as numbers. */
export const table = (
  caption: string,
  columns: readonly { readonly title: string; readonly numeric?: boolean }[],
  rows: readonly (readonly (Node | string)[])[],
): HTMLElement => {
  const className = (i: number): string => (columns[i]?.numeric === true ? 'number' : '');
  const heads = columns.map(({ title }, i) =>
    element('th', { scope: 'col', className: className(i) }, title),
  );
  return element(
    'div',
    { className: 'scroll' },
    element(
      'table',
      {},
      element('caption', {}, caption),
      element('thead', {}, element('tr', {}, ...heads)),
      element(
        'tbody',
        {},
        ...rows.map((cells) =>
          element('tr', {}, ...cells.map((cell, i) => element('td', { className: className(i) }, cell))),
        ),
      ),
    ),
  );
};
