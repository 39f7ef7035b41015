/**
 * ConvBench convolutions as code for other processors: exact in an emulator, with as many outer products as in the
 * plan, one per 16 multiply-adds for `xvf32gerpp` and one per 256 for `fmopa`. Large convolutions are scaled down for
 * the emulators.
 *
 * `node tools/integration/check-emulated.mjs` runs hundreds; these are some.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Backend } from '@sconv/backend';
import type { Plan } from '@sconv/plans';
import { multiplyAdds, paddedInput, parseShape } from '@sconv/csa';
import { foldPlan } from '@sconv/plans';
import type { ConvolutionShape } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import type { NativeModule } from '@sconv/native';
import { emulatedBackend, findToolchain } from '@sconv/native';
import type { Target } from '@sconv/targets';
import { avx512, mma, neon, sme } from '@sconv/targets';
import { compileModule } from 'sconv';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { convolutionFunction } from './support/convolutions.ts';
import { dataOf, firstMismatch, parse } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

const rows = readFileSync(new URL('convbench/rows.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const [isWhole, most] = [process.env['EMULATED'] === 'all', 1_000_000];
const some = isThorough ? { mma: 6, sme: 6, neon: 3, avx512: 2 } : { mma: 2, sme: 2, neon: 1, avx512: 1 };
/** Convolutions per target: all that `check-emulated.mjs` requests, or a few. */
const counts = isWhole ? { mma: 200, sme: 200, neon: 50, avx512: 60 } : some;

/** A convolution without padding, of at most `most` multiply-adds: halves the largest extents. */
const scaled = (row: string): ConvolutionShape => {
  const { h: inputHeight, w: inputWidth } = paddedInput(parseShape(row));
  let shape: ConvolutionShape = {
    ...parseShape(row),
    inputHeight,
    inputWidth,
    padding: { top: 0, bottom: 0, left: 0, right: 0 },
  };
  while (multiplyAdds(shape) > most) {
    const { filters, inputChannels, outputHeight, outputWidth, strides, dilations } = shape;
    const largest = Math.max(filters, inputChannels, outputHeight * outputWidth);
    if (largest === filters) shape = { ...shape, filters: Math.ceil(filters / 2) };
    else if (largest === inputChannels) shape = { ...shape, inputChannels: Math.ceil(inputChannels / 2) };
    else if (outputHeight >= outputWidth) {
      const height = Math.ceil(outputHeight / 2);
      const reach = (height - 1) * strides.h + (shape.filterHeight - 1) * dilations.h + 1;
      shape = { ...shape, outputHeight: height, inputHeight: reach };
    } else {
      const width = Math.ceil(outputWidth / 2);
      const reach = (width - 1) * strides.w + (shape.filterWidth - 1) * dilations.w + 1;
      shape = { ...shape, outputWidth: width, inputWidth: reach };
    }
  }
  return shape;
};

/** How a convolution was scaled down: `filters 160 to 80`. */
const reductions = (row: string, shape: ConvolutionShape): string =>
  (['filters', 'inputChannels', 'outputHeight', 'outputWidth'] as const)
    .flatMap((name) => {
      const before = parseShape(row)[name];
      return before === shape[name] ? [] : [`${name} ${before} to ${shape[name]}`];
    })
    .join(', ');

const cache = mkdtempSync(join(tmpdir(), 'sconv-emulated-'));
const plugin = join(cache, 'outer-products.so');
const countsFile = join(cache, 'counts.txt');
beforeAll(() => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

const hasLlvm = 'paths' in (await findToolchain());
const succeeds = (command: string, ...words: readonly string[]): boolean =>
  spawnSync(command, words).status === 0;
/** Whether the emulator supports qemu plugins; its static build does not. */
const canCount = (emulator: string): boolean =>
  spawnSync(emulator, ['--help'], { encoding: 'utf8' }).stdout.includes('-plugin') &&
  succeeds('gcc', '-O2', '-shared', '-fPIC', source, '-o', plugin);
const source = fileURLToPath(new URL('../outer-products.c', import.meta.url));

interface Emulated {
  readonly name: keyof typeof counts;
  readonly target: Target;
  readonly emulator: string;
  /** The processor's C library, if programs link one. */
  readonly library?: string;
}

const emulated: readonly Emulated[] = [
  { name: 'mma', target: mma, emulator: 'qemu-ppc64le', library: '/usr/powerpc64le-linux-gnu/lib/libc.a' },
  { name: 'sme', target: sme, emulator: 'qemu-aarch64', library: '/usr/aarch64-linux-gnu/lib/libc.a' },
  { name: 'neon', target: neon, emulator: 'qemu-aarch64', library: '/usr/aarch64-linux-gnu/lib/libc.a' },
  { name: 'avx512', target: avx512, emulator: 'bochs' },
];

/** A backend whose emulator counts. */
const counting: Backend<NativeModule> = {
  ...emulatedBackend,
  load: (code, options) =>
    emulatedBackend.load(
      { ...code, emulator: [...code.emulator, '-plugin', `${plugin},to=${countsFile}`] },
      options,
    ),
};

/** Outer products of a plan's full-accumulator microkernels. */
const outerProducts = (
  tree: Plan,
  { filterHeight, filterWidth }: ConvolutionShape,
  { machine: { matrix } }: Target,
): number => {
  if (matrix === undefined) return 0;
  const { rows: filters, columns: windows } = matrix;
  return foldPlan(tree, {
    loop: ({ count }, body) => count * body,
    split: (_, parts) => parts.reduce((sum, part) => sum + part, 0),
    pack: (_, body) => body,
    kernel: ({ extents: tile }) =>
      tile.windows % windows === 0 && tile.filters % filters === 0
        ? (tile.windows / windows) *
          (tile.filters / filters) *
          tile.batch *
          tile.group *
          tile.channels *
          filterHeight *
          filterWidth
        : 0,
    scalar: () => 0,
  });
};

/** Modules of several convolutions, to start LLVM less often. */
const groupsOf = (count: number): readonly (readonly string[])[] => {
  const taken = Array.from({ length: count }, (_, i) => rows[Math.floor((i * rows.length) / count)]!);
  const size = 10;
  return Array.from({ length: Math.ceil(count / size) }, (_, i) => taken.slice(i * size, (i + 1) * size));
};

describe.each(emulated)('$name', ({ name, target, emulator, library }) => {
  const isThere = hasLlvm && (library === undefined || existsSync(library)) && succeeds(emulator, '--help');
  const isCounted = isThere && canCount(emulator);
  const made: string[] = [];
  const totals = { convolutions: 0, onlyTiles: 0, multiplyAdds: 0, outerProducts: 0 };
  afterAll(() => {
    if (isWhole) console.log([...made, `${name}: ${JSON.stringify(totals)}`].join('\n'));
  });

  it.skipIf(!isThere).each(groupsOf(counts[name]).map((group, i) => [i, group] as const))(
    'convolutions %i',
    async (_, group) => {
      const shapes = group.map(scaled);
      const text = shapes.map((shape, i) => convolutionFunction(`conv${i}`, shape)).join('\n');
      const artifact = unwrap(
        await compileModule(parse(text, 'convolutions.mlir'), {
          target,
          backends: [isCounted ? counting : emulatedBackend],
        }),
      );
      for (const [i, shape] of shapes.entries()) {
        const data = dataOf(shape);
        const output = data.initial.slice();
        artifact.run(`conv${i}`, data.input, data.filters, output);
        expect([group[i], firstMismatch(output, data.expected)]).toEqual([group[i], undefined]);
        const expected = outerProducts(artifact.plans[i]!.plan.tree as Plan, shape, target);
        const macs = multiplyAdds(shape);
        if (isCounted) {
          const last = readFileSync(countsFile, 'utf8').trimEnd().split('\n').at(-1)!;
          const [ofMma = 0, ofSme = 0] = last.split(' ').map(Number);
          expect([group[i], ofMma + ofSme]).toEqual([group[i], expected]);
        }
        totals.convolutions += 1;
        if (reductions(group[i]!, shape) !== '') made.push(`${group[i]!}: ${reductions(group[i]!, shape)}`);
        totals.multiplyAdds += macs;
        totals.outerProducts += expected;
        const { matrix } = target.machine;
        totals.onlyTiles += matrix !== undefined && expected * matrix.rows * matrix.columns === macs ? 1 : 0;
      }
      artifact.dispose();
    },
  );

  it.skipIf(!isCounted)('some convolutions are whole tiles alone', () => {
    if (target.machine.matrix !== undefined) expect(totals.onlyTiles).toBeGreaterThan(0);
    else expect(totals.outerProducts).toBe(0);
  });
});
