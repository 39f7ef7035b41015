/**
 * Upper bounds of values that do not depend on some others, such as induction variables (upstream's
 * `computeIndependentBound`).
 *
 * Upstream solves a system of constraints. Here a bound is an affine expression in which each dependent value is
 * replaced by a bound of it, values that depend on others first, so that what cancels out does.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { constant, dim, ifAffine, makeMap, simplify, substitute, symbol, usedDims } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import { applied, canonicalApplication, createDim, loopOfVariable, mixedSizes } from '@sconv/dialects';
import * as affine from '@sconv/dialects/affine';
import * as arith from '@sconv/dialects/arith';
import { structured } from '@sconv/dialects/linalg';
import * as memref from '@sconv/dialects/memref';
import * as tensor from '@sconv/dialects/tensor';
import { forBounds } from '@sconv/dialects/scf';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { constantValueOf, DYNAMIC, integerOf, isShaped } from '@sconv/ir';

/** A value of type `index`, or a size of a tensor or memref. */
interface Quantity {
  readonly value: Value;
  readonly dimension: number | undefined;
}

/** What is known of a quantity, over others. */
interface Bounds {
  readonly lower: readonly AffineExpr[];
  readonly upper: readonly AffineExpr[];
}

const unknown: Bounds = { lower: [], upper: [] };
const equal = (expr: AffineExpr | undefined): Bounds =>
  expr === undefined ? unknown : { lower: [expr], upper: [expr] };

/** The most alternatives that are followed, since minima of minima multiply. */
const mostAlternatives = 16;
/** The most replacements in an expression. */
const mostSteps = 64;

type Direction = 'lower' | 'upper';
const opposite = { lower: 'upper', upper: 'lower' } as const;

/** The analysis of one size; quantities are the dimensions of its expressions. */
class IndependentBounds {
  private readonly rewriter: Rewriter;
  private readonly variables: ReadonlySet<number>;
  private readonly quantities: Quantity[] = [];
  private readonly known = new Map<number, Bounds>();
  private readonly dependent = new Map<number, boolean>();

  constructor(rewriter: Rewriter, variables: readonly Value[]) {
    this.rewriter = rewriter;
    this.variables = new Set(variables.map(({ id }) => id));
  }

  /** An upper bound of `value`, at the insertion point; undefined if none is known. */
  upperBound(value: Value): MixedIndex | undefined {
    const size = this.of(value);
    // The normal form cancels most, but has no remainders, which are bounded by themselves.
    const [found = []] = [simplify, (expr: AffineExpr) => expr]
      .map((normal) => this.independent(size, 'upper', normal))
      .filter((exprs) => exprs.length > 0);
    const fixed = found.flatMap((expr) => (expr.kind === 'constant' ? [expr.value] : []));
    // As upstream: of several bounds, the least number; the first one, if there is no number.
    const [first, ...more] = found;
    if (first === undefined) return undefined;
    return more.length > 0 && fixed.length > 0 ? Math.min(...fixed) : this.materialized(first);
  }

  private materialized(expr: AffineExpr): MixedIndex {
    const used = usedDims(expr);
    const operands = used.map((position) => {
      const { value, dimension } = this.quantities[position]!;
      return dimension === undefined ? value : createDim(this.rewriter, value, dimension);
    });
    const dims = this.quantities.map((_, position) => symbol(Math.max(0, used.indexOf(position))));
    const map = makeMap(0, used.length, [substitute(expr, { dims })]);
    return applied(this.rewriter, canonicalApplication(this.rewriter, map, operands));
  }

  /** A quantity as an expression: its number, if it has one. */
  private of(value: Value, dimension?: number): AffineExpr {
    const size =
      dimension === undefined
        ? this.constantOf(value)
        : isShaped(value.type)
          ? value.type.shape[dimension]
          : undefined;
    if (size !== undefined && size !== DYNAMIC) return constant(size);
    const at = this.quantities.findIndex(
      (each) => each.value.id === value.id && each.dimension === dimension,
    );
    return dim(at >= 0 ? at : this.quantities.push({ value, dimension }) - 1);
  }

  private mixed(index: MixedIndex | undefined): AffineExpr | undefined {
    if (index === undefined) return undefined;
    return typeof index === 'number' ? constant(index) : this.of(index);
  }

  private constantOf(value: Value): number | undefined {
    const made = this.rewriter.definingOperation(value);
    return made === undefined ? undefined : integerOf(constantValueOf(this.rewriter.registry, made));
  }

  /** Bounds of an expression over independent quantities alone. */
  private independent(
    expr: AffineExpr,
    direction: Direction,
    normal: (expr: AffineExpr) => AffineExpr,
    steps = 0,
  ): readonly AffineExpr[] {
    const simple = normal(expr);
    const open = usedDims(simple).filter((position) => this.isDependent(this.quantities[position]!.value));
    if (open.length === 0) return [simple];
    if (steps >= mostSteps) return [];
    // One that no other is computed from.
    const position = open.find((each) => !open.some((other) => other !== each && this.reaches(other, each)));
    if (position === undefined) return [];
    const bounds = this.boundsOf(position);
    const count = Math.max(bounds.lower.length, bounds.upper.length);
    const found: AffineExpr[] = [];
    for (let i = 0; i < count && found.length < mostAlternatives; i += 1) {
      const next = bounded(
        simple,
        position,
        direction,
        (side) => bounds[side][Math.min(i, bounds[side].length - 1)],
      );
      if (next !== undefined) found.push(...this.independent(next, direction, normal, steps + 1));
    }
    // A remainder is bounded even where what is divided is not.
    if (count === 0) {
      const next = bounded(simple, position, direction, () => undefined);
      if (next !== undefined) return this.independent(next, direction, normal, steps + 1);
    }
    return found.slice(0, mostAlternatives);
  }

  /** Whether the bounds of quantity `from` lead to quantity `to`. */
  private reaches(from: number, to: number, seen = new Set<number>()): boolean {
    if (seen.has(from) || !this.isDependent(this.quantities[from]!.value)) return false;
    seen.add(from);
    const { lower, upper } = this.boundsOf(from);
    return [...lower, ...upper].some((expr) =>
      usedDims(expr).some((each) => each === to || this.reaches(each, to, seen)),
    );
  }

  /** Whether a value is one of the variables, or computed from them. */
  private isDependent(value: Value): boolean {
    const known = this.dependent.get(value.id);
    if (known !== undefined) return known;
    const made = this.rewriter.definingOperation(value);
    const result = this.variables.has(value.id) || (made !== undefined && this.usesDependent(made));
    this.dependent.set(value.id, result);
    return result;
  }

  /** @deviation Upstream does not look into regions, and so takes a branch on the variables for independent. */
  private usesDependent(operation: DraftOperation): boolean {
    return (
      operation.operands.some((operand) => this.isDependent(operand)) ||
      operation.regions.some(({ blocks }) =>
        blocks.some(({ operations }) => operations.some((each) => this.usesDependent(each))),
      )
    );
  }

  private boundsOf(position: number): Bounds {
    const known = this.known.get(position);
    if (known !== undefined) return known;
    const { value, dimension } = this.quantities[position]!;
    const bounds = dimension === undefined ? this.ofIndex(value) : this.ofSize(value, dimension);
    this.known.set(position, bounds);
    return bounds;
  }

  private ofIndex(value: Value): Bounds {
    const made = this.rewriter.definingOperation(value);
    if (made === undefined) return this.ofLoop(value);
    const operands = (): readonly AffineExpr[] => made.operands.map((operand) => this.of(operand));
    const results = ({ results: exprs, numDims }: AffineMap): readonly AffineExpr[] =>
      exprs.flatMap((result) => onOperands(result, numDims, operands()) ?? []);
    if (affine.apply.is(made)) return equal(results(affine.apply.attributes(made).map)[0]);
    if (affine.min.is(made)) return { lower: [], upper: results(affine.min.attributes(made).map) };
    if (affine.max.is(made)) return { lower: results(affine.max.attributes(made).map), upper: [] };
    const [a, b] = operands();
    if (arith.addi.is(made)) return equal(a!.add(b!));
    if (arith.subi.is(made)) return equal(a!.sub(b!));
    if (arith.muli.is(made)) return equal(product(a!, b!));
    if (!tensor.dim.is(made) && !memref.dim.is(made)) return unknown;
    const dimension = this.constantOf(made.operands[1]!);
    return dimension === undefined ? unknown : equal(this.of(made.operands[0]!, dimension));
  }

  /** An induction variable is in the range of its loop. */
  private ofLoop(value: Value): Bounds {
    const loop = loopOfVariable(this.rewriter, value);
    if (loop === undefined) return unknown;
    const { lower, upper } = forBounds(loop);
    return { lower: [this.of(lower)], upper: [this.of(upper).add(-1)] };
  }

  private ofSize(value: Value, dimension: number): Bounds {
    const made = this.rewriter.definingOperation(value);
    if (made === undefined) return unknown;
    const [source] = made.operands;
    if (tensor.cast.is(made) || memref.cast.is(made)) return equal(this.of(source!, dimension));
    const shape = isShaped(value.type) ? value.type.shape : [];
    const place = shape.slice(0, dimension).filter((size) => size === DYNAMIC).length;
    if (tensor.empty.is(made) || memref.alloc.is(made) || memref.alloca.is(made))
      return equal(this.mixed(made.operands[place]));
    // Dimensions that a slice drops have known sizes.
    if (tensor.extractSlice.is(made) || memref.subview.is(made))
      return equal(this.mixed(mixedSizes(made).filter((size) => typeof size !== 'number')[place]));
    if (tensor.pad.is(made)) {
      const { low, high } = tensor.mixedPadding(made);
      const around = this.mixed(low[dimension])!.add(this.mixed(high[dimension])!);
      return equal(this.of(source!, dimension).add(around));
    }
    const result = made.results.findIndex(({ id }) => id === value.id);
    const tied = structured(this.rewriter.registry, made)?.outputs[result];
    return tied === undefined ? unknown : equal(this.of(tied, dimension));
  }
}

const product = (a: AffineExpr, b: AffineExpr): AffineExpr | undefined =>
  a.kind === 'constant' || b.kind === 'constant' ? a.mul(b) : undefined;

/** A result of a map on these operands; undefined if it is no longer affine. */
const onOperands = (
  result: AffineExpr,
  numDims: number,
  operands: readonly AffineExpr[],
): AffineExpr | undefined =>
  ifAffine(() => substitute(result, { dims: operands.slice(0, numDims), symbols: operands.slice(numDims) }));

/**
 * A bound of an expression, in which each use of dimension `position` is replaced by a bound of it: the lower one
 * where the expression falls as it rises. Undefined if a bound that is needed is not known.
 */
const bounded = (
  expr: AffineExpr,
  position: number,
  direction: Direction,
  bounds: (side: Direction) => AffineExpr | undefined,
): AffineExpr | undefined => {
  if (!usedDims(expr).includes(position)) return expr;
  if (expr.kind === 'dim') return bounds(direction);
  if (!('lhs' in expr)) return undefined;
  const { kind, lhs, rhs } = expr;
  if (kind === 'add') {
    const [a, b] = [lhs, rhs].map((each) => bounded(each, position, direction, bounds));
    return a && b && a.add(b);
  }
  if (rhs.kind !== 'constant') return undefined;
  const { value } = rhs;
  if (kind === 'mul')
    return bounded(lhs, position, value < 0 ? opposite[direction] : direction, bounds)?.mul(value);
  if (value <= 0) return undefined;
  if (kind === 'mod') return constant(direction === 'upper' ? value - 1 : 0);
  const divided = bounded(lhs, position, direction, bounds);
  return kind === 'floordiv' ? divided?.floorDiv(value) : divided?.ceilDiv(value);
};

/** An upper bound, at the insertion point, that does not depend on `variables`; undefined if none is known. */
export const independentBound = (
  rewriter: Rewriter,
  index: MixedIndex,
  variables: readonly Value[],
): MixedIndex | undefined =>
  typeof index === 'number' ? index : new IndependentBounds(rewriter, variables).upperBound(index);
