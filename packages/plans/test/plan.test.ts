import { describe, expect, it } from 'vitest';
import { foldPlan, planExtents, planPaths, samePlan, type Plan } from '../src/index.ts';

/** TTile's dimensions: rows and columns instead of windows. */
type Dimension = 'rows' | 'columns';

const kernel = (rows: number, columns: number): Plan<Dimension> => ({
  kind: 'kernel',
  lanes: 'columns',
  extents: { rows, columns },
});

/** Two kernels whose rows add up: 7 = 2 · 2 + 3. */
const composed: Plan<Dimension> = {
  kind: 'pack',
  operand: 'input',
  tiles: 1,
  body: {
    kind: 'split',
    dimension: 'rows',
    parts: [
      { size: 4, body: { kind: 'loop', dimension: 'rows', step: 2, count: 2, body: kernel(2, 8) } },
      { size: 3, body: { kind: 'scalar', extents: { rows: 3, columns: 8 } } },
    ],
  },
};

describe('foldPlan', () => {
  it('gives each kind of node to its case, with what its bodies gave', () => {
    const text = foldPlan<Dimension, string>(composed, {
      loop: ({ count }, body) => `${count} times ${body}`,
      split: ({ dimension }, parts) => `${dimension} (${parts.join(', ')})`,
      pack: ({ operand }, body) => `${operand} packed, ${body}`,
      kernel: ({ extents }) => `kernel of ${extents.rows}`,
      scalar: ({ extents }) => `scalar of ${extents.rows}`,
    });
    expect(text).toBe('input packed, rows (2 times kernel of 2, scalar of 3)');
  });
});

describe('planExtents', () => {
  it('adds up parts, and multiplies loops', () => {
    expect(planExtents(composed)).toEqual({ rows: 7, columns: 8 });
  });
});

describe('planPaths', () => {
  it('names each leaf, with what stands around it', () => {
    expect(planPaths(composed).map(({ name, leaf }) => [name, leaf.kind])).toEqual([
      ['plan.body.parts[0].body.body', 'kernel'],
      ['plan.body.parts[1].body', 'scalar'],
    ]);
    const [first, second] = planPaths(composed).map(({ steps }) => steps.map(({ kind }) => kind));
    expect([first, second]).toEqual([
      ['pack', 'part', 'loop'],
      ['pack', 'part'],
    ]);
    expect(planPaths(composed)[1]?.steps[1]).toEqual({ kind: 'part', dimension: 'rows', from: 4, size: 3 });
  });
});

describe('samePlan', () => {
  type Node = Readonly<Record<string, unknown>>;

  /** All plans that differ from one in a single number, word, extent or part. */
  const changes = (node: Node): readonly Node[] =>
    Object.entries(node).flatMap(([name, value]): readonly Node[] => {
      const withValue = (other: unknown): Node => ({ ...node, [name]: other });
      if (name === 'kind') return [];
      if (typeof value === 'number') return [withValue(value + 1)];
      if (typeof value === 'string') return [withValue(`${value}s`)];
      if (Array.isArray(value)) {
        const parts = value as readonly Node[];
        return [
          withValue(parts.slice(0, -1)),
          withValue([...parts, parts[0]]),
          ...parts.flatMap((part, i) => changes(part).map((other) => withValue(parts.with(i, other)))),
        ];
      }
      const inner = changes(value as Node).map(withValue);
      return name === 'extents' ? [...inner, withValue({ ...(value as Node), more: 1 })] : inner;
    });

  it('holds for a copy, and for nothing that differs in one place', () => {
    expect(samePlan(composed, structuredClone(composed))).toBe(true);
    const others = changes(composed as unknown as Node) as unknown as readonly Plan<Dimension>[];
    expect(others.length).toBeGreaterThan(12);
    for (const other of others) {
      expect([samePlan(composed, other), other]).toEqual([false, other]);
      expect([samePlan(other, composed), other]).toEqual([false, other]);
    }
  });

  it('holds for no two kinds', () => {
    const scalar: Plan<Dimension> = { kind: 'scalar', extents: { rows: 2, columns: 8 } };
    const loop: Plan<Dimension> = { kind: 'loop', dimension: 'rows', step: 2, count: 1, body: scalar };
    const split: Plan<Dimension> = { kind: 'split', dimension: 'rows', parts: [{ size: 2, body: scalar }] };
    const plans = [composed, kernel(2, 8), scalar, loop, split];
    plans.forEach((one, i) => {
      expect(plans.map((other) => samePlan(one, other))).toEqual(plans.map((_, j) => i === j));
    });
  });
});
