/** The code of a contraction by a plan, and what it computes on wasm and natively. */
import { bufferizeModule } from '@sconv/bufferization';
import { unwrap } from '@sconv/diagnostics';
import { printModule } from '@sconv/ir';
import type { Module } from '@sconv/ir';
import { nativeBackend } from '@sconv/native';
import type { AnyPlan } from '@sconv/plans';
import { sconv } from '@sconv/slicing';
import { avx2, neon } from '@sconv/targets';
import { runSchedule, schedule } from '@sconv/transform';
import { emitModule, instantiate } from '@sconv/wasm';
import type { DataOf, Drawn } from './drawn-contraction.ts';
import { textOf } from './drawn-contraction.ts';
import { registry } from './registry.ts';
import { parse } from './stages.ts';

/** A contraction before and after it is sliced by a plan, whose schedule goes through its text. */
export const generated = (drawn: Drawn, plan: AnyPlan) => {
  const payload = parse(textOf(drawn), 'payload.mlir');
  const script = schedule(($) => {
    sconv({ target: $.match(drawn.name) }, { plan });
    return undefined;
  });
  const text = parse(script.toMlir(registry), 'schedule.mlir');
  const { module } = unwrap(runSchedule(text, payload, { registry }));
  return { payload, module, bufferized: unwrap(bufferizeModule(module, { registry })) };
};

/** A bufferized function and its operands. */
export interface Computed {
  readonly module: Module;
  readonly data: DataOf;
}

/** What it computes on wasm. */
export const outputOnWasm = (bufferized: Module, data: DataOf): Float32Array => {
  const output = data.output.slice();
  const emitted = unwrap(emitModule(bufferized, { registry }));
  instantiate(emitted).run('f', data.input, data.filters, output);
  return output;
};

/** What each computes on this machine; nothing where that cannot run the code. */
export const outputsNatively = async (computed: readonly Computed[]): Promise<readonly Float32Array[]> => {
  if (computed.length === 0) return [];
  const functions = computed.map(({ module }, i) =>
    printModule(module, { registry, localScope: true })
      .replace(/^module \{/, '')
      .replace(/\}\s*$/, '')
      .replace('@f', `@f${i}`),
  );
  const emitted = nativeBackend.emit(parse(functions.join('\n'), 'all.mlir'), {
    target: process.arch === 'arm64' ? neon : avx2,
    registry,
  });
  const loaded = await nativeBackend.load(unwrap(emitted));
  if (loaded.diagnostics.some(({ code }) => code === 'native/processor')) return [];
  const artifact = unwrap(loaded);
  const outputs = computed.map(({ data }, i) => {
    const output = data.output.slice();
    artifact.run(`f${i}`, data.input, data.filters, output);
    return output;
  });
  artifact.dispose();
  return outputs;
};
