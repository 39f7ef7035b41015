/**
 * The microkernel as WebAssembly SIMD128: `C[f][w] += Σ_k A[k][w] · B[k][f]` on packed panels (SC §4.1, ST §2.2).
 *
 * A tile of any size is divided into register tiles, each computed in one pass over the panels with all its
 * accumulators in registers. Each sum starts at the output's old value and adds the products in the order of k, like
 * the scalar loop, so without `relaxed` the results are bit-identical. Sums of f64 and i32 are computed likewise.
 */
import type { RegisterTile } from '@sconv/targets';
import { divideTile, wasm, wasmRelaxed } from '@sconv/targets';
import type { FunctionRef, Label, Local, ModuleBuilder } from './encoder.ts';
import { createModuleBuilder } from './encoder.ts';
import type { WasmBytes } from './engine-types.ts';
import { i32 } from './instructions.ts';
import type { MicrokernelOptions } from './kernel-function.ts';
import { addKernelFunction, arithmeticOf, broadcastsAtOnce } from './kernel-function.ts';
import { addSingleWindowRow, isSingleWindowRow } from './single-window.ts';
import { loadVector, storeVector } from './vector-access.ts';

/**
 * Unroll factor in k. V8 polls for interrupts in each iteration, which takes a tenth of a step of eight or nine
 * multiply-adds. Fewer accumulators are bound by the latency of the additions; more leave no registers for a second
 * step.
 */
const stepsAtOnce = (accumulators: number, relaxed = false): number =>
  !relaxed && (accumulators === 8 || accumulators === 9) ? 2 : 1;

/** A vector of a row of windows; the last one of a tile may be partial. */
interface Vector {
  /** Byte distance from the row's first window. */
  readonly offset: number;
  /** Words of 32 bits. */
  readonly words: number;
}

const vectorsOf = (windows: number, { bytes, lanes }: ReturnType<typeof arithmeticOf>): readonly Vector[] =>
  Array.from({ length: Math.ceil(windows / lanes) }, (_, i) => ({
    offset: i * lanes * bytes,
    words: (Math.min(lanes, windows - i * lanes) * bytes) / 4,
  }));

/**
 * Adds the function of a register tile: the parameters of `addMicrokernel`, with panels as wide as the whole tile. One
 * function per shape: V8 allocates registers worse for several such loops in one function (8 % slower at 16x8).
 */
const addRegisterTile = (
  module: ModuleBuilder,
  tile: Pick<RegisterTile, 'windows' | 'filters'>,
  options: MicrokernelOptions,
  name?: string,
): FunctionRef =>
  addKernelFunction(module, options, name, (f, a, b, c, k, rowBytes, start) => {
    const arithmetic = arithmeticOf(options);
    const { bytes, loadSplat, splat, multiplyAdd } = arithmetic;
    const vectors = vectorsOf(tile.windows, arithmetic);
    const rows = Array.from({ length: tile.filters }, (_, row) => row);
    const panelA = (options.panels?.windows ?? options.windows) * bytes;
    const panelB = (options.panels?.filters ?? options.filters) * bytes;
    const { row } = options;
    const steps = row === undefined ? f.get(k) : i32.const(row.steps);
    const advance = (local: Local<'i32'>, by: number): void => {
      if (by !== 0) f.set(local, i32.add(f.get(local), i32.const(by)));
    };
    // Addresses are incremented at the start of a step: V8 then need not extend the previous step's to 64 bits.
    const lastA = f.let(i32.add(f.get(a), i32.mul(i32.sub(steps, i32.const(1)), i32.const(panelA))));
    advance(a, -panelA);
    advance(b, -panelB);
    const initial = start === undefined ? undefined : f.let(splat(f.get<'f32' | 'f64' | 'i32'>(start)));

    const tileAt = (): void => {
      // 1. Initialise the accumulators from the output or the argument.
      const outputs = rows.map((i) =>
        // An address used directly needs no register.
        row === undefined
          ? { address: f.let(i32.add(f.get(c), i32.mul(f.get(rowBytes), i32.const(i)))), offset: 0 }
          : { address: c, offset: i * row.rowBytes },
      );
      const accumulators = outputs.map(({ address, offset }) =>
        vectors.map((vector) =>
          f.let(
            initial === undefined
              ? loadVector(f.get(address), offset + vector.offset, vector.words)
              : f.get(initial),
          ),
        ),
      );

      // 2. One k step: load the windows, broadcast each filter, multiply and add.
      const atOnce = broadcastsAtOnce(vectors.length, tile.filters, options.relaxed);
      const step = (end: Label): void => {
        advance(a, panelA);
        advance(b, panelB);
        const windows = vectors.map((vector) => f.let(loadVector(f.get(a), vector.offset, vector.words)));
        accumulators.forEach((sums, i) => {
          // Never taken. It ends the basic block, to whose top V8 hoists all loads.
          if (i > 0 && i % atOnce === 0) f.branchIf(end, i32.ltU(f.get(lastA), f.get(a)));
          const filter = f.let(loadSplat(f.get(b), i * bytes));
          sums.forEach((accumulator, j) => {
            const [x, y, sum] = [f.get(windows[j] ?? filter), f.get(filter), f.get(accumulator)];
            f.set(accumulator, multiplyAdd(x, y, sum));
          });
        });
      };
      f.block((end) => {
        if (row === undefined) f.branchIf(end, i32.eqz(steps));
        f.loop((next) => {
          for (let more = stepsAtOnce(vectors.length * rows.length, options.relaxed); more > 1; more -= 1) {
            step(end);
            f.branchIf(end, i32.eq(f.get(a), f.get(lastA)));
          }
          step(end);
          f.branchIf(next, i32.ltU(f.get(a), f.get(lastA)));
        });
      });

      // 3. Store the output.
      accumulators.forEach((sums, i) => {
        sums.forEach((accumulator, j) => {
          const [vector, { address, offset }] = [vectors[j]!, outputs[i]!];
          f.statement(storeVector(f.get(address), f.get(accumulator), offset + vector.offset, vector.words));
        });
      });
    };
    if (row === undefined) {
      tileAt();
      return;
    }
    f.loop((next) => {
      tileAt();
      advance(a, row.a - row.steps * panelA);
      advance(b, row.b - row.steps * panelB);
      advance(c, row.c);
      advance(lastA, row.a);
      advance(k, -1);
      f.branchIf(next, f.get(k));
    });
  });

const checkOptions = ({ windows, filters, panels, row }: MicrokernelOptions): void => {
  for (const [what, size] of Object.entries({ windows, filters })) {
    if (!Number.isInteger(size) || size < 1) throw new RangeError(`${size} ${what} make no microkernel`);
  }
  if (row !== undefined && !(row.steps >= 1)) throw new RangeError('the tiles of a row have a step');
  if (panels !== undefined && (panels.windows < windows || panels.filters < filters)) {
    throw new RangeError('panels are at least as wide as the tile');
  }
};

/** The register tiles of a tile: those given, or those of the shipped target with or without `relaxed`. */
const registerTilesOf = (options: MicrokernelOptions): readonly RegisterTile[] => {
  const { windows, filters, tiles, relaxed } = options;
  const { lanes } = arithmeticOf(options);
  return tiles ?? divideTile((relaxed ? wasmRelaxed : wasm).speeds!, { windows, filters }, { lanes }).passes;
};

/**
 * Adds the kernel to a module: `(a, b, c, k, rowBytes)`, the byte addresses of panel A `[k][windows]`, panel B
 * `[k][filters]` and of the tile's first output, the number of steps, and the bytes between two filters' rows of the
 * output; with `start: 'argument'` also the initial value of all sums, of the element type. Throws a RangeError for an
 * empty tile.
 */
export const addMicrokernel = (
  module: ModuleBuilder,
  options: MicrokernelOptions,
  name?: string,
): FunctionRef => {
  checkOptions(options);
  if (isSingleWindowRow(options)) return addSingleWindowRow(module, options, name);
  const tiles = registerTilesOf(options);
  const [only] = tiles;
  if (tiles.length === 1 && only !== undefined) return addRegisterTile(module, only, options, name);
  if (options.row !== undefined) throw new RangeError('the tiles of a row are register tiles');
  const byShape = new Map<string, FunctionRef>();
  const functions = tiles.map((tile) => {
    const shape = `${tile.windows}x${tile.filters}`;
    const known = byShape.get(shape) ?? addRegisterTile(module, tile, options);
    byShape.set(shape, known);
    return known;
  });
  const { bytes } = arithmeticOf(options);
  return addKernelFunction(module, options, name, (f, a, b, c, k, rowBytes, start) => {
    tiles.forEach((tile, i) => {
      const callee = functions[i];
      if (callee === undefined) return;
      const windowBytes = i32.const(tile.firstWindow * bytes);
      const row = i32.mul(f.get(rowBytes), i32.const(tile.firstFilter));
      f.call(
        callee,
        i32.add(f.get(a), windowBytes),
        i32.add(f.get(b), i32.const(tile.firstFilter * bytes)),
        i32.add(i32.add(f.get(c), row), windowBytes),
        f.get(k),
        f.get(rowBytes),
        ...(start === undefined ? [] : [f.get(start)]),
      );
    });
  });
};

export type { MicrokernelOptions, MicrokernelRow } from './kernel-function.ts';

/**
 * A module of one microkernel, exported as `microkernel(a, b, c, k, rowBytes)`; see `addMicrokernel`. It imports
 * `env.memory` and allocates nothing.
 */
export const emitMicrokernel = (options: MicrokernelOptions): WasmBytes => {
  const module = createModuleBuilder();
  addMicrokernel(module, options, 'microkernel');
  return module.encode(0);
};
