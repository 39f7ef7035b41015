/** `Einsum`: sums of products, written as the indices of each operand and of the result. */
import { dim } from '@sconv/affine';
import type { Value } from '@sconv/ir';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { computed } from '../operations.ts';
import { invalid, printSizes, unsupported } from '../problem.ts';
import { ScalarOps } from '../scalar-ops.ts';

/** The indices of a term: letters, and for an ellipsis as many numbers as it stands for dimensions. */
const indicesOf = (term: string, ellipsis: number): readonly string[] => {
  const parts = term.split('...');
  if (parts.length > 2 || !parts.every((part) => /^[A-Za-z]*$/.test(part))) invalid(`has the term '${term}'`);
  const between = parts.length === 1 ? [] : Array.from({ length: ellipsis }, (_, i) => String(ellipsis - i));
  return [Array.from(parts[0]!), between, Array.from(parts[1] ?? '')].flat();
};

/** `Einsum` of numbers; sizes of 1 repeat where an ellipsis stands for them. */
export const einsum = (node: OnnxNode): Operand => {
  const operands = node.inputs.map((_, i) => node.input(i));
  const type = node.commonType(operands);
  if (type.kind === 'boolean') unsupported('elements of type bool');
  const equation = node.text('equation', '').replaceAll(/\s/g, '');
  const [left, right, ...more] = equation.split('->');
  const terms = left!.split(',');
  if (more.length > 0 || terms.length !== operands.length)
    invalid(`has equation '${equation}' for ${operands.length} inputs`);
  const lengths = terms.map((term, i) =>
    term.includes('...') ? operands[i]!.shape.length - term.replace('...', '').length : 0,
  );
  const longest = Math.max(...lengths);
  if (lengths.some((length) => length < 0))
    invalid(`has equation '${equation}' for inputs of fewer dimensions`);
  const indices = terms.map((term, i) => indicesOf(term, lengths[i]!));
  const sizes = new Map<string, number>();
  operands.forEach(({ shape }, i) => {
    if (indices[i]!.length !== shape.length) invalid(`has the term '${terms[i]}' for ${printSizes(shape)}`);
    indices[i]!.forEach((index, k) => {
      const [before, size] = [sizes.get(index) ?? 1, shape[k]!];
      if (before !== 1 && size !== 1 && before !== size)
        invalid(`has sizes ${before} and ${size} of '${index}'`);
      sizes.set(index, before === 1 ? size : before);
    });
  });
  const letters = indices.flat().filter((index) => /[A-Za-z]/.test(index));
  const once = [...new Set(letters)].filter(
    (letter) => letters.indexOf(letter) === letters.lastIndexOf(letter),
  );
  const implied = [...indicesOf(longest > 0 ? '...' : '', longest), ...once.sort()];
  const result = right === undefined ? implied : indicesOf(right, longest);
  if (new Set(result).size < result.length || result.some((index) => !sizes.has(index)))
    invalid(`has the result '${right ?? ''}'`);
  const summed = [...sizes.keys()].filter((index) => !result.includes(index));
  const order = [...result, ...summed];
  const position = new Map(order.map((index, i) => [index, i]));
  const shape = result.map((index) => sizes.get(index)!);
  return computed(type, shape, () => {
    const { emitter } = node;
    const inputs = operands.map((operand, i) => {
      // What repeats is no dimension of its own.
      const kept = indices[i]!.flatMap((index, k) =>
        operand.shape[k] === 1 && sizes.get(index) !== 1 ? [] : [k],
      );
      const value = emitter.reshape(
        operand.value(),
        kept.map((k) => operand.shape[k]!),
      );
      return { value, at: kept.map((k) => dim(position.get(indices[i]![k]!)!)) };
    });
    const product = (ops: ScalarOps, elements: readonly Value[]): Value =>
      elements.reduce((a, b) => ops.mul(a, b));
    if (summed.length === 0)
      return emitter.parallel(type, shape, inputs, (b, ...elements) =>
        product(new ScalarOps(b, type), elements),
      );
    const output = { value: emitter.filled(type, shape, 0), at: result.map((_, i) => dim(i)) };
    const kinds = 'p'.repeat(result.length) + 'r'.repeat(summed.length);
    return emitter.generic(kinds, inputs, [output], (b, ...elements) => {
      const ops = new ScalarOps(b, type);
      return ops.add(elements.at(-1)!, product(ops, elements.slice(0, -1)));
    })[0]!;
  });
};
