/** Payloads and scripts shared by the tests of this package. */
import { firstDifference, genericPayload } from '@sconv/interpreter/testing';
import type { GenericSpec } from '@sconv/interpreter/testing';
import { scriptPrinter, scriptTester } from '@sconv/transform/testing';
import { transforms } from '../src/transforms.ts';

/** Also checks that each payload computes the same afterwards. */
export const apply = scriptTester(transforms, { difference: firstDifference });

export const printed = scriptPrinter(transforms);

/** A sum into a 4x6 tensor, of a 4x6 tensor by default. */
export const matrix = (changes: Partial<GenericSpec> = {}): string =>
  genericPayload({
    iterators: ['parallel', 'parallel'],
    inputs: [{ map: 'd0, d1', type: 'tensor<4x6xf32>' }],
    outputs: [{ map: 'd0, d1', type: 'tensor<4x6xf32>' }],
    ...changes,
  });

/** A sum into `extent` elements, of a vector read through a map. */
export const vector = (map: string, type: string, extent = 4): string =>
  genericPayload({
    iterators: ['parallel'],
    inputs: [{ map, type }],
    outputs: [{ map: 'd0', type: `tensor<${extent}xf32>` }],
  });

/** A body that adds both iteration indices, the second five times. */
export const bodyWithIndices = `%i = linalg.index 0 : index
%j = linalg.index 1 : index
%k = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 5)>(%i, %j)
%int = arith.index_cast %k : index to i32
%float = arith.sitofp %int : i32 to f32
%s = arith.addf %x0, %float : f32
linalg.yield %s : f32`;

/** A body that adds the product of both indices, which is not affine. */
export const bodyWithProduct = bodyWithIndices.replace(
  '(d0, d1) -> (d0 + d1 * 5)>(%i, %j)',
  '(d0)[s0] -> (d0 * s0)>(%i)[%j]',
);

/** `%op`: the ops of this name. */
export const matchOps = (name = 'linalg.generic'): string =>
  `%op = transform.structured.match ops{["${name}"]} in %root : (!transform.any_op) -> !transform.any_op`;

/** `(!transform.any_op) -> (…)`, with a result for the tile and one for each loop. */
export const tileTypes = (loops: number): string =>
  `(!transform.any_op) -> (${Array(loops + 1)
    .fill('!transform.any_op')
    .join(', ')})`;

/** Tiles `target` exactly; the loops are `%l`, `%l#0` the outermost of several. */
export const tile = (
  sizes: readonly number[],
  interchange: readonly number[] = [],
  target = '%op',
): string => {
  const loops = sizes.filter((size) => size !== 0).length;
  const results = loops === 0 ? '%t' : loops === 1 ? '%t, %l' : `%t, %l:${loops}`;
  const order = interchange.length > 0 ? ` interchange = [${interchange.join(', ')}]` : '';
  return `${results} = transform.structured.tile_using_for ${target} tile_sizes [${sizes.join(', ')}]${order} {exact} : ${tileTypes(loops)}`;
};

/** The codes of diagnostics, in order. */
export const codesIn = (diagnostics: string): readonly string[] =>
  [...diagnostics.matchAll(/\[([a-z-]+\/[a-z-]+)\]$/gm)].map(([, code = '']) => code);

/** Bounds by depth, and the body, without the names of constants. */
export const loopsOf = (text: string): readonly string[] =>
  text
    .replaceAll(/%c(\d+)(_\d+)?/g, '%c$1')
    .split('\n')
    .filter((line) => !line.includes('arith.constant'));
