/** Bufferized IR to sources of a library: MLIR for upstream's conversions, and stubs in C. */
import type { EmitOptions } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import { deallocateBuffers, lowerTiles } from '@sconv/lowering';
import type { Module, Operation } from '@sconv/ir';
import { children, edit, printModule, unitAttribute } from '@sconv/ir';
import type { NativeModule } from './native-module.ts';
import { backendName } from './native-module.ts';
import { processorOf } from './processor.ts';
import type { NativeFunction } from './signature.ts';
import { nativeFunction } from './signature.ts';
import { stubsFor } from './stubs.ts';

/**
 * `Backend.emit`. Functions that are public and have a body can be called; what they take and return are numbers and buffers of
 * static layout.
 */
export const emitNative = (module: Module, { target, registry }: EmitOptions): Diagnosed<NativeModule> => {
  const processor = processorOf(target.machine);
  const { vector } = target.machine;
  const { location } = module.root;
  if (processor === undefined || vector === undefined) {
    return definite(error('native/target', `no native code is made for '${target.name}'`, location));
  }
  const functions: NativeFunction[] = [];
  for (const operation of children(module.root)) {
    if (!isExported(operation)) continue;
    const described = nativeFunction(registry, operation);
    if (described.status !== 'success') return described;
    functions.push(described.value);
  }
  const unit = { bits: vector.bits, registers: vector.registers };
  const { module: lowered } = edit(module, { registry }, (rewriter) => {
    lowerTiles(rewriter, rewriter.root, unit);
    deallocateBuffers(rewriter, rewriter.root);
    for (const { operations } of rewriter.root.regions.flatMap(({ blocks }) => blocks)) {
      for (const operation of operations)
        if (isExported(operation)) rewriter.setAttribute(operation, 'llvm.emit_c_interface', unitAttribute);
    }
  });
  return success({
    backend: backendName,
    functions: functions.map(({ signature }) => signature),
    mlir: printModule(lowered, { registry }),
    stubs: stubsFor(functions),
    arguments: processor.arguments,
    isa: target.machine.isa,
    features: processor.features,
  });
};

/** Whether a function has a body and can be called from outside. */
const isExported = ({ name, regions, attributes }: Operation): boolean =>
  name === 'func.func' &&
  (regions[0]?.blocks.length ?? 0) > 0 &&
  !(attributes['sym_visibility']?.kind === 'string' && attributes['sym_visibility'].value === 'private');
