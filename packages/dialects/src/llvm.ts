/** The part of the llvm dialect that calls on buffers need: addresses as pointers, and LLVM intrinsics. */
import type { Dialect, Type } from '@sconv/ir';
import {
  defineOp,
  dialectType,
  one,
  optionalAttribute,
  stringAttributeKind,
  typeConstraint,
} from '@sconv/ir';
import { enumAttribute } from './attribute-kinds.ts';
import { isSignlessInteger } from './constraints.ts';
import { callIntrinsic, extractvalue } from './llvm-intrinsics.ts';

export { callIntrinsic, extractvalue, structOf } from './llvm-intrinsics.ts';

/** `!llvm.ptr`: an opaque pointer in address space 0. */
export const llvmPointer = dialectType('llvm', 'ptr');

/** A pointer in any address space, or a vector of pointers: `!llvm.ptr<3>`, `!llvm.vec<4 x ptr>`. */
const isPointer = (type: Type): boolean =>
  type.kind === 'dialect' &&
  type.dialect === 'llvm' &&
  /^(?:vec<(?:\? x )?\d+ x )?ptr(?:<\d+>)?>?$/.test(type.body);

const isInteger = (type: Type): boolean =>
  isSignlessInteger(type) ||
  (type.kind === 'vector' && type.shape.length === 1 && isSignlessInteger(type.elementType));

/** `llvm.inttoptr %address : i64 to !llvm.ptr`. */
export const inttoptr = defineOp({
  name: 'llvm.inttoptr',
  summary: 'an integer as a pointer',
  operands: {
    arg: one(
      typeConstraint('signless integer or LLVM dialect-compatible vector of signless integer', isInteger),
    ),
  },
  results: {
    res: one(
      typeConstraint('LLVM pointer type or LLVM dialect-compatible vector of LLVM pointer type', isPointer),
    ),
  },
  traits: ['pure'],
  assembly: { format: '$arg attr-dict `:` type($arg) `to` type($res)' },
});

/**
 * `llvm.fence syncscope("singlethread") acquire`: what is read behind it is read anew, without an instruction of the
 * processor within that scope.
 */
export const fence = defineOp({
  name: 'llvm.fence',
  summary: 'keeps accesses of memory in order',
  attributes: {
    ordering: enumAttribute(['acquire', 'release', 'acq_rel', 'seq_cst'], 64, 4),
    syncscope: optionalAttribute(stringAttributeKind),
  },
  assembly: { format: '(`syncscope` `(` $syncscope^ `)`)? $ordering attr-dict' },
});

/** The dialect, for a registry. */
export const llvmDialect: Dialect = {
  name: 'llvm',
  operations: [inttoptr, callIntrinsic, extractvalue, fence],
};
