/** Numeric conversions: the casts of arith. */
import type { Operation, Type } from '@sconv/ir';
import { printType } from '@sconv/ir';
import type { Expr } from './instructions.ts';
import { f32, f64, i32, i64, typed } from './instructions.ts';
import { isHalf, rounded } from './half-floats.ts';
import type { WordType } from './integer-words.ts';
import { held, heldWidth, signedValue, unsignedValue, wordOf } from './integer-words.ts';
import type { Lowering } from './lowering.ts';
import { loweringsOf } from './wasm-lowering.ts';
import { bindScalar, indexFromWord, operandOf, resultOf, scalarOf, trapIf, unsupported } from './lowering.ts';

/** How an integer is read. */
type Signedness = 'signed' | 'unsigned';

const viewed = (value: Expr, width: number, signedness: Signedness): Expr => {
  const view = signedness === 'signed' ? signedValue : unsignedValue;
  return value.type === 'i64' ? view(typed(value, 'i64'), width) : view(typed(value, 'i32'), width);
};

const heldAs = (value: Expr, width: number): Expr =>
  value.type === 'i64' ? held(typed(value, 'i64'), width) : held(typed(value, 'i32'), width);

const inWord = (value: Expr, word: WordType, signedness: Signedness): Expr => {
  if (value.type === word) return value;
  if (word === 'i32') return i32.wrapI64(typed(value, 'i64'));
  return signedness === 'signed' ? i64.extendI32S(typed(value, 'i32')) : i64.extendI32U(typed(value, 'i32'));
};

type Conversion = (
  state: Lowering,
  operation: Operation,
  value: Expr,
  from: Type,
  to: Type,
) => Expr | undefined;

/** Between integers, and between integers and indices: extends or truncates. */
const resize =
  (signedness: Signedness): Conversion =>
  (state, operation, value, from, to) => {
    const [fromWidth, toWidth] = [heldWidth(from), heldWidth(to)];
    if (fromWidth === undefined || toWidth === undefined) return undefined;
    // An index stands for 64 bits, the sign extension of its 32.
    const extended = from.kind === 'index' ? value : viewed(value, fromWidth, signedness);
    const sign = from.kind === 'index' ? 'signed' : signedness;
    if (to.kind === 'index')
      return indexFromWord(state, operation, typed(inWord(extended, 'i64', sign), 'i64'));
    return heldAs(inWord(extended, wordOf(toWidth) ?? 'i32', sign), toWidth);
  };

/** Integer to float, rounded once. */
const toFloat =
  (signedness: Signedness): Conversion =>
  (_state, _operation, value, from, to) => {
    const width = from.kind === 'integer' ? heldWidth(from) : undefined;
    if (to.kind === 'float' && isHalf(to.name)) return undefined;
    const float =
      to.kind !== 'float' ? undefined : to.name === 'f32' ? f32 : to.name === 'f64' ? f64 : undefined;
    if (width === undefined || float === undefined) return undefined;
    const integer = viewed(value, width, signedness);
    const suffix = signedness === 'signed' ? 'S' : 'U';
    return integer.type === 'i64'
      ? float[`convertI64${suffix}`](typed(integer, 'i64'))
      : float[`convertI32${suffix}`](typed(integer, 'i32'));
  };

/** Float to integer, towards zero. The engine traps if the word cannot hold the result. */
const toInteger =
  (signedness: Signedness): Conversion =>
  (state, operation, value, _from, to) => {
    const width = to.kind === 'integer' ? heldWidth(to) : undefined;
    if (width === undefined || (value.type !== 'f32' && value.type !== 'f64')) return undefined;
    const suffix = signedness === 'signed' ? 'S' : 'U';
    const truncate = (word: typeof i32 | typeof i64): Expr =>
      value.type === 'f32'
        ? word[`truncF32${suffix}`](typed(value, 'f32'))
        : word[`truncF64${suffix}`](typed(value, 'f64'));
    if (width > 32) return truncate(i64);
    const word = typed(state.f.get(state.f.let(truncate(i32))), 'i32');
    const result = held(word, width);
    if (width < 32) {
      const isOther = i32.ne(typed(viewed(result, width, signedness), 'i32'), word);
      trapIf(
        state,
        operation,
        isOther,
        'wasm/overflow',
        `converts a number that ${printType(to)} does not hold`,
      );
    }
    return result;
  };

const extend: Conversion = (_state, _operation, value, _from, to) => {
  if (value.type !== 'f32' || to.kind !== 'float') return undefined;
  return to.name === 'f64' ? f64.promoteF32(typed(value, 'f32')) : to.name === 'f32' ? value : undefined;
};

const truncate: Conversion = ({ f }, _operation, value, _from, to) => {
  if (to.kind !== 'float') return undefined;
  if (isHalf(to.name)) {
    const number = value.type === 'f64' ? typed(value, 'f64') : f64.promoteF32(typed(value, 'f32'));
    return rounded(f, to.name, number);
  }
  return value.type === 'f64' && to.name === 'f32' ? f32.demoteF64(typed(value, 'f64')) : undefined;
};

const conversions: Readonly<Record<string, Conversion>> = {
  'arith.extf': extend,
  'arith.truncf': truncate,
  'arith.extsi': resize('signed'),
  'arith.extui': resize('unsigned'),
  'arith.trunci': resize('signed'),
  'arith.index_cast': resize('signed'),
  'arith.index_castui': resize('unsigned'),
  'arith.sitofp': toFloat('signed'),
  'arith.uitofp': toFloat('unsigned'),
  'arith.fptosi': toInteger('signed'),
  'arith.fptoui': toInteger('unsigned'),
};

/** By operation name. */
export const conversionLowerings = loweringsOf(conversions, (state, operation, convert) => {
  const operand = operandOf(operation, 0);
  const result = resultOf(operation);
  const value = scalarOf(state, operation, operand);
  const converted = convert(state, operation, value, operand.type, result.type);
  bindScalar(state, result, converted ?? unsupported(operation, 'this conversion'));
});
