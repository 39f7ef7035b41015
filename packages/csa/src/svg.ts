/** The SVG elements that the pictures use. */

export const colours = {
  input: '#3f7fd1',
  filter: '#e0892b',
  output: '#4b9e63',
  is: '#3f7fd1',
  ws: '#c2548a',
  ink: '#1f2933',
  faint: '#7b8794',
  line: '#9aa5b1',
  paper: '#ffffff',
} as const;

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export interface TextStyle {
  readonly size?: number;
  readonly fill?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly bold?: boolean;
}

const round = (value: number): number => Number(value.toFixed(1));

export const text = (x: number, y: number, content: string, style: TextStyle = {}): string =>
  `<text x="${round(x)}" y="${round(y)}" font-size="${style.size ?? 12}" fill="${style.fill ?? colours.ink}"` +
  (style.anchor === undefined ? '' : ` text-anchor="${style.anchor}"`) +
  (style.bold === true ? ' font-weight="600"' : '') +
  `>${escapeText(content)}</text>\n`;

export interface BoxStyle {
  readonly fill?: string;
  readonly stroke?: string;
  readonly radius?: number;
}

export const box = (x: number, y: number, width: number, height: number, style: BoxStyle = {}): string =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"` +
  ` fill="${style.fill ?? 'none'}" stroke="${style.stroke ?? 'none'}" rx="${style.radius ?? 0}"/>\n`;

export const line = (x1: number, y1: number, x2: number, y2: number, stroke: string): string =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}"/>\n`;

/** A line with a head at its end. */
export const arrow = (x1: number, y1: number, x2: number, y2: number, stroke: string): string => {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = length === 0 ? [0, 0] : [(x2 - x1) / length, (y2 - y1) / length];
  const corner = (side: number): string =>
    `${round(x2 - 6 * dx + side * dy)},${round(y2 - 6 * dy - side * dx)}`;
  return (
    line(x1, y1, x2, y2, stroke) +
    `<polygon points="${round(x2)},${round(y2)} ${corner(3)} ${corner(-3)}" fill="${stroke}"/>\n`
  );
};

export const polyline = (points: readonly (readonly [number, number])[], stroke: string): string =>
  `<polyline points="${points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ')}"` +
  ` fill="none" stroke="${stroke}" stroke-width="2"/>\n`;

export const dot = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${radius}" fill="${fill}"/>\n`;

/** A whole document on a white background, readable on any page. */
export const document = (width: number, height: number, body: string, title: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"` +
  ` font-family="system-ui, sans-serif">\n<title>${escapeText(title)}</title>\n` +
  `${box(0, 0, width, height, { fill: colours.paper })}${body}</svg>\n`;
