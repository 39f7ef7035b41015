/**
 * Affine expressions: frozen trees of plain data, built with the simplifications that MLIR performs on construction
 * (`lib/IR/AffineExpr.cpp`).
 *
 * A node created here also carries methods (`d0.mul(2).add(d1)`) and, privately, its height, size and class, which
 * bounds every recursion and makes equality cheap. None of that is part of the data: a node that went through
 * `structuredClone` or JSON is accepted everywhere; `adopt` checks and rebuilds it.
 */
import type {
  AffineBinaryExpr,
  AffineBinaryKind,
  AffineConstantExpr,
  AffineDimExpr,
  AffineExpr,
  AffineExprData,
  AffineMethods,
  AffineOperand,
  AffineSymbolExpr,
} from './affine-data.ts';
import { AffineError } from './affine-error.ts';
import { describe, expectKind, wrongKind } from './expect-kind.ts';
import { addExact, ceilDivInteger, exact, floorDivInteger, gcd, modInteger, mulExact } from './integer.ts';
import { printExpr } from './print.ts';

export type {
  AffineBinaryData,
  AffineBinaryExpr,
  AffineBinaryKind,
  AffineConstantData,
  AffineConstantExpr,
  AffineDimExpr,
  AffineExpr,
  AffineExprData,
  AffineExprKind,
  AffineMethods,
  AffineOperand,
  AffinePositionData,
  AffineSymbolExpr,
} from './affine-data.ts';

/** The deepest nesting of an expression, and so of every recursion in this package. */
export const maxDepth = 1000;
/** The maximum number of nodes, shared ones counted once per occurrence. */
export const maxNodes = 200_000;

/** Cached properties of a node, to avoid walking it. */
interface Summary {
  /** 0 for a leaf. */
  readonly height: number;
  /** Nodes of the tree, shared ones counted once per occurrence. */
  readonly size: number;
  /** One more than the largest dimension position; 0 without dimensions. */
  readonly numDims: number;
  /** One more than the largest symbol position; 0 without symbols. */
  readonly numSymbols: number;
  /** Whether every factor and divisor is a constant. */
  readonly pure: boolean;
  /** Whether it consists only of sums and multiples by constants. */
  readonly linear: boolean;
}

class ExprNode implements AffineMethods {
  readonly #summary: Summary;

  constructor(summary: Summary) {
    this.#summary = summary;
  }

  /** The summary of a node of this package; undefined for plain data and anything else. */
  static summary(value: unknown): Summary | undefined {
    return typeof value === 'object' && value !== null && #summary in value ? value.#summary : undefined;
  }

  add(rhs: AffineOperand): AffineExpr {
    return add(this.#self(), rhs);
  }
  sub(rhs: AffineOperand): AffineExpr {
    return sub(this.#self(), rhs);
  }
  mul(rhs: AffineOperand): AffineExpr {
    return mul(this.#self(), rhs);
  }
  mod(rhs: AffineOperand): AffineExpr {
    return mod(this.#self(), rhs);
  }
  floorDiv(rhs: AffineOperand): AffineExpr {
    return floorDiv(this.#self(), rhs);
  }
  ceilDiv(rhs: AffineOperand): AffineExpr {
    return ceilDiv(this.#self(), rhs);
  }
  floordiv(rhs: AffineOperand): AffineExpr {
    return floorDiv(this.#self(), rhs);
  }
  ceildiv(rhs: AffineOperand): AffineExpr {
    return ceilDiv(this.#self(), rhs);
  }
  neg(): AffineExpr {
    return mul(this.#self(), -1);
  }
  toString(): string {
    return printExpr(this.#self());
  }

  #self(): AffineExpr {
    return this as unknown as AffineExpr;
  }
}

function leafSummary(numDims: number, numSymbols: number): Summary {
  return { height: 0, size: 1, numDims, numSymbols, pure: true, linear: true };
}
const constantSummary = leafSummary(0, 0);

class DimNode extends ExprNode implements AffineDimExpr {
  readonly kind = 'dim';
  readonly position: number;
  constructor(position: number) {
    super(leafSummary(position + 1, 0));
    this.position = position;
    Object.freeze(this);
  }
}

class SymbolNode extends ExprNode implements AffineSymbolExpr {
  readonly kind = 'symbol';
  readonly position: number;
  constructor(position: number) {
    super(leafSummary(0, position + 1));
    this.position = position;
    Object.freeze(this);
  }
}

class ConstantNode extends ExprNode implements AffineConstantExpr {
  readonly kind = 'constant';
  readonly value: number;
  constructor(value: number) {
    super(constantSummary);
    this.value = value;
    Object.freeze(this);
  }
}

class BinaryNode extends ExprNode implements AffineBinaryExpr {
  readonly kind: AffineBinaryKind;
  readonly lhs: AffineExpr;
  readonly rhs: AffineExpr;
  constructor(summary: Summary, kind: AffineBinaryKind, lhs: AffineExpr, rhs: AffineExpr) {
    super(summary);
    this.kind = kind;
    this.lhs = lhs;
    this.rhs = rhs;
    Object.freeze(this);
  }
}

/** The largest position of a dimension or symbol: a bound on arrays indexed by position. */
export const maxPosition = 65_535;

// The most frequent leaves are interned, so that most comparisons of leaves are reference comparisons.
const commonDims = Array.from({ length: 32 }, (_, i) => new DimNode(i));
const commonSymbols = Array.from({ length: 16 }, (_, i) => new SymbolNode(i));
const commonConstants = Array.from({ length: 128 }, (_, i) => new ConstantNode(i - 32));

/** Dimension `position` of a map. */
export function dim(position: number): AffineExpr {
  return commonDims[position] ?? new DimNode(checkedPosition(position));
}

/** Symbol `position` of a map. */
export function symbol(position: number): AffineExpr {
  return commonSymbols[position] ?? new SymbolNode(checkedPosition(position));
}

/** The constant `value`, an integer with magnitude below 2^53. */
export function constant(value: number): AffineExpr {
  if (typeof value !== 'number')
    throw new AffineError('affine/not-an-integer', `${describe(value)} is not an integer`);
  const common = commonConstants[value + 32];
  if (common !== undefined) return common;
  if (!Number.isInteger(value)) throw new AffineError('affine/not-an-integer', `${value} is not an integer`);
  return new ConstantNode(exact(value));
}

function checkedPosition(position: number): number {
  if (!Number.isInteger(position) || position < 0 || position > maxPosition) {
    const message = `a position must be an integer in [0, ${maxPosition}], not ${describe(position)}`;
    throw new AffineError('affine/position-out-of-range', message);
  }
  return position;
}

/** The node for `operand`: itself if this package created it, otherwise a checked copy. */
export function adopt(operand: AffineOperand): AffineExpr {
  if (typeof operand === 'number') return constant(operand);
  if (ExprNode.summary(operand) !== undefined) return operand as AffineExpr;
  return adoptData(operand, maxDepth);
}

/** Bounds the depth of the recursion; `binaryNode` bounds the number of nodes. */
function adoptData(data: AffineExprData, depth: number): AffineExpr {
  if (ExprNode.summary(data) !== undefined) return data as AffineExpr;
  expectKind(data, 'expression');
  if (depth < 0) throw tooDeep();
  switch (data.kind) {
    case 'dim':
      return dim(data.position);
    case 'symbol':
      return symbol(data.position);
    case 'constant':
      return constant(data.value);
    case 'add':
    case 'mul':
    case 'mod':
    case 'floordiv':
    case 'ceildiv': {
      const lhs = adoptData(data.lhs, depth - 1);
      return binaryNode(data.kind, lhs, adoptData(data.rhs, depth - 1));
    }
    default:
      throw wrongKind(data, 'expression');
  }
}

/** The node as given, without simplification. Refuses what is not affine, a zero divisor, and what is too big. */
export function binaryNode(kind: AffineBinaryKind, lhs: AffineExpr, rhs: AffineExpr): AffineExpr {
  const left = summaryOf(lhs);
  const right = summaryOf(rhs);
  const height = Math.max(left.height, right.height) + 1;
  if (height > maxDepth) throw tooDeep();
  const size = left.size + right.size + 1;
  if (size > maxNodes) throw tooLarge();
  let pure = left.pure && right.pure;
  let linear = left.linear && right.linear;
  if (kind === 'mul') {
    if (left.numDims > 0 && right.numDims > 0) throw notAffine('at least one factor of mul');
    pure &&= lhs.kind === 'constant' || rhs.kind === 'constant';
    linear &&= pure;
  } else if (kind !== 'add') {
    linear = false;
    if (right.numDims > 0) throw notAffine(`the right operand of ${kind}`);
    if (rhs.kind !== 'constant') pure = false;
    else if (rhs.value === 0) throw new AffineError('affine/zero-divisor', `${kind} by zero`);
  }
  const numDims = Math.max(left.numDims, right.numDims);
  const numSymbols = Math.max(left.numSymbols, right.numSymbols);
  return new BinaryNode({ height, size, numDims, numSymbols, pure, linear }, kind, lhs, rhs);
}

/** Internal to this package: a node's summary. */
export function summaryOf(expr: AffineExpr): Summary {
  const summary = ExprNode.summary(expr);
  if (summary === undefined) throw new Error('an adopted expression has a summary');
  return summary;
}

function tooDeep(): AffineError {
  return new AffineError('affine/too-deep', `the expression is nested deeper than ${maxDepth} levels`);
}

function tooLarge(): AffineError {
  return new AffineError('affine/too-large', `the expression has more than ${maxNodes} nodes`);
}

function notAffine(what: string): AffineError {
  return new AffineError('affine/not-affine', `not affine: ${what} must be a constant or symbolic`);
}

function hasDims(expr: AffineExpr): boolean {
  return summaryOf(expr).numDims > 0;
}

/** Structural equality of two expressions. */
export function sameExpr(a: AffineExprData, b: AffineExprData): boolean {
  return a === b || sameNode(adopt(a), adopt(b));
}

function sameNode(a: AffineExpr, b: AffineExpr): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case 'dim':
    case 'symbol':
      return b.kind === a.kind && a.position === b.position;
    case 'constant':
      return b.kind === 'constant' && a.value === b.value;
    default: {
      if (b.kind !== a.kind) return false;
      const [left, right] = [summaryOf(a), summaryOf(b)];
      if (left.size !== right.size || left.height !== right.height) return false;
      return sameNode(a.lhs, b.lhs) && sameNode(a.rhs, b.rhs);
    }
  }
}

/** `a + b`. Constants go right, symbolic operands after those with dimensions; `x - (x floordiv q) * q` is a mod. */
export function add(a: AffineOperand, b: AffineOperand): AffineExpr {
  const lhs = adopt(a);
  const rhs = adopt(b);
  if (lhs.kind === 'constant') {
    return rhs.kind === 'constant' ? constant(addExact(lhs.value, rhs.value)) : add(rhs, lhs);
  }
  if (!hasDims(lhs) && hasDims(rhs)) return add(rhs, lhs);
  if (rhs.kind === 'constant') {
    if (rhs.value === 0) return lhs;
    return lhs.kind === 'add' && lhs.rhs.kind === 'constant'
      ? add(lhs.lhs, addExact(lhs.rhs.value, rhs.value))
      : binaryNode('add', lhs, rhs);
  }
  // c1 * e + c2 * e is (c1 + c2) * e.
  const base = unscaled(lhs);
  if (sameNode(base, unscaled(rhs))) return mul(base, addExact(factorOf(lhs), factorOf(rhs)));
  // The constant of a sum stays on the right: (e + c) + r is (e + r) + c, and l + (e + c) is (l + e) + c.
  if (lhs.kind === 'add' && lhs.rhs.kind === 'constant') return add(add(lhs.lhs, rhs), lhs.rhs);
  if (rhs.kind === 'add' && rhs.rhs.kind === 'constant') return add(add(lhs, rhs.lhs), rhs.rhs);
  // Sums associate to the left, as in text: otherwise re-parsed text could simplify further.
  if (rhs.kind === 'add') return add(add(lhs, rhs.lhs), rhs.rhs);
  const divisor = divisorOfRemainder(lhs, rhs);
  return divisor === undefined ? binaryNode('add', lhs, rhs) : mod(lhs, divisor);
}

/** The `e` of `e * c`; any other expression is itself times one. */
function unscaled(expr: AffineExpr): AffineExpr {
  return expr.kind === 'mul' && expr.rhs.kind === 'constant' ? expr.lhs : expr;
}

/** The `c` of `e * c`. */
function factorOf(expr: AffineExpr): number {
  return expr.kind === 'mul' && expr.rhs.kind === 'constant' ? expr.rhs.value : 1;
}

/**
 * The `q` for which `lhs + rhs` is `lhs - (lhs floordiv q) * q`, with `q` a positive constant or symbolic. The second
 * operand has to be a product: MLIR 19 mistakes the sum `lhs floordiv q - q` for one (LLVM PR 181613), and creates a
 * mod by a negative constant, which it cannot lower (PR 107530).
 */
function divisorOfRemainder(lhs: AffineExpr, rhs: AffineExpr): AffineExpr | undefined {
  if (rhs.kind !== 'mul' || rhs.rhs.kind !== 'constant') return undefined;
  const product = rhs.lhs;
  if (product.kind === 'floordiv') {
    const divisor = product.rhs;
    if (divisor.kind !== 'constant' || divisor.value <= 0 || divisor.value !== -rhs.rhs.value)
      return undefined;
    return sameNode(product.lhs, lhs) ? divisor : undefined;
  }
  if (product.kind !== 'mul' || rhs.rhs.value !== -1 || product.lhs.kind !== 'floordiv') return undefined;
  const { lhs: dividend, rhs: divisor } = product.lhs;
  return sameNode(divisor, product.rhs) && sameNode(dividend, lhs) ? divisor : undefined;
}

/** `a - b`, which is `a + b * -1`. */
export function sub(a: AffineOperand, b: AffineOperand): AffineExpr {
  return add(a, mul(b, -1));
}

/** `a * b`; one of them constant or symbolic. Constants and symbolic factors go right, constants outermost. */
export function mul(a: AffineOperand, b: AffineOperand): AffineExpr {
  const lhs = adopt(a);
  const rhs = adopt(b);
  if (lhs.kind === 'constant') {
    return rhs.kind === 'constant' ? constant(mulExact(lhs.value, rhs.value)) : mul(rhs, lhs);
  }
  if (hasDims(rhs)) {
    return hasDims(lhs) ? binaryNode('mul', lhs, rhs) : mul(rhs, lhs);
  }
  const factored = lhs.kind === 'mul' && lhs.rhs.kind === 'constant' ? lhs : undefined;
  if (rhs.kind === 'constant') {
    if (rhs.value === 1) return lhs;
    if (rhs.value === 0) return rhs;
    return factored?.rhs.kind === 'constant'
      ? mul(factored.lhs, mulExact(factored.rhs.value, rhs.value))
      : binaryNode('mul', lhs, rhs);
  }
  return factored === undefined ? binaryNode('mul', lhs, rhs) : mul(mul(factored.lhs, rhs), factored.rhs);
}

/** `floor(a / b)`; `b` constant or symbolic. A zero divisor is an error, a negative constant is kept. */
export function floorDiv(a: AffineOperand, b: AffineOperand): AffineExpr {
  const lhs = adopt(a);
  const rhs = adopt(b);
  if (rhs.kind !== 'constant' || rhs.value < 1) return binaryNode('floordiv', lhs, rhs);
  const divisor = rhs.value;
  if (lhs.kind === 'constant') return constant(floorDivInteger(lhs.value, divisor));
  if (divisor === 1) return lhs;
  const factor = factorOf(lhs);
  if (factor % divisor === 0) return mul(unscaled(lhs), factor / divisor);
  if (lhs.kind === 'add') {
    const splits = knownDivisor(lhs.lhs) % divisor === 0 || knownDivisor(lhs.rhs) % divisor === 0;
    if (splits) return add(floorDiv(lhs.lhs, divisor), floorDiv(lhs.rhs, divisor));
  }
  return binaryNode('floordiv', lhs, rhs);
}

/** `ceil(a / b)`; `b` constant or symbolic. A zero divisor is an error, a negative constant is kept. */
export function ceilDiv(a: AffineOperand, b: AffineOperand): AffineExpr {
  const lhs = adopt(a);
  const rhs = adopt(b);
  if (rhs.kind !== 'constant' || rhs.value < 1) return binaryNode('ceildiv', lhs, rhs);
  if (lhs.kind === 'constant') return constant(ceilDivInteger(lhs.value, rhs.value));
  if (rhs.value === 1) return lhs;
  const factor = factorOf(lhs);
  return factor % rhs.value === 0 ? mul(unscaled(lhs), factor / rhs.value) : binaryNode('ceildiv', lhs, rhs);
}

/**
 * `a - b * floor(a / b)`, in `[0, b)` for positive `b`; `b` constant or symbolic. A zero divisor is an error, a
 * negative constant is kept.
 */
export function mod(a: AffineOperand, b: AffineOperand): AffineExpr {
  const lhs = adopt(a);
  const rhs = adopt(b);
  if (rhs.kind !== 'constant' || rhs.value < 1) return binaryNode('mod', lhs, rhs);
  const divisor = rhs.value;
  if (lhs.kind === 'constant') return constant(modInteger(lhs.value, divisor));
  if (knownDivisor(lhs) % divisor === 0) return constant(0);
  if (lhs.kind === 'add') {
    if (knownDivisor(lhs.lhs) % divisor === 0) return mod(lhs.rhs, divisor);
    if (knownDivisor(lhs.rhs) % divisor === 0) return mod(lhs.lhs, divisor);
  }
  if (
    lhs.kind === 'mod' &&
    lhs.rhs.kind === 'constant' &&
    lhs.rhs.value >= 1 &&
    lhs.rhs.value % divisor === 0
  ) {
    return mod(lhs.lhs, divisor);
  }
  return binaryNode('mod', lhs, rhs);
}

/** `-a`, which is `a * -1`. */
export function neg(a: AffineOperand): AffineExpr {
  return mul(a, -1);
}

/** The binary expression of a kind, simplified like the function of that kind. */
export function binary(kind: AffineBinaryKind, lhs: AffineOperand, rhs: AffineOperand): AffineExpr {
  switch (kind) {
    case 'add':
      return add(lhs, rhs);
    case 'mul':
      return mul(lhs, rhs);
    case 'mod':
      return mod(lhs, rhs);
    case 'floordiv':
      return floorDiv(lhs, rhs);
    case 'ceildiv':
      return ceilDiv(lhs, rhs);
  }
}

/** The largest integer known to divide every value of the expression; 0 for the constant 0. */
export function largestKnownDivisor(expr: AffineExprData): number {
  return knownDivisor(adopt(expr));
}

function knownDivisor(expr: AffineExpr): number {
  switch (expr.kind) {
    case 'dim':
    case 'symbol':
      return 1;
    case 'constant':
      return Math.abs(expr.value);
    case 'add':
    case 'mod':
      return gcd(knownDivisor(expr.lhs), knownDivisor(expr.rhs));
    case 'mul': {
      const product = knownDivisor(expr.lhs) * knownDivisor(expr.rhs);
      return Number.isSafeInteger(product) ? product : 1;
    }
    case 'floordiv':
    case 'ceildiv': {
      if (expr.rhs.kind !== 'constant') return 1;
      const divisor = knownDivisor(expr.lhs);
      return divisor !== 0 && divisor % expr.rhs.value === 0 ? Math.abs(divisor / expr.rhs.value) : 1;
    }
  }
}
