/** Payloads and scripts shared by the tests of this package. */
import { firstDifference } from '@sconv/interpreter/testing';
import { scriptPrinter, scriptTester } from '@sconv/transform/testing';
import { transforms } from '../src/transforms.ts';
import { packWindowsExamples } from './examples.ts';

/** Also checks that each payload computes the same afterwards. */
export const apply = scriptTester(transforms, { difference: firstDifference });

export const printed = scriptPrinter(transforms);

/** Loops over windows, then filters: the order of the input stationary schedule. */
export const tiled = packWindowsExamples[0]!.payload;

/** `tiled` with texts replaced, each of which must occur. */
export const changed = (...changes: readonly (readonly [string, string])[]): string =>
  replaced(tiled, ...changes);

/** A text with others in it replaced, each of which must occur. */
export const replaced = (text: string, ...changes: readonly (readonly [string, string])[]): string =>
  changes.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`there is no '${from}'`);
    return before.replaceAll(from, to);
  }, text);

const any = '!transform.any_op';

export const matchOps = (name = 'linalg.generic'): string =>
  `%op = transform.structured.match ops{["${name}"]} in %root : (${any}) -> ${any}`;
const panelText = (panel: number | undefined): string => (panel === undefined ? '' : ` {panel = ${panel}}`);
export const packWindowsIn = (panel?: number): string =>
  `%windows, %t1 = transform.structured.pack_windows %op${panelText(panel)} : (${any}) -> (${any}, ${any})`;
export const packFiltersIn = (panel?: number): string =>
  `%filters, %t2 = transform.structured.pack_filters %t1${panelText(panel)} : (${any}) -> (${any}, ${any})`;
export const packWindows = packWindowsIn();
export const packFilters = packFiltersIn();
export const formMicrokernel = `%kernel = transform.structured.form_microkernel %t2 : (${any}) -> ${any}`;
export const multipack = (packing: string): string =>
  `%all = transform.structured.multipack ${packing} : (${any}) -> ${any}`;

/** Steps on the generic ops of a payload. */
export const script = (...lines: readonly string[]): string => [matchOps(), ...lines].join('\n');

/** The lines that contain one of the words, without value names. */
export const excerpt = (text: string, ...words: readonly string[]): readonly string[] =>
  text
    .split('\n')
    .filter((line) => words.some((word) => line.includes(word)))
    .map((line) => line.trim().replaceAll(/%\w+/g, '%'));

/** The order of loops and packings. */
export const placesOf = (text: string): readonly string[] =>
  [...text.matchAll(/scf\.for|tensor\.empty\(\) : tensor<[^>]*>/g)].map(([found]) =>
    found.split(' ').at(-1)!,
  );

/** A linearised convolution in two loops, its input gathered. */
export interface TiledConvolution {
  readonly batch: number;
  readonly channels: number;
  readonly filter: readonly [number, number];
  readonly stride: number;
  readonly dilation: number;
  /** Rows and columns of the output. */
  readonly output: readonly [number, number];
  /** Windows of a tile; they divide those of the output. */
  readonly windows: number;
  /** Filters per tile, and the number of tiles. */
  readonly filters: readonly [number, number];
  readonly outer: 'windows' | 'filters';
}

/** The text of a `TiledConvolution`. */
export const tiledConvolution = (spec: TiledConvolution): string => {
  const { batch, channels, filter, stride, dilation, output, windows, outer } = spec;
  const [filterHeight, filterWidth] = filter;
  const [perTile, tiles] = spec.filters;
  const filters = perTile * tiles;
  const [rows, columns] = output;
  const reach = (count: number, size: number) => (count - 1) * stride + (size - 1) * dilation + 1;
  const width = reach(columns, filterWidth);
  const total = rows * columns;
  const input = `tensor<${batch}x${channels}x${reach(rows, filterHeight) * width}xf32>`;
  const weights = `tensor<${filters}x${channels}x${filterHeight}x${filterWidth}xf32>`;
  const tileOfWeights = `tensor<${perTile}x${channels}x${filterHeight}x${filterWidth}xf32>`;
  const result = `tensor<${batch}x${filters}x${total}xf32>`;
  const tileOfResult = `tensor<${batch}x${perTile}x${windows}xf32>`;
  const loops = {
    windows: `%w = %c0 to %total step %windows`,
    filters: `%f = %c0 to %filters step %perTile`,
  };
  const sliceOfWeights = `[%f, 0, 0, 0] [${perTile}, ${channels}, ${filterHeight}, ${filterWidth}] [1, 1, 1, 1]`;
  const sliceOfResult = `[0, %f, %w] [${batch}, ${perTile}, ${windows}] [1, 1, 1]`;
  return `func.func @conv(%in: ${input}, %weights: ${weights}, %out: ${result}) -> ${result} {
  %c0 = arith.constant 0 : index
  %total = arith.constant ${total} : index
  %windows = arith.constant ${windows} : index
  %filters = arith.constant ${filters} : index
  %perTile = arith.constant ${perTile} : index
  %0 = scf.for ${loops[outer]} iter_args(%o1 = %out) -> (${result}) {
    %1 = scf.for ${loops[outer === 'windows' ? 'filters' : 'windows']} iter_args(%o2 = %o1) -> (${result}) {
      %tile_f = tensor.extract_slice %weights${sliceOfWeights} : ${weights} to ${tileOfWeights}
      %tile_o = tensor.extract_slice %o2${sliceOfResult} : ${result} to ${tileOfResult}
      %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%tile_f : ${tileOfWeights}) outs(%tile_o : ${tileOfResult}) {
      ^bb0(%weight: f32, %sum: f32):
        %n = linalg.index 0 : index
        %iw = linalg.index 2 : index
        %c = linalg.index 3 : index
        %fh = linalg.index 4 : index
        %fw = linalg.index 5 : index
        %i = affine.apply affine_map<(d0, d1, d2, d3) -> ((((d0 + d1) floordiv ${columns}) * ${stride} + d2 * ${dilation}) * ${width} + ((d0 + d1) mod ${columns}) * ${stride} + d3 * ${dilation})>(%iw, %w, %fh, %fw)
        %x = tensor.extract %in[%n, %c, %i] : ${input}
        %product = arith.mulf %x, %weight : f32
        %next = arith.addf %sum, %product : f32
        linalg.yield %next : f32
      } -> ${tileOfResult}
      %put = tensor.insert_slice %2 into %o2${sliceOfResult} : ${tileOfResult} into ${result}
      scf.yield %put : ${result}
    }
    scf.yield %1 : ${result}
  }
  return %0 : ${result}
}
`;
};

/** The body of a loop over %i that copies tiles of %a, each padded from at most three elements by %v, into %q. */
export const paddedTile = `%s = affine.min affine_map<(d0) -> (3, 8 - d0)>(%i)
  %h = affine.apply affine_map<(d0) -> (3 - d0)>(%s)
  %x = tensor.extract_slice %a[%i] [%s] [1] : tensor<8xf32> to tensor<?xf32>
  %p = tensor.pad %x low[0] high[%h] {
  ^bb0(%b: index):
    tensor.yield %v : f32
  } : tensor<?xf32> to tensor<3xf32>
  %y = tensor.extract_slice %p[0] [%s] [1] : tensor<3xf32> to tensor<?xf32>
  %w = tensor.insert_slice %y into %q[%i] [%s] [1] : tensor<?xf32> into tensor<8xf32>
  scf.yield %w : tensor<8xf32>`;
