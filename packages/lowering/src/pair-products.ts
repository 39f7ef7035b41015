/**
 * Sums of products of pairs of i16, in i32: an instruction of x86 (PMADDWD), or plain arithmetic. Both are the same
 * modulo 2^32: only the sum of two products of -2^15 by itself overflows, and it wraps.
 */
import { addi, extsi, muli } from '@sconv/dialects/arith';
import { callIntrinsic } from '@sconv/dialects/llvm';
import { shuffle } from '@sconv/dialects/vector';
import type { Builder, Value, VectorType } from '@sconv/ir';
import { integerType, vectorType } from '@sconv/ir';
import type { VectorRegisters } from './vector-unit.ts';

/** Sums by PMADDWD; LLVM makes one VPDPWSSD of it and the addition where the processor has that. */
const instructions: Readonly<Record<number, string>> = {
  4: 'llvm.x86.sse2.pmadd.wd',
  8: 'llvm.x86.avx2.pmadd.wd',
  16: 'llvm.x86.avx512.pmaddw.d.512',
};

/** The sums of the products of two vectors of i16, each of a lane's pair: vectors of half as many lanes of i32. */
export const pairSums = (b: Builder, unit: VectorRegisters, lhs: Value, rhs: Value): Value => {
  const lanes = (lhs.type as VectorType).shape[0]! / 2;
  const sums = vectorType([lanes], integerType(32));
  const intrin = unit.pairProducts === 'pmaddwd' ? instructions[lanes] : undefined;
  if (intrin !== undefined) return b(callIntrinsic, { intrin, args: [lhs, rhs] }, { resultTypes: [sums] })!;
  const [x, y] = [lhs, rhs].map((half): Value =>
    b(extsi, { in: half }, { resultTypes: [vectorType([2 * lanes], integerType(32))] }),
  ) as [Value, Value];
  const products: Value = b(muli, { lhs: x, rhs: y });
  const [even, odd] = [0, 1].map((half): Value => {
    const mask = Array.from({ length: lanes }, (_, i) => 2 * i + half);
    return b(shuffle, { v1: products, v2: products, mask });
  }) as [Value, Value];
  return b(addi, { lhs: even, rhs: odd });
};
