/** Folds tensors of constants to constants: upstream's `populateRewriteAsConstantPatterns`. */
import { castTo, denseOfNumbers, numberAt } from '@sconv/dialects';
import { generate, mixedPadding, pad } from '@sconv/dialects/tensor';
import type { Attribute, DraftOperation, RewritePattern, Rewriter } from '@sconv/ir';
import { bodyOf, elementCount, isStaticShape, tensorType, terminatorOf } from '@sconv/ir';
import { constantOf, createConstant, hasOneUse, onOp, withConstants } from '../match.ts';
import { tensorCast } from './tensor-cast.ts';

/** The constant that the body of a `tensor.pad` or `tensor.generate` yields. */
const yieldedConstant = (rewriter: Rewriter, operation: DraftOperation): Attribute | undefined =>
  constantOf(rewriter, terminatorOf(bodyOf(operation)).operands[0]);

/** Larger constants would bloat the IR text. */
const mostElements = 65_536;

const constantGenerate = onOp(generate, 'constant-generate', (rewriter, operation) => {
  const { type } = operation.results[0]!;
  const elements = denseOfNumbers([yieldedConstant(rewriter, operation)], type);
  if (type.kind !== 'tensor' || !isStaticShape(type) || elements === undefined) return;
  const made = createConstant(rewriter, operation, elements, type);
  if (made !== undefined) rewriter.replaceOperation(operation, [made]);
});

/** Padding of a constant; if that has other users, only with `aggressive`. */
const constantPad = (aggressive: boolean): RewritePattern =>
  onOp(pad, 'constant-pad', (rewriter, operation) => {
    const { source } = pad.operands(operation);
    const input = constantOf(rewriter, source);
    if (input?.kind !== 'dense-elements' || pad.attributes(operation).nofold) return;
    const value = yieldedConstant(rewriter, operation);
    const padding = mixedPadding(operation);
    const [low, high] = [padding.low, padding.high].map((sizes) => withConstants(rewriter, sizes));
    if (value === undefined || !allNumbers(low!) || !allNumbers(high!)) return;
    if (!aggressive && !hasOneUse(rewriter, source)) return;
    const { shape: before, elementType } = source.type;
    const type = tensorType(
      before.map((size, i) => size + low[i]! + high[i]!),
      elementType,
    );
    const count = elementCount(type.shape);
    if (count > mostElements || [...low, ...high].some((size) => size < 0)) return;
    const numbers: (Attribute | undefined)[] = Array.from({ length: count }, () => value);
    const inputs = elementCount(before);
    for (let at = 0; at < inputs; at++) {
      let [rest, place, stride] = [at, 0, 1];
      for (let i = before.length - 1; i >= 0; i--) {
        place += ((rest % before[i]!) + low[i]!) * stride;
        rest = Math.floor(rest / before[i]!);
        stride *= type.shape[i]!;
      }
      numbers[place] = numberAt(input, at, elementType);
    }
    const elements = denseOfNumbers(numbers, type);
    const made = elements && createConstant(rewriter, operation, elements, type);
    if (made === undefined) return;
    rewriter.replaceOperation(operation, [castTo(rewriter, made, operation.results[0]!.type, tensorCast)]);
  });

const allNumbers = (list: readonly unknown[]): list is readonly number[] =>
  list.every((each) => typeof each === 'number');

export const constantTensorPatterns = (aggressive: boolean): readonly RewritePattern[] => [
  constantGenerate,
  constantPad(aggressive),
];
