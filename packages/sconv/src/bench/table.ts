/** Tables of text, for a terminal and for a page. */

/** Rows of cells under a heading. */
export interface Table {
  readonly heading: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The lines of a table for a terminal. */
export const plainTable = ({ heading, columns, rows }: Table): readonly string[] => {
  const widths = columns.map((column, i) =>
    Math.max(...[column, ...rows.map((row) => row[i]!)].map(({ length }) => length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd();
  return [...(heading === '' ? [] : [heading]), line(columns), ...rows.map(line)];
};

/** The lines of a table in Markdown. */
export const markdownTable = ({ heading, columns, rows }: Table): readonly string[] => {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    ...(heading === '' ? [] : [`## ${heading}`, '']),
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map(line),
  ];
};

/** Three digits, no exponent. */
export const short = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
