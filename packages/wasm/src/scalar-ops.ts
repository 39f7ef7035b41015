/** arith on numbers; index arithmetic that is affine stays an expression, see `symbolicIndex`. */
import type { Operation, Value } from '@sconv/ir';
import type { BinaryTable } from './binary-table.ts';
import { applyBinary } from './binary-table.ts';
import { lowerFloatComparison, lowerIntegerComparison } from './comparison-ops.ts';
import { lowerExtremum, symbolicIndex } from './index-ops.ts';
import type { Expr } from './instructions.ts';
import { f32, f64, i32, i64, select, typed } from './instructions.ts';
import type { Lowering } from './lowering.ts';
import {
  bindIndex,
  bindScalar,
  operandOf,
  resultOf,
  scalarOf,
  scalarTypeOf,
  unsupported,
} from './lowering.ts';

const floats = (name: 'add' | 'sub' | 'mul' | 'div' | 'min' | 'max'): BinaryTable => ({
  f32: f32[name],
  f64: f64[name],
});

type IntegerMnemonic =
  'add' | 'sub' | 'mul' | 'divS' | 'divU' | 'remS' | 'remU' | 'and' | 'or' | 'xor' | 'shl' | 'shrS' | 'shrU';

const integers = (name: IntegerMnemonic): BinaryTable => ({ i32: i32[name], i64: i64[name] });

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

const lowerSelect = (state: Lowering, operation: Operation): void => {
  const value = (i: number): Expr => scalarOf(state, operation, operandOf(operation, i));
  const [condition, a, b] = [value(0), value(1), value(2)];
  const { type } = a;
  if (condition.type !== 'i32' || type === 'v128' || b.type !== type) {
    return unsupported(operation, 'this selection');
  }
  const chosen = select(typed(a, type), typed(b, type), typed(condition, 'i32'));
  bindScalar(state, resultOf(operation), chosen);
};

const key = (from: Value, to: Value): string => {
  const name = ({ type }: Value): string =>
    type.kind === 'integer' ? `i${type.width}` : type.kind === 'float' ? type.name : type.kind;
  return `${name(from)}>${name(to)}`;
};

/** Conversions by source and result type. */
const conversions: Readonly<Record<string, Readonly<Record<string, (value: Expr) => Expr>>>> = {
  'arith.extf': { 'f32>f64': (value) => f64.promoteF32(typed(value, 'f32')) },
  'arith.truncf': { 'f64>f32': (value) => f32.demoteF64(typed(value, 'f64')) },
  'arith.sitofp': {
    'i32>f32': (value) => f32.convertI32S(typed(value, 'i32')),
    'i32>f64': (value) => f64.convertI32S(typed(value, 'i32')),
  },
  'arith.fptosi': {
    'f32>i32': (value) => i32.truncF32S(typed(value, 'f32')),
    'f64>i32': (value) => i32.truncF64S(typed(value, 'f64')),
  },
  'arith.extsi': {
    'i1>i32': (value) => i32.sub(i32.const(0), typed(value, 'i32')),
    'i32>i64': (value) => i64.extendI32S(typed(value, 'i32')),
  },
  'arith.extui': { 'i1>i32': (value) => value, 'i32>i64': (value) => i64.extendI32U(typed(value, 'i32')) },
  'arith.trunci': {
    'i64>i32': (value) => i32.wrapI64(typed(value, 'i64')),
    'i32>i1': (value) => i32.and(typed(value, 'i32'), i32.const(1)),
  },
  'arith.index_cast': {
    'index>i32': (value) => value,
    'i32>index': (value) => value,
    'index>i64': (value) => i64.extendI32S(typed(value, 'i32')),
    'i64>index': (value) => i32.wrapI64(typed(value, 'i64')),
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
  if (value.type === 'f32') bindScalar(state, resultOf(operation), f32.neg(typed(value, 'f32')));
  else if (value.type === 'f64') bindScalar(state, resultOf(operation), f64.neg(typed(value, 'f64')));
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
