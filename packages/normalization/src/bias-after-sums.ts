/**
 * A bias that sums begin with becomes one that is added to them, as what follows a sum is fused into its loops:
 *
 *     %b = linalg.broadcast ins(%bias) outs(%e)      %z = linalg.fill ins(%zero) outs(%e)
 *     %c = linalg.conv_2d_nchw_fchw … outs(%b)   →   %s = linalg.conv_2d_nchw_fchw … outs(%z)
 *                                                    %c = linalg.generic ins(%s, %bias) { arith.addf }
 *
 * The buffer of the sums is then not written once more before they are computed.
 */
import { dim, makeMap } from '@sconv/affine';
import {
  createConstantValue,
  createEmpty,
  createFill,
  eraseUnused,
  isTensorValue,
  zeroOf,
} from '@sconv/dialects';
import { addf, addi } from '@sconv/dialects/arith';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { broadcast, generic, scalarBody, structured } from '@sconv/dialects/linalg';
import { success } from '@sconv/diagnostics';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { definePass, edit, isStaticShape, terminatorOf } from '@sconv/ir';

/** Adds each broadcast that a convolution, a product, or another sum below `root` begins with to its result. */
export const biasAfterSums = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) {
    const bias = biasOf(rewriter, operation);
    if (bias !== undefined) addAfter(rewriter, operation, bias);
  }
};

/** The broadcast that a sum of products begins with. */
const biasOf = (rewriter: Rewriter, operation: DraftOperation): DraftOperation | undefined => {
  const [result, ...others] = operation.results;
  if (result === undefined || others.length > 0 || !isTensorValue(result) || !isStaticShape(result.type))
    return undefined;
  const { kind } = result.type.elementType;
  const view = structured(rewriter.registry, operation);
  if ((kind !== 'float' && kind !== 'integer') || view?.outputs.length !== 1 || !isSum(view))
    return undefined;
  const made = rewriter.definingOperation(view.outputs[0]!);
  return made !== undefined && broadcast.is(made) && made.block === operation.block ? made : undefined;
};

/** Whether an op with a reduction adds something to each element of its output, which it reads for nothing else. */
const isSum = ({ body, iteratorTypes }: StructuredOp): boolean => {
  if (body === undefined || !iteratorTypes.includes('reduction')) return false;
  const sum = body.arguments.at(-1)!;
  const [yielded] = terminatorOf(body).operands;
  const users = body.operations.filter(({ operands }) => operands.some(({ id }) => id === sum.id));
  const [adding, ...others] = users;
  if (adding === undefined || others.length > 0 || !(addf.is(adding) || addi.is(adding))) return false;
  return (
    adding.results[0]!.id === yielded?.id && adding.operands.filter(({ id }) => id === sum.id).length === 1
  );
};

const addition = { float: addf.name, integer: addi.name } as const;

const addAfter = (rewriter: Rewriter, operation: DraftOperation, bias: DraftOperation): void => {
  const { location } = operation;
  const [sum] = operation.results as readonly Value<TensorType>[];
  const { type } = sum!;
  const { elementType, shape } = type;
  rewriter.setInsertionPointBefore(operation);
  const zero = createConstantValue(rewriter, zeroOf(elementType)!, elementType);
  const empty = createEmpty(rewriter, shape, elementType);
  const zeros = createFill(rewriter, zero, empty, location);
  const view = structured(rewriter.registry, operation)!;
  rewriter.setOperand(operation, operation.operands.indexOf(view.outputs[0]!), zeros.results[0]!);
  rewriter.setInsertionPointAfter(operation);
  const { input } = broadcast.operands(bias);
  const along = structured(rewriter.registry, bias)!.indexingMaps[0]!;
  const all = makeMap(
    shape.length,
    0,
    shape.map((_, i) => dim(i)),
  );
  const added = rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs: [sum!, input], outputs: [empty] },
      attributes: { indexingMaps: [all, along, all], iteratorTypes: shape.map(() => 'parallel' as const) },
      bodies: [
        scalarBody([sum!, input, empty], (context, [lhs, rhs]) => context.arithmetic(addition, lhs!, rhs!)),
      ],
      location,
    }),
  );
  rewriter.replaceUsesIf(sum!, added.results[0]!, (user) => user !== added);
  eraseUnused(rewriter, bias.results[0]!);
};

/** `biasAfterSums` as a pass. */
export const biasAfterSumsPass = definePass({
  name: 'bias-after-sums',
  title: 'BiasAfterSums',
  summary: 'add a broadcast that a sum of tensors begins with to its result',
  options: {},
  run: (module, _options, { registry }) =>
    success(edit(module, { registry }, (rewriter) => biasAfterSums(rewriter, rewriter.root)).module),
});
