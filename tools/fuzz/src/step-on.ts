/** A step on one handle, as the draws make it. */
import type { Random } from './random.ts';
import type { AttributeValue, HandleName, Step } from './script.ts';

/** Gives names that no handle has. */
export type Fresh = () => string;

export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A step that may be drawn, and how probable it is beside the others. */
export type Candidate = readonly [weight: number, draw: () => Step];

/** A step on one handle; each result promises this op name, or, half of the time, none. */
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
