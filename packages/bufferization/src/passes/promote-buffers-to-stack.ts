/** The pass `promote-buffers-to-stack`: stack-allocates small buffers that do not escape their scope. */
import { success } from '@sconv/diagnostics';
import type { BufferFlow } from '@sconv/dialects';
import { bufferFlow, isFreed, loopLike } from '@sconv/dialects';
import { alloc, alloca, rank } from '@sconv/dialects/memref';
import type { DraftOperation, MemRefType, Rewriter, Type } from '@sconv/ir';
import {
  countOption,
  defineOperationPass,
  elementCount,
  floatWidth,
  hasTrait,
  isStaticShape,
  modelOf,
} from '@sconv/ir';

/** With the default data layout: an index has 64 bits. */
const bitsOf = (type: Type): number => {
  if (type.kind === 'integer') return type.width;
  if (type.kind === 'float') return floatWidth(type.name);
  if (type.kind === 'complex') return 2 * bitsOf(type.elementType);
  if (type.kind === 'vector') return elementCount(type.shape) * bitsOf(type.elementType);
  return 64;
};

/** A buffer of few bytes, or one of low rank whose sizes come from `memref.rank`. */
const isSmall = (rewriter: Rewriter, operation: DraftOperation, bytes: number, highest: number): boolean => {
  const type = operation.results[0]!.type as MemRefType;
  if (isStaticShape(type)) return elementCount(type.shape) * bitsOf(type.elementType) <= bytes * 8;
  return (
    type.shape.length <= highest &&
    operation.operands.every((size) => {
      const definition = rewriter.definingOperation(size);
      return definition !== undefined && rank.is(definition);
    })
  );
};

/** Whether a buffer does not escape its innermost allocation scope, with no loop in between. */
const staysInScope = (rewriter: Rewriter, operation: DraftOperation, { values }: BufferFlow): boolean => {
  const { registry } = rewriter;
  const users = values.flatMap((value) => rewriter.users(value));
  for (let { block } = operation; block !== undefined; block = block.region.operation.block) {
    const { region } = block;
    const around = region.operation;
    const leaves = users.some(
      (user) =>
        user.block?.region === region &&
        (hasTrait(registry, user, 'return-like') || user.name === 'scf.condition'),
    );
    if (hasTrait(registry, around, 'automatic-allocation-scope') && !leaves) return true;
    if (modelOf(registry, loopLike, around) !== undefined) return false;
    if (!['scf.if', 'scf.index_switch', 'scf.execute_region', 'affine.if'].includes(around.name))
      return false;
  }
  return false;
};

/** @deviation Upstream also promotes what is freed through a view, and what an operation may keep or free. */
export const promoteBuffersToStackPass = defineOperationPass({
  name: 'promote-buffers-to-stack',
  title: 'PromoteBuffersToStack',
  summary: 'allocate small buffers on the stack',
  options: {
    maxAllocSizeInBytes: countOption('the largest buffer to promote, in bytes', 1024),
    maxRankOfAllocatedMemref: countOption('the highest rank of a buffer of dynamic size', 1),
  },
  runOn: (rewriter, root, { maxAllocSizeInBytes: bytes, maxRankOfAllocatedMemref: highest }) => {
    for (const operation of rewriter.walk(root)) {
      if (!alloc.is(operation) || !isSmall(rewriter, operation, bytes, highest)) continue;
      const flow = bufferFlow(rewriter, operation.results[0]!);
      if (flow.escapes || isFreed(rewriter, flow) || !staysInScope(rewriter, operation, flow)) continue;
      const { name: _, ...parts } = operation;
      rewriter.replaceWith(operation, {
        name: alloca.name,
        operands: parts.operands,
        attributes: parts.attributes,
        resultTypes: operation.results.map(({ type }) => type),
        location: operation.location,
      });
    }
    return success(undefined);
  },
});
