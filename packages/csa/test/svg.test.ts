import { describe, expect, it } from 'vitest';
import { arrow, box, colours, document, dot, escapeText, line, polyline, text } from '../src/svg.ts';

describe('an element', () => {
  it.each([
    ['a text', text(1, 2, 'a'), '<text x="1" y="2" font-size="12" fill="#1f2933">a</text>'],
    [
      'a text in another style',
      text(1, 2, 'a', { size: 9, fill: colours.faint, anchor: 'end', bold: true }),
      '<text x="1" y="2" font-size="9" fill="#7b8794" text-anchor="end" font-weight="600">a</text>',
    ],
    [
      'a text that is not bold',
      text(1, 2, 'a', { bold: false }),
      '<text x="1" y="2" font-size="12" fill="#1f2933">a</text>',
    ],
    [
      'a text with characters of markup',
      text(1, 2, 'a < b > c & d'),
      '<text x="1" y="2" font-size="12" fill="#1f2933">a &lt; b &gt; c &amp; d</text>',
    ],
    ['a box', box(1, 2, 3, 4), '<rect x="1" y="2" width="3" height="4" fill="none" stroke="none" rx="0"/>'],
    [
      'a box in another style',
      box(1, 2, 3, 4, { fill: colours.input, stroke: colours.line, radius: 5 }),
      '<rect x="1" y="2" width="3" height="4" fill="#3f7fd1" stroke="#9aa5b1" rx="5"/>',
    ],
    ['a line', line(1, 2, 3, 4, colours.ink), '<line x1="1" y1="2" x2="3" y2="4" stroke="#1f2933"/>'],
    [
      'an arrow',
      arrow(0, 0, 10, 0, colours.ink),
      '<line x1="0" y1="0" x2="10" y2="0" stroke="#1f2933"/>\n<polygon points="10,0 4,-3 4,3" fill="#1f2933"/>',
    ],
    [
      'an arrow without length',
      arrow(1, 2, 1, 2, colours.ink),
      '<line x1="1" y1="2" x2="1" y2="2" stroke="#1f2933"/>\n<polygon points="1,2 1,2 1,2" fill="#1f2933"/>',
    ],
    [
      'a polyline',
      polyline(
        [
          [1, 2],
          [3, 4],
        ],
        colours.is,
      ),
      '<polyline points="1,2 3,4" fill="none" stroke="#3f7fd1" stroke-width="2"/>',
    ],
    ['a dot', dot(1, 2, 3, colours.ws), '<circle cx="1" cy="2" r="3" fill="#c2548a"/>'],
  ])('draws %s', (_, drawn, expected) => {
    expect(drawn).toBe(`${expected}\n`);
  });

  // Pixels: more digits only make documents longer.
  it.each([
    ['text', text(1.04, 2.05001, '')],
    ['box', box(1.04, 2.05001, 1.04, 2.05001)],
    ['line', line(1.04, 2.05001, 1.04, 2.05001, '')],
    ['polyline', polyline([[1.04, 2.05001]], '')],
    ['dot', dot(1.04, 2.05001, 0, '')],
  ])('rounds the coordinates of a %s to a tenth', (_, drawn) => {
    const fractions = [...drawn.matchAll(/\d+\.\d+/g)].map(([number]) => number);
    expect(new Set(fractions)).toEqual(new Set(['2.1']));
    expect(drawn).not.toContain('1.0');
  });

  it('escapes each character wherever it stands', () => {
    expect(escapeText('<a> & <b>')).toBe('&lt;a&gt; &amp; &lt;b&gt;');
  });
});

describe('document', () => {
  it('has its size, a title and a white ground', () => {
    expect(document(30, 20, dot(1, 2, 3, colours.ink), 'a & b')).toMatchInlineSnapshot(`
      "<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20" width="30" height="20" font-family="system-ui, sans-serif">
      <title>a &amp; b</title>
      <rect x="0" y="0" width="30" height="20" fill="#ffffff" stroke="none" rx="0"/>
      <circle cx="1" cy="2" r="3" fill="#1f2933"/>
      </svg>
      "
    `);
  });
});
