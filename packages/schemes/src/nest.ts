/** A scheme as the loops that it stands for: a sequence for each `lambda`, and all counts known. */
import type { PackedOperand } from '@sconv/plans';
import type { Scheme } from './scheme.ts';

/** Loops in loops, and what is done in the innermost: nothing else, or a sequence. */
export interface Nest {
  /** Outermost first. */
  readonly steps: readonly Step[];
  readonly sequence?: Sequence;
}

/** A loop, unrolled or of vectors or neither; or a packing. */
export type Step =
  | {
      readonly kind: 'T' | 'U' | 'V';
      readonly dimension: string;
      readonly count: number;
      readonly path: string;
    }
  | { readonly kind: 'R'; readonly dimension: string; readonly path: string }
  | { readonly kind: 'P'; readonly operand: PackedOperand; readonly path: string };

export interface Sequence {
  readonly dimension: string;
  readonly parts: readonly { readonly count: number; readonly nest: Nest }[];
  /** Where the specifier is, in code notation: `scheme[1]`. */
  readonly path: string;
}

/** The loops of a scheme whose variables are bound. */
export const nestOf = (
  scheme: Scheme,
  path = 'scheme',
  from = 0,
  variables: ReadonlyMap<string, number> = new Map(),
): Nest => {
  const steps: Step[] = [];
  for (let i = from; i < scheme.length; i += 1) {
    const specifier = scheme[i]!;
    const own = `${path}[${i}]`;
    switch (specifier.kind) {
      case 'T':
      case 'U': {
        const { kind, dimension, count } = specifier;
        steps.push({ kind, dimension, count: Number(variables.get(String(count)) ?? count), path: own });
        break;
      }
      case 'lambda': {
        const { dimension, variable } = specifier;
        const parts = specifier.parts.map(({ count, size }) => ({
          count,
          nest: nestOf(scheme, path, i + 1, new Map([...variables, [variable, size]])),
        }));
        return { steps, sequence: { dimension, parts, path: own } };
      }
      case 'Seq': {
        const { dimension } = specifier;
        const parts = specifier.parts.map(({ count, scheme: inner }, at) => ({
          count,
          nest: nestOf(inner, `${own}.parts[${at}].scheme`, 0, variables),
        }));
        return { steps, sequence: { dimension, parts, path: own } };
      }
      default:
        steps.push({ ...specifier, path: own });
    }
  }
  return { steps };
};

/** Numbers by the letter of a dimension. */
export type Sizes = Readonly<Record<string, number>>;

/** How many points of each dimension a nest covers from a step on; 1 of those that are not named. */
export const sizesOf = ({ steps, sequence }: Nest, extents: Sizes, from = 0): Sizes => {
  const sizes: Record<string, number> = {};
  if (sequence !== undefined) {
    const { dimension, parts } = sequence;
    const ofParts = parts.map(({ nest }) => sizesOf(nest, extents));
    Object.assign(sizes, ofParts[0]);
    sizes[dimension] = parts.reduce((all, { count }, i) => all + count * (ofParts[i]![dimension] ?? 1), 0);
  }
  for (const step of steps.slice(from).toReversed()) {
    if (step.kind === 'P') continue;
    const { dimension } = step;
    sizes[dimension] = step.kind === 'R' ? extents[dimension]! : (sizes[dimension] ?? 1) * step.count;
  }
  return sizes;
};
