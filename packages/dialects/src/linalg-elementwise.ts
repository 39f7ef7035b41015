/** Named elementwise ops, copies and fills. */
import {
  binary,
  copyBody,
  elementwiseBinary,
  elementwiseUnary,
  randomFill,
  selectBody,
  unary,
} from './linalg-body.ts';
import { binaryFunctionAttribute, castAttribute, unaryFunctionAttribute } from './linalg-functions.ts';
import { contraction, elementwise } from './linalg-named.ts';

/** `linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>`. */
export const fill = elementwise('fill', 1, copyBody);
/** `linalg.copy ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>`. */
export const copy = elementwise('copy', 1, copyBody, { attributes: { cast: castAttribute } });
export const elemwiseUnary = elementwise('elemwise_unary', 1, elementwiseUnary, {
  attributes: { fun: unaryFunctionAttribute, cast: castAttribute },
});
export const elemwiseBinary = elementwise('elemwise_binary', 2, elementwiseBinary, {
  attributes: { fun: binaryFunctionAttribute, cast: castAttribute },
});
export const fillRng2d = contraction('fill_rng_2d', 'pp', ['', '', '', '0 1'], randomFill);

export const exp = elementwise('exp', 1, unary('exp'));
export const log = elementwise('log', 1, unary('log'));
export const abs = elementwise('abs', 1, unary('abs'));
export const ceil = elementwise('ceil', 1, unary('ceil'));
export const floor = elementwise('floor', 1, unary('floor'));
export const negf = elementwise('negf', 1, unary('negf'));
export const reciprocal = elementwise('reciprocal', 1, unary('reciprocal'));
export const round = elementwise('round', 1, unary('round'));
export const sqrt = elementwise('sqrt', 1, unary('sqrt'));
export const rsqrt = elementwise('rsqrt', 1, unary('rsqrt'));
export const square = elementwise('square', 1, unary('square'));
export const tanh = elementwise('tanh', 1, unary('tanh'));
export const erf = elementwise('erf', 1, unary('erf'));

export const add = elementwise('add', 2, binary('add'));
export const sub = elementwise('sub', 2, binary('sub'));
export const mul = elementwise('mul', 2, binary('mul'));
export const div = elementwise('div', 2, binary('div'));
export const divUnsigned = elementwise('div_unsigned', 2, binary('div_unsigned'));
export const max = elementwise('max', 2, binary('max_signed'));
export const min = elementwise('min', 2, binary('min_signed'));
export const powf = elementwise('powf', 2, binary('powf'));
export const select = elementwise('select', 3, selectBody);

/** All of them. */
export const elementwiseOps = [
  fill,
  copy,
  elemwiseUnary,
  elemwiseBinary,
  fillRng2d,
  exp,
  log,
  abs,
  ceil,
  floor,
  negf,
  reciprocal,
  round,
  sqrt,
  rsqrt,
  square,
  tanh,
  erf,
  add,
  sub,
  mul,
  div,
  divUnsigned,
  max,
  min,
  powf,
  select,
] as const;
