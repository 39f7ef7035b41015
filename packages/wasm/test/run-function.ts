/** Compiles one function, exported as `f`, on a memory of one page. */
import { createModuleBuilder } from '../src/encoder.ts';
import type { FunctionBuilder, Locals, ModuleBuilder } from '../src/encoder.ts';
import type { ValueType } from '../src/instructions.ts';

export const runFunction = <const P extends readonly ValueType[]>(
  parameters: P,
  results: readonly ValueType[],
  body: (f: FunctionBuilder, ...locals: Locals<P>) => void,
  prepare?: (module: ModuleBuilder) => void,
): { readonly f: (...values: number[]) => number; readonly memory: WebAssembly.Memory } => {
  const module = createModuleBuilder();
  prepare?.(module);
  module.function({ name: 'f', parameters, results }, body);
  const memory = new WebAssembly.Memory({ initial: 1 });
  const compiled = new WebAssembly.Module(module.encode(1));
  const instance = new WebAssembly.Instance(compiled, { env: { memory, base: 64 } });
  return { f: instance.exports['f'] as (...values: number[]) => number, memory };
};
