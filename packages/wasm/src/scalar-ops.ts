/** arith and affine.apply: index arithmetic stays symbolic where it is affine, everything else becomes code. */
import type { AffineExpr } from '@sconv/affine';
import { add, ceilDiv, constant, floorDiv, isAffineError, mod, mul, sub, substitute } from '@sconv/affine';
import type { Attribute, Operation, Value } from '@sconv/ir';
import type { Expr, ValueType } from './instructions.ts';
import { f32, f64, i32, i64, select } from './instructions.ts';
import type { Lowering } from './lowering.ts';
import {
  bindIndex,
  bindScalar,
  indexOf,
  operandOf,
  resultOf,
  scalarOf,
  scalarTypeOf,
  unsupported,
} from './lowering.ts';

type Binary<T extends ValueType> = (a: Expr<T>, b: Expr<T>) => Expr;

/** One mnemonic for each type that has it. */
interface BinaryTable {
  readonly i32?: Binary<'i32'>;
  readonly i64?: Binary<'i64'>;
  readonly f32?: Binary<'f32'>;
  readonly f64?: Binary<'f64'>;
}

const floats = (name: 'add' | 'sub' | 'mul' | 'div' | 'min' | 'max'): BinaryTable => ({
  f32: f32[name],
  f64: f64[name],
});

type IntegerMnemonic =
  'add' | 'sub' | 'mul' | 'divS' | 'divU' | 'remS' | 'remU' | 'and' | 'or' | 'xor' | 'shl' | 'shrS' | 'shrU';

const integers = (name: IntegerMnemonic | 'shrU'): BinaryTable =>
  name === 'shrU' || name === 'shrS' || name === 'shl'
    ? { i32: i32[name] }
    : { i32: i32[name], i64: i64[name] };

type Comparison = 'ltS' | 'ltU' | 'gtS' | 'gtU';

/** The operand for which the comparison holds. */
const pick = (comparison: Comparison): BinaryTable => ({
  i32: (a, b) => select(a, b, i32[comparison](a, b)),
  i64: (a, b) => select(a, b, i64[comparison](a, b)),
});

const binaryOps: Readonly<Record<string, BinaryTable>> = {
  'arith.addf': floats('add'),
  'arith.subf': floats('sub'),
  'arith.mulf': floats('mul'),
  'arith.divf': floats('div'),
  'arith.maximumf': floats('max'),
  'arith.minimumf': floats('min'),
  'arith.addi': integers('add'),
  'arith.subi': integers('sub'),
  'arith.muli': integers('mul'),
  'arith.divsi': integers('divS'),
  'arith.divui': integers('divU'),
  'arith.remsi': integers('remS'),
  'arith.remui': integers('remU'),
  'arith.andi': integers('and'),
  'arith.ori': integers('or'),
  'arith.xori': integers('xor'),
  'arith.shli': integers('shl'),
  'arith.shrsi': integers('shrS'),
  'arith.shrui': integers('shrU'),
  'arith.minsi': pick('ltS'),
  'arith.maxsi': pick('gtS'),
  'arith.minui': pick('ltU'),
  'arith.maxui': pick('gtU'),
};

/** Division that rounds down or up has no instruction. */
const integerOnly = new Set(['arith.floordivsi', 'arith.ceildivsi']);

const applyBinary = (table: BinaryTable, a: Expr, b: Expr): Expr | undefined => {
  const same = a.type === b.type;
  if (!same) return undefined;
  const operands = <T extends ValueType>(type: T): [Expr<T>, Expr<T>] => [
    { type, code: a.code },
    { type, code: b.code },
  ];
  switch (a.type) {
    case 'i32':
      return table.i32?.(...operands('i32'));
    case 'i64':
      return table.i64?.(...operands('i64'));
    case 'f32':
      return table.f32?.(...operands('f32'));
    case 'f64':
      return table.f64?.(...operands('f64'));
    case 'v128':
      return undefined;
  }
};

/**
 * The index expression of an operation, if it is affine arithmetic on indices whose numbers are exact; writes no code.
 */
export const symbolicIndex = (state: Lowering, operation: Operation): AffineExpr | undefined => {
  if (operation.results.length !== 1 || operation.results[0]?.type.kind !== 'index') return undefined;
  if (operation.name === 'arith.constant') {
    const { value } = operation.attributes;
    return value?.kind === 'integer' ? constant(Number(value.value)) : undefined;
  }
  const known = operation.operands.map((operand) => {
    const lowered = state.values.get(operand.id);
    return lowered?.kind === 'index' ? lowered.expr : undefined;
  });
  const operands = known.filter((expr) => expr !== undefined);
  if (operands.length !== known.length) return undefined;
  if (operation.name === 'affine.apply') return appliedMap(operation, operands);
  const [a, b] = operands;
  if (a === undefined || b === undefined) return undefined;
  try {
    return affineArithmetic(state, operation.name, a, b);
  } catch (thrown) {
    // Factors too large to be exact: the code of the operation wraps around, as it should.
    if (isAffineError(thrown)) return undefined;
    throw thrown;
  }
};

/** Operations of arith on two indices; a divisor has to be a positive constant for the rounding to be known. */
const affineArithmetic = (
  state: Lowering,
  name: string,
  a: AffineExpr,
  b: AffineExpr,
): AffineExpr | undefined => {
  const positive = b.kind === 'constant' && b.value > 0;
  const truncatesDown = (): boolean => positive && state.indices.rangeOf(a).lo >= 0;
  switch (name) {
    case 'arith.addi':
      return add(a, b);
    case 'arith.subi':
      return sub(a, b);
    case 'arith.muli':
      return mul(a, b);
    case 'arith.floordivsi':
      return positive ? floorDiv(a, b) : undefined;
    case 'arith.ceildivsi':
      return positive ? ceilDiv(a, b) : undefined;
    case 'arith.divsi':
    case 'arith.divui':
      return truncatesDown() ? floorDiv(a, b) : undefined;
    case 'arith.remsi':
    case 'arith.remui':
      return truncatesDown() ? mod(a, b) : undefined;
    default:
      return undefined;
  }
};

const mapOf = (operation: Operation) => {
  const attribute: Attribute | undefined = operation.attributes['map'];
  return attribute?.kind === 'affine-map'
    ? attribute.map
    : unsupported(operation, 'an operation without map');
};

const appliedMap = (operation: Operation, operands: readonly AffineExpr[]): AffineExpr => {
  const map = mapOf(operation);
  const [result] = map.results;
  if (result === undefined) return unsupported(operation, 'a map without result');
  return substitute(result, { dims: operands.slice(0, map.numDims), symbols: operands.slice(map.numDims) });
};

/** `affine.min` and `affine.max`. */
const lowerExtremum = (state: Lowering, operation: Operation, comparison: 'ltS' | 'gtS'): void => {
  const map = mapOf(operation);
  const operands = operation.operands.map((operand) => indexOf(state, operation, operand));
  const replacements = { dims: operands.slice(0, map.numDims), symbols: operands.slice(map.numDims) };
  const results = map.results.map((result) => substitute(result, replacements));
  const [first, ...rest] = results;
  if (first === undefined) return unsupported(operation, 'a map without result');
  const extremum = state.f.let(state.indices.emit(first));
  for (const result of rest) {
    const candidate = state.f.get(state.f.let(state.indices.emit(result)));
    const current = state.f.get(extremum);
    state.f.set(extremum, select(candidate, current, i32[comparison](candidate, current)));
  }
  const ranges = results.map((result) => state.indices.rangeOf(result));
  const ends = comparison === 'ltS' ? Math.min : Math.max;
  const lo = Math.max(ends(...ranges.map((r) => r.lo)), -(2 ** 31));
  const hi = Math.min(ends(...ranges.map((r) => r.hi)), 2 ** 31);
  bindIndex(state, resultOf(operation), state.indices.of(extremum, lo, hi).expr);
};

const lowerConstant = (state: Lowering, operation: Operation): void => {
  const { value } = operation.attributes;
  const result = resultOf(operation);
  const type = scalarTypeOf(result.type);
  if (type === undefined) return unsupported(operation, 'a constant of this type');
  const bind = (expr: Expr): void => {
    state.values.set(result.id, { kind: 'scalar', expr });
  };
  if (value?.kind === 'float') bind(type === 'f64' ? f64.const(value.value) : f32.const(value.value));
  else if (value?.kind === 'integer' && type === 'i64') bind(i64.const(value.value));
  else if (value?.kind === 'integer') {
    const width = result.type.kind === 'integer' ? result.type.width : 32;
    // A boolean is 0 or 1, whatever the sign of its one bit.
    bind(i32.const(Number(width === 1 ? BigInt.asUintN(1, value.value) : value.value)));
  } else unsupported(operation, 'a constant that is no number');
};

const integerPredicates = ['eq', 'ne', 'ltS', 'leS', 'gtS', 'geS', 'ltU', 'leU', 'gtU', 'geU'] as const;

const predicateOf = (operation: Operation): number => {
  const { predicate } = operation.attributes;
  return predicate?.kind === 'integer' ? Number(predicate.value) : -1;
};

const lowerIntegerComparison = (state: Lowering, operation: Operation): void => {
  const name = integerPredicates[predicateOf(operation)];
  const [a, b] = [0, 1].map((i) => scalarOf(state, operation, operandOf(operation, i)));
  const compared =
    name === undefined || a === undefined || b === undefined
      ? undefined
      : applyBinary({ i32: i32[name], i64: i64[name] }, a, b);
  bindScalar(state, resultOf(operation), compared ?? unsupported(operation, 'this comparison'));
};

type FloatComparison = <T extends 'f32' | 'f64'>(type: T, a: Expr<T>, b: Expr<T>) => Expr<'i32'>;

const floatComparison =
  (name: 'eq' | 'ne' | 'lt' | 'gt' | 'le' | 'ge'): FloatComparison =>
  (type, a, b) =>
    type === 'f32'
      ? f32[name]({ type: 'f32', code: a.code }, { type: 'f32', code: b.code })
      : f64[name]({ type: 'f64', code: a.code }, { type: 'f64', code: b.code });

const [eq, ne, lt, gt, le, ge] = (['eq', 'ne', 'lt', 'gt', 'le', 'ge'] as const).map(floatComparison) as [
  FloatComparison,
  FloatComparison,
  FloatComparison,
  FloatComparison,
  FloatComparison,
  FloatComparison,
];

const not =
  (comparison: FloatComparison): FloatComparison =>
  (type, a, b) =>
    i32.eqz(comparison(type, a, b));
const distinct: FloatComparison = (type, a, b) => i32.or(lt(type, a, b), gt(type, a, b));
const ordered: FloatComparison = (type, a, b) => i32.and(eq(type, a, a), eq(type, b, b));

/** By the number of the predicate: false, oeq … ord, ueq … uno, true. */
const floatPredicates: readonly FloatComparison[] = [
  () => i32.const(0),
  eq,
  gt,
  ge,
  lt,
  le,
  distinct,
  ordered,
  not(distinct),
  not(le),
  not(lt),
  not(ge),
  not(gt),
  ne,
  not(ordered),
  () => i32.const(1),
];

const lowerFloatComparison = (state: Lowering, operation: Operation): void => {
  const compare = floatPredicates[predicateOf(operation)];
  const a = scalarOf(state, operation, operandOf(operation, 0));
  const b = scalarOf(state, operation, operandOf(operation, 1));
  const [type] = [a.type];
  if (compare === undefined || (type !== 'f32' && type !== 'f64')) {
    return unsupported(operation, 'this comparison');
  }
  bindScalar(state, resultOf(operation), compare(type, { type, code: a.code }, { type, code: b.code }));
};

const lowerSelect = (state: Lowering, operation: Operation): void => {
  const [condition, a, b] = [0, 1, 2].map((i) => scalarOf(state, operation, operandOf(operation, i)));
  if (condition?.type !== 'i32' || a === undefined || b === undefined || a.type === 'v128') {
    return unsupported(operation, 'this selection');
  }
  const chosen = select(
    { type: a.type, code: a.code },
    { type: a.type, code: b.code },
    { type: 'i32', code: condition.code },
  );
  bindScalar(state, resultOf(operation), chosen);
};

const key = (from: Value, to: Value): string => {
  const name = ({ type }: Value): string =>
    type.kind === 'integer' ? `i${type.width}` : type.kind === 'float' ? type.name : type.kind;
  return `${name(from)}>${name(to)}`;
};

const i32Of = (expr: Expr): Expr<'i32'> => ({ type: 'i32', code: expr.code });
const i64Of = (expr: Expr): Expr<'i64'> => ({ type: 'i64', code: expr.code });
const f32Of = (expr: Expr): Expr<'f32'> => ({ type: 'f32', code: expr.code });
const f64Of = (expr: Expr): Expr<'f64'> => ({ type: 'f64', code: expr.code });

/** Conversions by source and result type. */
const conversions: Readonly<Record<string, Readonly<Record<string, (value: Expr) => Expr>>>> = {
  'arith.extf': { 'f32>f64': (value) => f64.promoteF32(f32Of(value)) },
  'arith.truncf': { 'f64>f32': (value) => f32.demoteF64(f64Of(value)) },
  'arith.sitofp': {
    'i32>f32': (value) => f32.convertI32S(i32Of(value)),
    'i32>f64': (value) => f64.convertI32S(i32Of(value)),
  },
  'arith.fptosi': {
    'f32>i32': (value) => i32.truncF32S(f32Of(value)),
    'f64>i32': (value) => i32.truncF64S(f64Of(value)),
  },
  'arith.extsi': {
    'i1>i32': (value) => i32.sub(i32.const(0), i32Of(value)),
    'i32>i64': (value) => i64.extendI32S(i32Of(value)),
  },
  'arith.extui': { 'i1>i32': (value) => value, 'i32>i64': (value) => i64.extendI32U(i32Of(value)) },
  'arith.trunci': {
    'i64>i32': (value) => i32.wrapI64(i64Of(value)),
    'i32>i1': (value) => i32.and(i32Of(value), i32.const(1)),
  },
  'arith.index_cast': {
    'index>i32': (value) => value,
    'i32>index': (value) => value,
    'index>i64': (value) => i64.extendI32S(i32Of(value)),
    'i64>index': (value) => i32.wrapI64(i64Of(value)),
  },
};

const lowerConversion = (state: Lowering, operation: Operation): void => {
  const operand = operandOf(operation, 0);
  const convert = conversions[operation.name]?.[key(operand, resultOf(operation))];
  if (convert === undefined) return unsupported(operation, 'this conversion');
  bindScalar(state, resultOf(operation), convert(scalarOf(state, operation, operand)));
};

const lowerNegation = (state: Lowering, operation: Operation): void => {
  const value = scalarOf(state, operation, operandOf(operation, 0));
  if (value.type === 'f32') bindScalar(state, resultOf(operation), f32.neg(f32Of(value)));
  else if (value.type === 'f64') bindScalar(state, resultOf(operation), f64.neg(f64Of(value)));
  else unsupported(operation, 'this type');
};

/** Lowers an operation of arith, or `affine.apply`, `affine.min`, `affine.max`; false if it is none of them. */
export const lowerScalarOp = (state: Lowering, operation: Operation): boolean => {
  const symbolic = symbolicIndex(state, operation);
  if (symbolic !== undefined) {
    bindIndex(state, resultOf(operation), symbolic);
    return true;
  }
  const table = binaryOps[operation.name];
  if (table !== undefined) {
    const a = scalarOf(state, operation, operandOf(operation, 0));
    const b = scalarOf(state, operation, operandOf(operation, 1));
    const narrow = resultOf(operation).type;
    const wraps = narrow.kind === 'integer' && narrow.width === 1 && !/(and|or|xor)i$/.test(operation.name);
    const value = wraps ? undefined : applyBinary(table, a, b);
    bindScalar(state, resultOf(operation), value ?? unsupported(operation, 'this type'));
    return true;
  }
  if (operation.name in conversions) {
    lowerConversion(state, operation);
    return true;
  }
  if (integerOnly.has(operation.name)) return unsupported(operation, 'a divisor that is not constant');
  switch (operation.name) {
    case 'arith.constant':
      lowerConstant(state, operation);
      return true;
    case 'arith.negf':
      lowerNegation(state, operation);
      return true;
    case 'arith.cmpi':
      lowerIntegerComparison(state, operation);
      return true;
    case 'arith.cmpf':
      lowerFloatComparison(state, operation);
      return true;
    case 'arith.select':
      lowerSelect(state, operation);
      return true;
    case 'affine.min':
      lowerExtremum(state, operation, 'ltS');
      return true;
    case 'affine.max':
      lowerExtremum(state, operation, 'gtS');
      return true;
    default:
      return false;
  }
};
