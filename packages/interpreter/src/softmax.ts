/** `linalg.softmax`: each step rounded to the element type, as the ops that it decomposes into. */
import { softmax } from '@sconv/dialects/linalg';
import type { Handler } from './context.ts';
import { isBigArray, rounderOf } from './element.ts';
import { inputResolver, outputResolver, resultWriter } from './linalg.ts';
import { printShape, trap } from './trap.ts';

export const softmaxHandler: Handler = (operation, context) => {
  const { input, output } = softmax.operands(operation);
  const { dimension } = softmax.attributes(operation);
  const { type } = input;
  const element = type.kind === 'tensor' || type.kind === 'memref' ? type.elementType : type;
  if (element.kind !== 'float') return context.invalid(operation, 'has no elements of a floating-point type');
  const round = rounderOf(element) ?? ((value: number): number => value);
  const from = inputResolver(operation, context, input);
  const into = outputResolver(operation, context, output);
  const finish = resultWriter(context, operation, [output]);
  return (frame) => {
    const [source, result] = [from(frame), into(frame)];
    const [read, written] = [source.data, result.data];
    if (String(source.shape) !== String(result.shape)) {
      const shapes = `${printShape(source.shape)} and ${printShape(result.shape)}`;
      trap(operation, 'interpreter/shape-mismatch', `has operands of shapes ${shapes}`);
    }
    if (isBigArray(read) || isBigArray(written)) return;
    const size = source.shape[dimension]!;
    const [step, resultStep] = [source.strides[dimension]!, result.strides[dimension]!];
    const line = (first: number, resultFirst: number): void => {
      context.machine.tick(4 * size, operation);
      let greatest = -Infinity;
      for (let i = 0; i < size; i += 1) {
        const value = read[first + i * step]!;
        if (value > greatest) greatest = value;
      }
      const powers = Array.from({ length: size }, (_, i) =>
        round(Math.exp(round(read[first + i * step]! - greatest))),
      );
      const total = powers.reduce((sum, power) => round(sum + power), 0);
      for (const [i, power] of powers.entries()) written[resultFirst + i * resultStep] = round(power / total);
    };
    const walk = (position: number, first: number, resultFirst: number): void => {
      if (position === source.shape.length) line(first, resultFirst);
      else if (position === dimension) walk(position + 1, first, resultFirst);
      else {
        for (let i = 0; i < source.shape[position]!; i += 1) {
          const at = [source, result].map(({ strides }) => i * strides[position]!) as [number, number];
          walk(position + 1, first + at[0], resultFirst + at[1]);
        }
      }
    };
    walk(0, source.offset, result.offset);
    finish(frame, [result]);
  };
};
