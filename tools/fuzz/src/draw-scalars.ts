/** Random ops on scalars: arith, and affine maps of indices. */
import type { ScalarName, FunctionWriter } from './function-writer.ts';
import { integers, floats, widths, isInteger, isFloat } from './function-writer.ts';

const binaryIntegers = ['addi', 'subi', 'muli', 'andi', 'ori', 'xori', 'maxsi', 'minsi', 'maxui', 'minui'];
const divisions = ['divsi', 'divui', 'remsi', 'remui', 'floordivsi', 'ceildivsi'];
const shifts = ['shli', 'shrsi', 'shrui'];
const binaryFloats = ['addf', 'subf', 'mulf', 'divf', 'maximumf', 'minimumf', 'maxnumf', 'minnumf'];
const predicates = ['eq', 'ne', 'slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge'];
const floatPredicates = ['oeq', 'olt', 'ole', 'ogt', 'oge', 'one', 'ueq', 'ult', 'uge', 'une', 'ord', 'uno'];

export const integerOperation = (w: FunctionWriter): void => {
  const { random } = w;
  const type = random.pick(integers);
  const lhs = w.scalar(type);
  const kind = random.integer(0, 9);
  if (kind === 0 && type !== 'i1') {
    const divisor = w.constant(type, random.pick(['2', '3', '7', '-3', '1']));
    w.define(type, `arith.${random.pick(divisions)} ${lhs}, ${divisor} : ${type}`);
  } else if (kind === 1 && type !== 'i1') {
    const count = w.constant(type, random.pick(['0', '1', '3']));
    w.define(type, `arith.${random.pick(shifts)} ${lhs}, ${count} : ${type}`);
  } else {
    w.define(type, `arith.${random.pick(binaryIntegers)} ${lhs}, ${w.scalar(type)} : ${type}`);
  }
};

export const floatOperation = (w: FunctionWriter): void => {
  const type = w.random.pick(floats);
  const lhs = w.scalar(type);
  if (w.random.chance(0.2)) w.define(type, `arith.negf ${lhs} : ${type}`);
  else w.define(type, `arith.${w.random.pick(binaryFloats)} ${lhs}, ${w.scalar(type)} : ${type}`);
};

export const comparison = (w: FunctionWriter): void => {
  const type = w.scalarType();
  const [lhs, rhs] = [w.scalar(type), w.scalar(type)];
  const text = isFloat(type)
    ? `arith.cmpf ${w.random.pick(floatPredicates)}, ${lhs}, ${rhs} : ${type}`
    : `arith.cmpi ${w.random.pick(predicates)}, ${lhs}, ${rhs} : ${type}`;
  w.define('i1', text);
};

export const selection = (w: FunctionWriter): void => {
  const type = w.scalarType();
  w.define(type, `arith.select ${w.scalar('i1')}, ${w.scalar(type)}, ${w.scalar(type)} : ${type}`);
};

export const cast = (w: FunctionWriter): void => {
  const { random } = w;
  const [from, to] = [w.scalarType(), w.scalarType()];
  const found = conversion(w, from, to);
  if (found !== undefined) w.define(to, `arith.${found} ${w.scalar(from)} : ${from} to ${to}`);
  else if (from === 'i32' && random.chance(0.5))
    w.define('f32', `arith.bitcast ${w.scalar('i32')} : i32 to f32`);
};

const conversion = (w: FunctionWriter, from: ScalarName, to: ScalarName): string | undefined => {
  const { random } = w;
  if (from === to) return undefined;
  if (from === 'index' || to === 'index') {
    return isInteger(from) && isInteger(to) ? random.pick(['index_cast', 'index_castui']) : undefined;
  }
  if (isInteger(from) && isInteger(to))
    return widths[from] < widths[to] ? random.pick(['extsi', 'extui']) : 'trunci';
  if (isInteger(from)) return random.pick(['sitofp', 'uitofp']);
  return isFloat(to) ? (from === 'f32' ? 'extf' : 'truncf') : undefined;
};

/** Maps of numbers far from index overflow. */
export const affineOperation = (w: FunctionWriter): void => {
  const { random } = w;
  // Indices here are remainders, hence small.
  const small = (): string => {
    const divisor = w.constant('index', random.pick(['5', '9', '16']));
    return w.define('index', `arith.remsi ${w.scalar('index')}, ${divisor} : index`);
  };
  const [a, b] = [small(), small()];
  const term = (): string =>
    random.pick([
      'd0',
      'd1',
      'd0 + 3',
      'd1 * 2',
      'd0 - d1',
      'd0 * 4 + d1',
      'd0 mod 3',
      'd1 floordiv 2',
      '7',
      'd0 ceildiv 4',
    ]);
  const kind = random.pick(['apply', 'min', 'max']);
  const results = kind === 'apply' ? term() : [term(), term()].join(', ');
  w.define('index', `affine.${kind} affine_map<(d0, d1) -> (${results})>(${a}, ${b})`);
};
