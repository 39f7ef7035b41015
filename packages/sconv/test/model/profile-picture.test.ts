import { expect, it } from 'vitest';
import type { PartTime } from '../../src/model/profile-model.ts';
import { drawProfile } from '../../src/model/profile-picture.ts';

const partOf = (name: string, seconds: number, bound: number, by: PartTime['bound']['by']): PartTime => ({
  nodes: [name, 'next'],
  operations: ['generic'],
  seconds,
  multiplyAdds: 0,
  bytes: 8,
  weightBytes: 0,
  bound: { seconds: bound, by },
});
const heading = { title: 'a<b.onnx', loadSeconds: 1.5, firstCallSeconds: 0.02, seconds: 0.004 };
const parts = [
  partOf('short', 0.001, 0.0004, 'memory'),
  partOf(`/${'deep/'.repeat(20)}last`, 0.003, 0.0027, 'arithmetic'),
];
const textsOf = (svg: string): readonly string[] =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text!);

it('has a bar for each part, the longest first, with what it reaches in words', () => {
  const texts = textsOf(drawProfile(parts, heading));
  expect(texts[0]).toBe('a&lt;b.onnx');
  expect(texts[1]).toBe(
    'load 1500 ms, first call 20.0 ms, then 4.00 ms a call; its parts, one after the other: 4.00 ms',
  );
  expect(texts.slice(4)).toEqual([
    'bold: below half of that, 1 part, 25.0 % of the time',
    expect.stringMatching(/^….*\/deep\/last \+1$/) as string,
    '3.00 ms, 75.0 %, 90 % of peak',
    'short +1',
    '1.00 ms, 25.0 %, 40 % of bandwidth',
  ]);
});

it('joins the shortest of many', () => {
  const many = Array.from({ length: 90 }, (_, i) => partOf(`n${i}`, 0.001 * (i + 1), 0.001, 'memory'));
  const svg = drawProfile(many, heading);
  expect(textsOf(svg)).toContain('51 other parts');
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  const [, width, height] = /viewBox="0 0 (\S+) (\S+)"/.exec(svg)!.map(Number) as [number, number, number];
  for (const [, x, y, w, h] of svg.matchAll(/<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"/g))
    expect(Number(x) + Number(w) <= width && Number(y) + Number(h) <= height).toBe(true);
  expect(drawProfile([], heading)).not.toMatch(/NaN|Infinity/);
});
