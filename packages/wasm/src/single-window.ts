/**
 * Rows of single-window tiles: vectorized along the filters, over several tiles at once. Within one tile every sum
 * would wait for the addition of the previous step.
 */
import type { FunctionRef, Label, Local, ModuleBuilder } from './encoder.ts';
import type { Code, Expr } from './instructions.ts';
import { i32, v128 } from './instructions.ts';
import type { MicrokernelOptions, MicrokernelRow } from './kernel-function.ts';
import { addKernelFunction, arithmeticOf } from './kernel-function.ts';

/** Vectors of sums in flight: enough to hide an addition's latency. */
const sumsAtOnce = 8;

/** Vectors of filters loaded at a time beside them: V8 hoists all loads to the top of their basic block. */
const loadsAtOnce = 4;

interface SingleWindowRow extends MicrokernelOptions {
  readonly row: MicrokernelRow;
}

/** Whether a row's tiles have one window, whole vectors of filters and disjoint outputs. */
export const isSingleWindowRow = (options: MicrokernelOptions): options is SingleWindowRow => {
  const { windows, filters, row } = options;
  if (windows !== 1 || filters % arithmeticOf(options).lanes !== 0 || row === undefined) return false;
  return row.a === 0 && row.b >= 0 && row.rowBytes > 0 && row.c >= filters * row.rowBytes;
};

/** Adds the function of a row, with the parameters of `addMicrokernel`. */
export const addSingleWindowRow = (
  module: ModuleBuilder,
  options: SingleWindowRow,
  name?: string,
): FunctionRef =>
  addKernelFunction(module, options, name, (f, a, b, c, count, _rowBytes, start) => {
    const { filters, panels, row } = options;
    const { bytes, lanes, loadSplat, splat, multiplyAdd } = arithmeticOf(options);
    const panelA = (panels?.windows ?? 1) * bytes;
    const panelB = (panels?.filters ?? filters) * bytes;
    const initial = start === undefined ? undefined : f.let(splat(f.get<'f32' | 'f64' | 'i32'>(start)));
    const lastA = f.let(i32.add(f.get(a), i32.const((row.steps - 1) * panelA)));
    const [firstA, at] = [f.let(f.get(a)), f.local('i32')];

    const [loadFirst, loadLane, storeLane] =
      bytes === 8
        ? ([v128.load64Zero, v128.load64Lane, v128.store64Lane] as const)
        : ([v128.load32Zero, v128.load32Lane, v128.store32Lane] as const);
    const allLanes = Array.from({ length: lanes }, (_, i) => i);
    const loadRows = (offset: number): Expr<'v128'> =>
      allLanes
        .slice(1)
        .reduce(
          (vector, i) => loadLane(f.get(c), vector, i, offset + i * row.rowBytes),
          loadFirst(f.get(c), offset),
        );
    const storeRows = (vector: Local<'v128'>, offset: number): Code[] =>
      allLanes.map((i) => storeLane(f.get(c), f.get(vector), i, offset + i * row.rowBytes));

    /** Processes the tiles in groups of this size while that many are left. */
    const inGroupsOf = (tiles: number): void => {
      const vectors = Array.from({ length: tiles }, (_, tile) =>
        Array.from({ length: filters / lanes }, (__, i) => ({
          panel: tile * row.b + i * lanes * bytes,
          output: tile * row.c + i * lanes * row.rowBytes,
        })),
      ).flat();
      const step = (sums: readonly Local<'v128'>[], end: Label): void => {
        const window = f.let(loadSplat(f.get(a)));
        sums.forEach((sum, i) => {
          // Never taken: it ends the basic block.
          if (i > 0 && i % loadsAtOnce === 0) f.branchIf(end, i32.ltU(f.get(lastA), f.get(a)));
          const x = v128.load(f.get(at), vectors[i]!.panel);
          f.set(sum, multiplyAdd(f.get(window), x, f.get(sum)));
        });
      };
      f.if(i32.geU(f.get(count), i32.const(tiles)), () => {
        f.loop((again) => {
          const sums = vectors.map(({ output }) =>
            f.let(initial === undefined ? loadRows(output) : f.get(initial)),
          );
          f.set(a, i32.sub(f.get(firstA), i32.const(panelA)));
          f.set(at, i32.sub(f.get(b), i32.const(panelB)));
          f.block((end) => {
            f.loop((next) => {
              f.set(a, i32.add(f.get(a), i32.const(panelA)));
              f.set(at, i32.add(f.get(at), i32.const(panelB)));
              step(sums, end);
              f.branchIf(next, i32.ltU(f.get(a), f.get(lastA)));
            });
          });
          sums.forEach((sum, i) => {
            for (const store of storeRows(sum, vectors[i]!.output)) f.statement(store);
          });
          f.set(b, i32.add(f.get(b), i32.const(tiles * row.b)));
          f.set(c, i32.add(f.get(c), i32.const(tiles * row.c)));
          f.set(count, i32.sub(f.get(count), i32.const(tiles)));
          f.branchIf(again, i32.geU(f.get(count), i32.const(tiles)));
        });
      });
    };
    const atOnce = Math.max(Math.floor((sumsAtOnce * lanes) / filters), 1);
    inGroupsOf(atOnce);
    if (atOnce > 1) inGroupsOf(1);
  });
