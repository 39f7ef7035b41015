import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawPlan } from '../src/index.ts';
import { arbitraryPlan } from './arbitrary.ts';
import { namedPlans } from './plans.ts';

interface Drawn {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly label: string;
}

/** The elements of a picture, except curves without points. */
const elements = (svg: string): readonly Drawn[] =>
  [...svg.matchAll(/<(text|rect|line|polyline|circle) ([^>]*?)\/?>([^<]*)/g)]
    .map(([, tag = '', attributes = '', label = '']) => ({
      tag,
      attributes: Object.fromEntries(
        [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
      ),
      label,
    }))
    .filter(({ attributes }) => attributes['points'] !== '');

const numbers = ({ attributes }: Drawn, ...names: readonly string[]): readonly number[] =>
  names.map((name) => Number(attributes[name]));

interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const areaOf = (drawn: Drawn): Area => {
  switch (drawn.tag) {
    case 'rect': {
      const [left = NaN, top = NaN, width = NaN, height = NaN] = numbers(drawn, 'x', 'y', 'width', 'height');
      return { left, top, right: left + width, bottom: top + height };
    }
    case 'circle': {
      const [x = NaN, y = NaN, radius = NaN] = numbers(drawn, 'cx', 'cy', 'r');
      return { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
    }
    case 'line': {
      const [x1 = NaN, y1 = NaN, x2 = NaN, y2 = NaN] = numbers(drawn, 'x1', 'y1', 'x2', 'y2');
      return {
        left: Math.min(x1, x2),
        top: Math.min(y1, y2),
        right: Math.max(x1, x2),
        bottom: Math.max(y1, y2),
      };
    }
    case 'polyline': {
      const points = (drawn.attributes['points'] ?? '')
        .split(' ')
        .map((point) => point.split(',').map(Number));
      const xs = points.map(([x = NaN]) => x);
      const ys = points.map(([, y = NaN]) => y);
      return {
        left: Math.min(...xs),
        top: Math.min(...ys),
        right: Math.max(...xs),
        bottom: Math.max(...ys),
      };
    }
    default: {
      const [x = NaN, y = NaN, fontSize = NaN] = numbers(drawn, 'x', 'y', 'font-size');
      return { left: x, top: y - fontSize, right: x, bottom: y };
    }
  }
};

/** Coordinates are rounded to a tenth. */
const slack = 0.11;

const within = (inner: Area, outer: Area): boolean =>
  inner.left >= outer.left - slack &&
  inner.right <= outer.right + slack &&
  inner.top >= outer.top - slack &&
  inner.bottom <= outer.bottom + slack;

const apart = (a: Area, b: Area): boolean =>
  a.right <= b.left + slack ||
  b.right <= a.left + slack ||
  a.bottom <= b.top + slack ||
  b.bottom <= a.top + slack;

describe('drawPlan', () => {
  it.each(namedPlans)('draws $name', async ({ name, plan, machine }) => {
    await expect(drawPlan(plan, machine)).toMatchFileSnapshot(`pictures/${name}.svg`);
  });

  it('draws everything, and inside of the document', () => {
    fc.assert(
      fc.property(arbitraryPlan, ({ plan, machine }) => {
        const svg = drawPlan(plan, machine);
        expect(svg).not.toMatch(/NaN|Infinity|undefined/);
        const [, right = NaN, bottom = NaN] = (/viewBox="0 0 (\S+) (\S+)"/.exec(svg) ?? []).map(Number);
        for (const drawn of elements(svg)) {
          expect(within(areaOf(drawn), { left: 0, top: 0, right, bottom }), JSON.stringify(drawn)).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  // What exceeds a cache is drawn beyond its room.
  it('draws boxes inside of each other or apart where the tiles fit', () => {
    fc.assert(
      fc.property(arbitraryPlan, ({ plan, machine }) => {
        fc.pre(plan.constraints.every(({ holds }) => holds));
        const boxes = elements(drawPlan(plan, machine)).filter(({ tag }) => tag === 'rect');
        const areas = boxes.map(areaOf);
        areas.forEach((area, index) => {
          for (const later of areas.slice(index + 1)) {
            expect(within(later, area) || apart(later, area), JSON.stringify([area, later])).toBe(true);
          }
        });
      }),
      { numRuns: 50 },
    );
  });
});
