/** The arrays of a convolution's call by name, checked, since callers may be untyped. */
import type { ElementName, Elements, ElementsConstructor } from '@sconv/backend';
import { arrayTypeOf, elementArrays, isArrayOf } from '@sconv/backend';
import { describeValue, unknownName } from '@sconv/diagnostics';
import type { OutputShape } from './convolution-payload.ts';
import type { ConvolutionElement, ResultArray } from './convolution-elements.ts';
import { convolutionElements, sumElements } from './convolution-elements.ts';
import type { CheckedSpec } from './convolution-spec.ts';
import { filterSizes } from './convolution-spec.ts';

/** The arrays that a convolution may take, in the order of its function's parameters; `initial` becomes the output. */
const arrayNames = ['input', 'filters', 'bias', 'residual', 'initial'] as const;
export type ArrayName = (typeof arrayNames)[number];

/** What to compile a convolution with for it to take an array. */
const optionFor: Readonly<Partial<Record<ArrayName, string>>> = {
  bias: 'bias: true',
  residual: 'residual: true',
  initial: 'accumulate: true',
};

/** Arrays by name, not yet checked. */
export type GivenArrays = Readonly<Record<string, unknown>>;

/** The arrays of one convolution. */
export interface ConvolutionArrays<E extends ConvolutionElement> {
  /**
   * The given arrays as the values of the parameters other than `bound`; the last one is a copy of the initial
   * output, or zeros. Throws a TypeError for what is no array, of another type, missing, or not for this convolution,
   * and a RangeError for a wrong length.
   */
  valuesOf(given: GivenArrays, bound: readonly ArrayName[]): readonly [...Elements[], ResultArray<E>];
  /** The given arrays by the positions of their parameters. Throws as `valuesOf`. */
  constantsOf(given: GivenArrays): Readonly<Record<number, Elements>>;
}

/** The arrays of a convolution. */
export const convolutionArrays = <E extends ConvolutionElement>(
  spec: CheckedSpec<E>,
  output: OutputShape,
): ConvolutionArrays<E> => {
  const { elementType, bias, residual, accumulate } = spec;
  const outputLength = lengthOf(output);
  const lengths: Readonly<Record<ArrayName, number>> = {
    input: lengthOf(spec.input),
    filters: lengthOf(spec.filters),
    bias: filterSizes(spec).filters,
    residual: outputLength,
    initial: outputLength,
  };
  const takes: Readonly<Record<ArrayName, boolean>> = {
    input: true,
    filters: true,
    bias,
    residual,
    initial: accumulate,
  };
  const read = arrayNames.filter((name) => name !== 'initial' && takes[name]);
  const checked = (name: ArrayName, value: unknown): Elements => {
    if (value === undefined) {
      const option = optionFor[name];
      const reason = option === undefined ? '' : `, of a convolution that was compiled with ${option}`;
      throw new TypeError(`'${name}' is missing${reason}`);
    }
    return checkedArray(name, value, elementType, lengths[name]);
  };
  const checkNames = (given: GivenArrays, names: readonly ArrayName[], bound: readonly ArrayName[]): void => {
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined) continue;
      const known = names.find((each) => each === name);
      if (known === undefined) throw new TypeError(unknownName('array', name, names));
      if (bound.includes(known)) throw new TypeError(`'${name}' is bound, so it is no argument`);
      if (!takes[known])
        throw new TypeError(`'${name}' is for a convolution that was compiled with ${optionFor[known]!}`);
    }
  };
  return {
    valuesOf: (given, bound) => {
      checkNames(given, arrayNames, bound);
      const values = read.filter((name) => !bound.includes(name)).map((name) => checked(name, given[name]));
      const { initial } = given;
      // A copy: also of an array of another realm it is one of this.
      const from = initial === undefined ? outputLength : checked('initial', initial);
      const result = new elementArrays[sumElements[elementType]](from as number);
      return [...values, result as ResultArray<E>];
    },
    constantsOf: (given) => {
      const names = ['filters', 'bias'] as const;
      checkNames(given, names, []);
      return Object.fromEntries(
        names.filter((name) => takes[name]).map((name) => [read.indexOf(name), checked(name, given[name])]),
      );
    },
  };
};

/** Arrays by name. Throws a TypeError for anything else, such as a single array. */
export const byName = (arrays: unknown): GivenArrays => {
  if (typeof arrays === 'object' && arrays !== null && !ArrayBuffer.isView(arrays))
    return arrays as GivenArrays;
  throw new TypeError(`arrays are passed by name, as in { initial }, not as ${kindOf(arrays)}`);
};

const lengthOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

/** The class of an element's arrays; an index, whose array depends on its size, is no element here. */
const arrayOf = (element: ElementName): ElementsConstructor => arrayTypeOf({ element, elementBytes: 0 });

/** The array, if it has the right type and length; otherwise throws an error that says what to pass or to compile. */
const checkedArray = (
  name: ArrayName,
  value: unknown,
  elementType: ConvolutionElement,
  length: number,
): Elements => {
  const isOperand = name === 'input' || name === 'filters';
  const element = isOperand ? elementType : sumElements[elementType];
  const wanted = arrayOf(element);
  if (!isArrayOf(value, wanted)) {
    const advice = isOperand ? adviceFor(value, element) : '';
    throw new TypeError(
      `'${name}' is ${withArticle(wanted.name)} (elementType: '${elementType}'), not ${kindOf(value)}${advice}`,
    );
  }
  if (value.length === length) return value;
  throw new RangeError(`'${name}' has ${length} elements, not ${value.length}`);
};

/** How to get from an array of another type to a right one. */
const adviceFor = (value: unknown, element: ElementName): string => {
  if (!ArrayBuffer.isView(value)) return '';
  if (value.constructor === Float32Array && (element === 'f16' || element === 'bf16'))
    return `; halfBits('${element}', values) makes its bits`;
  const others = convolutionElements.filter((each) => arrayOf(each) === value.constructor);
  if (others.length === 0) return '';
  return `; compile with elementType: ${others.map((each) => `'${each}'`).join(' or ')} for that`;
};

const kindOf = (value: unknown): string =>
  ArrayBuffer.isView(value) ? withArticle(value.constructor.name) : describeValue(value);

const withArticle = (name: string): string => `${name.startsWith('I') ? 'an' : 'a'} ${name}`;
