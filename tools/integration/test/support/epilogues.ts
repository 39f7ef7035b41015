/** Random convolutions followed by elementwise ops: payloads of one function each. */
import fc from 'fast-check';

/** Positions of a form's letters in its operands. */
const forms = {
  conv_2d_nchw_fchw: { input: 'nchw', filters: 'fchw', output: 'nfhw' },
  conv_2d_ngchw_fgchw: { input: 'ngchw', filters: 'fgchw', output: 'ngfhw' },
  conv_2d_ngchw_gfchw: { input: 'ngchw', filters: 'gfchw', output: 'ngfhw' },
  conv_2d_nhwc_hwcf: { input: 'nhwc', filters: 'hwcf', output: 'nhwf' },
  conv_2d_nhwc_fhwc: { input: 'nhwc', filters: 'fhwc', output: 'nhwf' },
} as const;

export type FormName = keyof typeof forms;

const kinds = [
  'bias',
  'named bias',
  'relu',
  'relu of maxnumf',
  'named relu',
  'clamp',
  'residual',
  'named residual',
  'own square',
  'map',
] as const;

type Kind = (typeof kinds)[number];

/** A convolution and its epilogue. */
export interface EpilogueCase {
  readonly form: FormName;
  readonly sizes: Readonly<Record<'n' | 'g' | 'c' | 'f', number>>;
  readonly output: readonly [number, number];
  readonly window: readonly [number, number];
  readonly strides: readonly [number, number];
  readonly padding: readonly [number, number];
  readonly kinds: readonly Kind[];
  /** Whether the result is written to an argument of the function. */
  readonly isGiven: boolean;
  /** Whether the convolution starts at zero. */
  readonly isFilled: boolean;
}

const pair = (min: number, max: number) => fc.tuple(fc.integer({ min, max }), fc.integer({ min, max }));

export const epilogueCases = (names: readonly FormName[]): fc.Arbitrary<EpilogueCase> =>
  fc.record({
    form: fc.constantFrom(...names),
    sizes: fc.record({
      n: fc.integer({ min: 1, max: 2 }),
      g: fc.integer({ min: 1, max: 3 }),
      c: fc.integer({ min: 1, max: 5 }),
      f: fc.integer({ min: 1, max: 19 }),
    }),
    output: pair(1, 9),
    window: pair(1, 3),
    strides: pair(1, 2),
    padding: fc.constantFrom([0, 0] as const, [1, 1] as const, [0, 2] as const),
    kinds: fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 3 }),
    isGiven: fc.boolean(),
    isFilled: fc.boolean(),
  });

/** The function of a case: of input, filters, initial output, bias and residual. */
export const epilogueFunction = (name: string, each: EpilogueCase): string => {
  const { sizes, window, strides, padding, kinds: all, isGiven, isFilled } = each;
  const form = forms[each.form];
  const margins = padding.map((margin, i) => Math.min(margin, Math.ceil(window[i]! / 2)));
  // An input of at least one row and column.
  const reach = [0, 1].map((i) =>
    Math.max(1, (each.output[i]! - 1) * strides[i]! + window[i]! - 2 * margins[i]!),
  );
  const outputs = [0, 1].map((i) => Math.floor((reach[i]! + 2 * margins[i]! - window[i]!) / strides[i]!) + 1);
  const shape = (letters: string, [h, w]: readonly number[]): string =>
    `tensor<${Array.from(letters, (letter) => ({ ...sizes, h, w })[letter as 'n'])
      .map((size) => `${size}x`)
      .join('')}f32>`;
  const unpadded = shape(form.input, reach);
  const input = shape(
    form.input,
    reach.map((size, i) => size + 2 * margins[i]!),
  );
  const filters = shape(form.filters, window);
  const out = shape(form.output, outputs);
  const letters = Array.from(form.output);
  const dims = letters.map((_, i) => `d${i}`);
  const channels = letters.flatMap((letter, i) => (letter === 'g' || letter === 'f' ? [i] : []));
  const others = letters.flatMap((_, i) => (channels.includes(i) ? [] : [i]));
  const bias = `tensor<${channels.map((i) => `${sizes[letters[i] as 'f']}x`).join('')}f32>`;
  const identity = `affine_map<(${dims.join(', ')}) -> (${dims.join(', ')})>`;
  const ofBias = `affine_map<(${dims.join(', ')}) -> (${channels.map((i) => `d${i}`).join(', ')})>`;
  const lines: string[] = [];
  let value = '%0';
  for (const [i, kind] of all.entries()) {
    const result = `%r${i}`;
    const destination = isGiven && i === all.length - 1 ? '%given' : '%empty';
    const generic = (maps: string, ins: string, types: string, args: string, body: string): void => {
      lines.push(`${result} = linalg.generic {indexing_maps = [${maps}, ${identity}], iterator_types = [${dims.map(() => '"parallel"').join(', ')}]} ins(${ins} : ${types}) outs(${destination} : ${out}) {
  ^bb0(${args}, %old: f32):
    ${body}
    linalg.yield %y : f32
  } -> ${out}`);
    };
    const named = (op: string, operands: string): void => {
      lines.push(
        `${result} = linalg.${op} ins(${operands} : ${out}, ${out}) outs(${destination} : ${out}) -> ${out}`,
      );
    };
    const unary = (body: string): void => generic(identity, value, out, '%x: f32', body);
    switch (kind) {
      case 'bias':
        generic(
          `${ofBias}, ${identity}`,
          `%bias, ${value}`,
          `${bias}, ${out}`,
          '%b: f32, %x: f32',
          '%y = arith.addf %x, %b : f32',
        );
        break;
      case 'named bias':
        lines.push(
          `%b${i} = linalg.broadcast ins(%bias : ${bias}) outs(%empty : ${out}) dimensions = [${others.join(', ')}]`,
        );
        named('add', `${value}, %b${i}`);
        break;
      case 'relu':
        unary('%y = arith.maximumf %x, %zero : f32');
        break;
      case 'relu of maxnumf':
        unary('%y = arith.maxnumf %x, %zero : f32');
        break;
      case 'named relu':
        lines.push(`%z${i} = linalg.fill ins(%zero : f32) outs(%empty : ${out}) -> ${out}`);
        named('max', `${value}, %z${i}`);
        break;
      case 'clamp':
        unary(`%l = arith.cmpf olt, %x, %zero : f32
    %m = arith.select %l, %zero, %x : f32
    %y = arith.minimumf %m, %six : f32`);
        break;
      case 'residual':
        generic(
          `${identity}, ${identity}`,
          `${value}, %residual`,
          `${out}, ${out}`,
          '%x: f32, %b: f32',
          '%y = arith.addf %x, %b : f32',
        );
        break;
      case 'named residual':
        named('sub', `%residual, ${value}`);
        break;
      case 'own square':
        named('mul', `${value}, ${value}`);
        break;
      case 'map':
        lines.push(`${result} = linalg.map ins(${value} : ${out}) outs(${destination} : ${out})
    (%x: f32) {
      %y = arith.addf %x, %six : f32
      linalg.yield %y : f32
    }`);
    }
    value = result;
  }
  const margin = form.input
    .split('')
    .map((letter) => (letter === 'h' ? margins[0] : letter === 'w' ? margins[1] : 0));
  const isPadded = unpadded !== input;
  const pad = `%in = tensor.pad %image low[${margin.join(', ')}] high[${margin.join(', ')}] {
  ^bb0(${margin.map((_, i) => `%i${i}: index`).join(', ')}):
    tensor.yield %zero : f32
  } : ${unpadded} to ${input}`;
  const fill = `%start = linalg.fill ins(%zero : f32) outs(%initial : ${out}) -> ${out}`;
  return `func.func @${name}(%image: ${unpadded}, %k: ${filters}, %initial: ${out}, %bias: ${bias}, %residual: ${out}, %given: ${out}) -> ${out} {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %empty = tensor.empty() : ${out}
  ${isPadded ? pad : ''}
  ${isFilled ? fill : ''}
  %0 = linalg.${each.form} {dilations = dense<1> : tensor<2xi64>, strides = dense<[${strides.join(', ')}]> : tensor<2xi64>}
    ins(${isPadded ? '%in' : '%image'}, %k : ${input}, ${filters}) outs(${isFilled ? '%start' : '%initial'} : ${out}) -> ${out}
  ${lines.join('\n  ')}
  return ${value} : ${out}
}
`;
};
