/** Test payloads for passes: a function around one `linalg.generic`, as text. */
import type { AffineMap } from '@sconv/affine';
import { touchedRange } from '@sconv/dialects';

/** An operand's indexing and type. */
export interface GenericOperand {
  /** The results of its map over `d0`, `d1`, …: `d1, d0 * 2 + 1`. */
  readonly map: string;
  readonly type: string;
}

/** A `linalg.generic`. */
export interface GenericSpec {
  readonly iterators: readonly ('parallel' | 'reduction')[];
  readonly inputs: readonly GenericOperand[];
  readonly outputs: readonly GenericOperand[];
  /**
   * The body; `%x0`, `%x1`, … are input elements, `%y0`, `%y1`, … output elements. Default: adds all inputs (of f32) to
   * each output, which is valid for every iterator type.
   */
  readonly body?: string;
  /** Discardable attributes: `{tag = "keep"}`. */
  readonly attributes?: string;
}

/** `@f` from inputs `%a0`, … and outputs `%b0`, … to the results of the op. */
export const genericPayload = ({ iterators, inputs, outputs, body, attributes }: GenericSpec): string => {
  const dims = iterators.map((_, position) => `d${position}`).join(', ');
  const operands = [
    ...inputs.map(({ map, type }, i) => ({ map, type, value: `%a${i}`, element: `%x${i}` })),
    ...outputs.map(({ map, type }, i) => ({ map, type, value: `%b${i}`, element: `%y${i}` })),
  ];
  const list = (some: typeof operands) =>
    `(${some.map(({ value }) => value).join(', ')} : ${some.map(({ type }) => type).join(', ')})`;
  const types = outputs.map(({ type }) => type).join(', ');
  const results = outputs.map((_, i) => (outputs.length === 1 ? '%r' : `%r#${i}`)).join(', ');
  return `func.func @f(${operands.map(({ value, type }) => `${value}: ${type}`).join(', ')}) -> (${types}) {
  %r${outputs.length === 1 ? '' : `:${outputs.length}`} = linalg.generic {indexing_maps = [${operands
    .map(({ map }) => `affine_map<(${dims}) -> (${map})>`)
    .join(', ')}], iterator_types = [${iterators.map((each) => `"${each}"`).join(', ')}]} ${
    inputs.length === 0 ? '' : `ins${list(operands.slice(0, inputs.length))} `
  }outs${list(operands.slice(inputs.length))}${attributes === undefined ? '' : ` attrs = ${attributes}`} {
  ^bb0(${operands.map(({ element, type }) => `${element}: ${elementOf(type)}`).join(', ')}):
    ${body ?? sums(inputs.length, outputs)}
  } -> (${types})
  return ${results} : ${types}
}
`;
};

const elementOf = (type: string): string => /(?:tensor|memref)<(?:[\d?]+x)*(.*)>/.exec(type)?.[1] ?? type;

/** Adds every input to every output. */
const sums = (inputs: number, outputs: readonly GenericOperand[]): string => {
  const lines = outputs.flatMap((_, output) =>
    Array.from({ length: inputs }, (__, input) => {
      const before = input === 0 ? `%y${output}` : `%s${output}_${input - 1}`;
      return `%s${output}_${input} = arith.addf ${before}, %x${input} : f32`;
    }),
  );
  const sum = (output: number) => (inputs === 0 ? `%y${output}` : `%s${output}_${inputs - 1}`);
  const values = outputs.map((_, output) => sum(output)).join(', ');
  return [...lines, `linalg.yield ${values} : ${outputs.map(() => 'f32').join(', ')}`].join('\n    ');
};

/** The f32 operand that `map` indexes exactly, from 0 to its end, when each dimension runs over `[0, extent)`. */
export const operandOver = (map: AffineMap, extents: readonly number[]): GenericOperand => {
  const ranges = map.results.map((result) => touchedRange(result, extents));
  const fromZero = map.results.map((result, i) => result.sub(ranges[i]!.lo).toString());
  const sizes = ranges.map(({ lo, hi }) => `${hi - lo}x`).join('');
  return { map: fromZero.join(', '), type: `tensor<${sizes}f32>` };
};
