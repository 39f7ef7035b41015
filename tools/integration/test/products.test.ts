/** Products of two matrices, sliced as convolutions of one tap: exact on both backends, whatever sizes and layouts. */
import { unwrap } from '@sconv/diagnostics';
import { integerData } from '@sconv/interpreter';
import { findToolchain, nativeBackend } from '@sconv/native';
import { avx2, neon, wasm } from '@sconv/targets';
import type { CompileOptions } from 'sconv';
import { compileModule } from 'sconv';
import { describe, expect, it } from 'vitest';
import { parse } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

const hasLlvm = 'paths' in (await findToolchain());

/** Layouts by letters: batch, rows, columns, and what is summed up. */
const layouts = {
  matmul: ['mk', 'kn'],
  matmul_transpose_a: ['km', 'kn'],
  matmul_transpose_b: ['mk', 'nk'],
  quantized_matmul: ['mk', 'kn'],
  batch_matmul: ['bmk', 'bkn'],
  batch_matmul_transpose_a: ['bkm', 'bkn'],
  batch_matmul_transpose_b: ['bmk', 'bnk'],
  quantized_batch_matmul: ['bmk', 'bkn'],
} as const;

type Name = keyof typeof layouts;
type Sizes = Readonly<Record<'b' | 'm' | 'n' | 'k', number>>;
type Letter = keyof Sizes;

interface Product {
  readonly name: Name;
  readonly sizes: Sizes;
  /** Of the operands, and of the sums. */
  readonly elements: readonly [string, string];
  /** What is added to each column, and whether negative sums become zero; for f32 only. */
  readonly hasEpilogue: boolean;
}

const zeroPoints: readonly [number, number] = [3, -2];
const lettersOf = (name: Name) => [...layouts[name], name.includes('batch') ? 'bmn' : 'mn'];
const lengthOf = (letters: string, sizes: Sizes): number =>
  Array.from(letters).reduce((product, letter) => product * sizes[letter as Letter], 1);

const textOf = ({ name, sizes, elements, hasEpilogue }: Product, i: number): string => {
  const [a, b, c] = lettersOf(name).map(
    (letters, operand) =>
      `tensor<${Array.from(letters, (letter) => sizes[letter as Letter]).join('x')}x${elements[operand < 2 ? 0 : 1]}>`,
  );
  const [zeros, types] = name.startsWith('quantized') ? [', %za, %zb', ', i32, i32'] : ['', ''];
  const bias = `tensor<${sizes.n}xf32>`;
  const rank = name.includes('batch') ? 3 : 2;
  const dims = Array.from({ length: rank }, (_, d) => `d${d}`);
  const maps = [dims, dims.slice(-1), dims].map(
    (results) => `affine_map<(${dims.join(', ')}) -> (${results.join(', ')})>`,
  );
  const epilogue = `%zero = arith.constant 0.0 : f32
  %1 = linalg.generic {indexing_maps = [${maps.join(', ')}], iterator_types = [${dims.map(() => '"parallel"').join(', ')}]}
    ins(%0, %bias : ${c!}, ${bias}) outs(%c : ${c!}) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %sum = arith.addf %x, %y : f32
    %z = arith.maximumf %sum, %zero : f32
    linalg.yield %z : f32
  } -> ${c!}`;
  return `func.func @f${i}(%a: ${a!}, %b: ${b!}, %c: ${c!}${hasEpilogue ? `, %bias: ${bias}` : ''}) -> ${c!} {
  %za = arith.constant ${zeroPoints[0]} : i32
  %zb = arith.constant ${zeroPoints[1]} : i32
  %0 = linalg.${name} ins(%a, %b${zeros} : ${a!}, ${b!}${types}) outs(%c : ${c!}) -> ${c!}
  ${hasEpilogue ? epilogue : ''}
  return ${hasEpilogue ? '%1' : '%0'} : ${c!}
}`;
};

const arrays = { f32: Float32Array, f64: Float64Array, i32: Int32Array, i8: Int8Array } as const;

const argumentsOf = ({ name, sizes, elements, hasEpilogue }: Product, seed: number) => {
  const data = lettersOf(name).map((letters, operand) =>
    arrays[elements[operand < 2 ? 0 : 1] as keyof typeof arrays].from(
      integerData(lengthOf(letters, sizes), seed + operand),
    ),
  );
  return hasEpilogue ? [...data, integerData(sizes.n, seed + 3)] : data;
};

/** The distance between elements along each dimension of a layout. */
const stepsOf = (letters: string, sizes: Sizes): Sizes => {
  const steps = { b: 0, m: 0, n: 0, k: 0 };
  let step = 1;
  for (const letter of Array.from(letters).reverse() as Letter[]) {
    steps[letter] = step;
    step *= sizes[letter];
  }
  return steps;
};

/** Sums up as the definition says. */
const expectedOf = ({ name, sizes, hasEpilogue }: Product, [a, b, c, bias]: readonly ArrayLike<number>[]) => {
  const [ofA, ofB] = layouts[name].map((letters) => stepsOf(letters, sizes));
  const [zeroA, zeroB] = name.startsWith('quantized') ? zeroPoints : [0, 0];
  return Array.from(c!, (initial, i) => {
    const [column, row] = [i % sizes.n, Math.floor(i / sizes.n) % sizes.m];
    const batch = Math.floor(i / sizes.n / sizes.m);
    let [x, y] = [batch * ofA!.b + row * ofA!.m, batch * ofB!.b + column * ofB!.n];
    let sum = initial;
    for (let k = 0; k < sizes.k; k++, x += ofA!.k, y += ofB!.k) sum += (a![x]! - zeroA) * (b![y]! - zeroB);
    return hasEpilogue ? Math.max(0, sum + bias![column]!) : sum;
  });
};

const namesOf = Object.keys(layouts) as readonly Name[];
const elementsOf = (name: Name): readonly (readonly [string, string])[] =>
  name.startsWith('quantized')
    ? [['i8', 'i32']]
    : [
        ['f32', 'f32'],
        ['f64', 'f64'],
        ['i32', 'i32'],
        ['i8', 'i32'],
      ];

/** Every pair of neighbours of these sizes comes up as rows and columns. */
const extents = [1, 2, 3, 7, 8, 9, 17, 64];
const small = extents.flatMap((m, i) =>
  namesOf.map((name, j): Product => {
    const [n, k] = [extents[(i + j) % extents.length]!, extents[(i + 3 * j + 1) % extents.length]!];
    const elements = elementsOf(name)[(i + j) % elementsOf(name).length]!;
    return { name, sizes: { b: 1 + (i % 3), m, n, k }, elements, hasEpilogue: elements[0] === 'f32' };
  }),
);

/** Sizes of which the targets' own schedules slice products. */
const large = namesOf.map((name, i): Product => ({
  name,
  sizes: { b: 3, m: 65 + i, n: 76 - i, k: 70 },
  elements: elementsOf(name)[0]!,
  hasEpilogue: elementsOf(name)[0]![0] === 'f32',
}));

/** Products whose second operand stays in L2, so that native code reads both where they lie. */
const inPlace = (['matmul', 'matmul_transpose_a', 'batch_matmul', 'batch_matmul_transpose_a'] as const).map(
  (name, i): Product => ({
    name,
    sizes: { b: 5, m: 195 + i, n: 177 - i, k: 129 },
    elements: elementsOf(name)[i % 3]!,
    hasEpilogue: false,
  }),
);

const script = parse(
  `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %all = transform.structured.match ops{[${namesOf.map((name) => `"linalg.${name}"`).join(', ')}]} in %root : (!transform.any_op) -> !transform.any_op
    %kernels, %loops = transform.structured.sconv %all {mk_info = [8, 3], arch_info = [512, 1024, 4096, 64], edges = "small"}
      : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)
    transform.yield
  }
}`,
  'schedule.mlir',
);

const native = { target: process.arch === 'arm64' ? neon : avx2, backends: [nativeBackend] };
/** Every n-th of the small products is compiled: LLVM takes a third of a second for each, WebAssembly a tenth. */
const compilations: readonly (readonly [string, CompileOptions, boolean, number])[] = [
  ['WebAssembly', { target: wasm }, true, isThorough ? 1 : 3],
  ['native code', native, hasLlvm, isThorough ? 1 : 7],
];

const expectRight = async (
  products: readonly Product[],
  options: CompileOptions,
  plans = products.length,
): Promise<void> => {
  const result = await compileModule(parse(products.map(textOf).join('\n'), 'payload.mlir'), options);
  expect(
    result.diagnostics.map(({ code }) => code).filter((code) => code.startsWith('fuse-epilogue/')),
  ).toEqual([]);
  const compiled = unwrap(result);
  expect(compiled.plans).toHaveLength(plans);
  products.forEach((product, i) => {
    const data = argumentsOf(product, i);
    const [actual] = compiled.run(`f${i}`, ...data.map((each) => each.slice()));
    const expected = expectedOf(product, data);
    const wrong = expected.findIndex((value, at) => value !== (actual as ArrayLike<number>)[at]);
    expect({ product, wrong }).toEqual({ product, wrong: -1 });
  });
  compiled.dispose();
};

describe.each(compilations.filter(([, , runs]) => runs))('as %s', (_, options, __, every) => {
  it('is exact, sliced by a schedule', () =>
    expectRight(
      small.filter((___, i) => i % every === 0),
      { ...options, schedule: script },
    ));
  it.each([1, 2])('is exact, sliced by default for %i threads', (threads) =>
    expectRight(large, { ...options, threads }),
  );
});

it.skipIf(!hasLlvm)('is exact natively, in place by default for two threads', () =>
  expectRight(inPlace, { ...native, threads: 2 }, 0),
);
