/** Creates a step on one handle. */
import type { Random } from './random.ts';
import type { AttributeValue, HandleName, Step } from './script.ts';

/** Generates fresh handle names. */
export type Fresh = () => string;

export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A step that may be drawn, and its weight. */
export type Candidate = readonly [weight: number, draw: () => Step];

/** A step on one handle; with probability one half each result promises this op name. */
export const stepOn = (
  random: Random,
  fresh: Fresh,
  name: string,
  operand: HandleName,
  attributes: Attributes,
  results: readonly (string | undefined)[],
): Step => ({
  transform: `transform.${name}`,
  operands: [{ name: operand.name, promises: operand.promises }],
  attributes,
  results: results.map((promised) => ({
    name: fresh(),
    promises: promised !== undefined && random.chance(0.5) ? promised : undefined,
  })),
});
