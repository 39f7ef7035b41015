/** The type of a BLAS library's microkernels. */
import { call } from '@sconv/dialects/func';
import { llvmPointer } from '@sconv/dialects/llvm';
import type { FunctionType, Operation, Type, Value } from '@sconv/ir';
import { f32, f64, functionType, i32, i64, typeEquals } from '@sconv/ir';

/** `int (long m, long n, long k, T alpha, T *a, T *b, T *c, long ldc)`. */
export const kernelType = (element: Type): FunctionType =>
  functionType([i64, i64, i64, element, llvmPointer, llvmPointer, llvmPointer, i64], [i32]);

/**
 * The numbers of windows, filters and steps passed to such a kernel, judged by operand types; undefined for other
 * operations.
 */
export const kernelCallSizes = (operation: Operation): readonly [Value, Value, Value] | undefined => {
  if (!call.is(operation)) return undefined;
  const { operands, results } = operation;
  const type = functionType(
    operands.map((value) => value.type),
    results.map((value) => value.type),
  );
  const isKernel = [f32, f64].some((element) => typeEquals(type, kernelType(element)));
  const [m, n, k] = operands;
  return isKernel ? [m!, n!, k!] : undefined;
};
