/** Guards the entry points: tells untyped callers what they passed instead of an affine value. */
import { AffineError } from './affine-error.ts';

/** What an entry point accepts. */
type Expected = 'expression' | 'map' | 'set';

const names: Readonly<Record<Expected, string>> = {
  expression: 'an affine expression',
  map: 'an affine map',
  set: 'an integer set',
};

const readers: Readonly<Record<Expected, string>> = {
  expression: 'affineExpr',
  map: 'affineMap',
  set: 'integerSet',
};

/** Refuses values of other kinds; whether an object is an expression is left to `adopt`. */
export function expectKind(value: unknown, ...expected: readonly Expected[]): void {
  if (typeof value === 'object' && value !== null && 'kind' in value) {
    const kind = value.kind === 'map' || value.kind === 'set' ? value.kind : 'expression';
    if (expected.includes(kind) && (kind === 'expression' || hasParts(value, kind))) return;
  }
  throw wrongKind(value, ...expected);
}

/** Whether an object has the numbers and the list of a map or set; what is in the list is for `adopt`. */
function hasParts(value: object, kind: 'map' | 'set'): boolean {
  const { numDims, numSymbols, results, constraints } = value as Readonly<Record<string, unknown>>;
  const list = kind === 'map' ? results : constraints;
  if (typeof numDims !== 'number' || typeof numSymbols !== 'number' || !Array.isArray(list)) return false;
  // Spread: `every` skips holes.
  return [...(list as unknown[])].every((each) => typeof each === 'object' && each !== null);
}

/** Refuses options that are no record. */
export function expectOptions(options: unknown): void {
  if (typeof options === 'object' && options !== null) return;
  throw new AffineError('affine/invalid-argument', `expected options, not ${describe(options)}`);
}

/** The error for a value of another kind; for text it tells how to parse it. */
export function wrongKind(value: unknown, ...expected: readonly Expected[]): AffineError {
  const wanted = expected.map((each) => names[each]).join(' or ');
  const hint =
    typeof value === 'string'
      ? `; ${expected.map((each) => `${readers[each]}(text)`).join(' or ')} reads it`
      : '';
  return new AffineError('affine/invalid-argument', `expected ${wanted}, not ${describe(value)}${hint}`);
}

/** Refuses what is no list; `what` names it. */
export function expectList(value: unknown, what: string): void {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return;
  throw new AffineError('affine/invalid-argument', `expected a list as ${what}, not ${describe(value)}`);
}

/** Refuses what cannot be called; `what` names it. */
export function expectFunction(value: unknown, what: string): void {
  if (typeof value === 'function') return;
  throw new AffineError('affine/invalid-argument', `expected a function as ${what}, not ${describe(value)}`);
}

/** Refuses what is no text. */
export function expectText(value: unknown): void {
  if (typeof value === 'string') return;
  throw new AffineError('affine/invalid-argument', `expected text, not ${describe(value)}`);
}

/** A short description of a value. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (!('kind' in value)) return 'an object without a kind';
  const { kind } = value;
  if (kind !== 'map' && kind !== 'set') return `an object of kind ${String(kind)}`;
  return hasParts(value, kind) ? names[kind] : `an object of kind ${kind} without its parts`;
}
