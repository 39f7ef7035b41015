/** Text as MLIR 19 prints it: `d0 - d1 floordiv 3`, `-d0`, `(d0 + d1) * 2`. */
import type { AffineExpr, AffineExprData } from './affine-expr.ts';
import { adopt } from './affine-expr.ts';
import type { AffineMapData, IntegerSetData } from './affine-map.ts';
import { expectKind } from './expect-kind.ts';

/** How identifiers are written; dimensions and symbols are numbered separately. */
export interface PrintNames {
  readonly dim: (position: number) => string;
  readonly symbol: (position: number) => string;
}

const defaultNames: PrintNames = { dim: (i) => `d${i}`, symbol: (i) => `s${i}` };

/** MLIR's text of an expression; `names` replaces `d0`, `s0`, e.g. by the SSA names of `affine.load`. */
export function printExpr(expr: AffineExprData, names: PrintNames = defaultNames): string {
  return print(adopt(expr), false, names);
}

/** MLIR's text of a map without the `affine_map<…>` around it: `(d0, d1)[s0] -> (d0 + s0, d1)`. */
export function printMap(map: AffineMapData): string {
  expectKind(map, 'map');
  const results = map.results.map((result) => printExpr(result)).join(', ');
  return `${printIdentifiers(map.numDims, map.numSymbols)} -> (${results})`;
}

/** MLIR's text of a set without the `affine_set<…>` around it: `(d0)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0)`. */
export function printSet(set: IntegerSetData): string {
  expectKind(set, 'set');
  const constraints = set.constraints.map(
    ({ expr, kind }) => `${printExpr(expr)} ${kind === 'eq' ? '==' : '>='} 0`,
  );
  return `${printIdentifiers(set.numDims, set.numSymbols)} : (${constraints.join(', ')})`;
}

function printIdentifiers(numDims: number, numSymbols: number): string {
  const list = (count: number, name: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => name(i)).join(', ');
  const symbols = numSymbols === 0 ? '' : `[${list(numSymbols, defaultNames.symbol)}]`;
  return `(${list(numDims, defaultNames.dim)})${symbols}`;
}

/** `tight` asks for parentheses around anything that is not a leaf. */
function print(expr: AffineExpr, tight: boolean, names: PrintNames): string {
  switch (expr.kind) {
    case 'dim':
      return names.dim(expr.position);
    case 'symbol':
      return names.symbol(expr.position);
    case 'constant':
      return String(expr.value);
    case 'add':
      return parenthesize(printSum(expr.lhs, expr.rhs, names), tight);
    case 'mul':
      if (expr.rhs.kind === 'constant' && expr.rhs.value === -1) {
        return parenthesize(`-${print(expr.lhs, true, names)}`, tight);
      }
      return parenthesize(`${print(expr.lhs, true, names)} * ${print(expr.rhs, true, names)}`, tight);
    case 'mod':
    case 'floordiv':
    case 'ceildiv':
      return parenthesize(
        `${print(expr.lhs, true, names)} ${expr.kind} ${print(expr.rhs, true, names)}`,
        tight,
      );
  }
}

/** A negative right operand is printed as a subtraction. */
function printSum(lhs: AffineExpr, rhs: AffineExpr, names: PrintNames): string {
  const left = print(lhs, false, names);
  if (rhs.kind === 'constant' && rhs.value < 0) return `${left} - ${-rhs.value}`;
  if (rhs.kind === 'mul' && rhs.rhs.kind === 'constant' && rhs.rhs.value < 0) {
    const factor = rhs.rhs.value;
    if (factor === -1) return `${left} - ${print(rhs.lhs, rhs.lhs.kind === 'add', names)}`;
    return `${left} - ${print(rhs.lhs, true, names)} * ${-factor}`;
  }
  return `${left} + ${print(rhs, false, names)}`;
}

function parenthesize(text: string, tight: boolean): string {
  return tight ? `(${text})` : text;
}
