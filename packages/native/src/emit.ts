/** Emits bufferized IR as library sources: MLIR for upstream's conversions, and C stubs. */
import type { EmitOptions, FunctionSignature, MemoryUse } from '@sconv/backend';
import {
  constantsAsArguments,
  isPublicFunction,
  publicFunctions,
  useOf,
  writtenByCalls,
} from '@sconv/backend';
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import { expandComposed } from '@sconv/dialects';
import type { KeptPackings } from '@sconv/kernels';
import { collapseLoops, formKernels, keptPackings, withKernels } from '@sconv/kernels';
import type { KeptArguments } from '@sconv/lowering';
import {
  deallocateBuffers,
  keepPackings,
  lowerStridedCopies,
  lowerTiles,
  mayKeepPackings,
  nativeKeeping,
  passMemory,
  refusedContract,
  refusedMicrokernel,
  refusedPacking,
} from '@sconv/lowering';
import type { Module, Registry } from '@sconv/ir';
import { children, edit, operationsIn, printModule, symbolNameOf, unitAttribute } from '@sconv/ir';
import { tileUnit } from '@sconv/targets';
import { argumentsApart, definedFunctions, fixedFunctions, referencedBy } from './called-functions.ts';
import { keepIntegersExact } from './exact-integers.ts';
import { headerFor } from './header.ts';
import { lowerForLlvm } from './lower-for-llvm.ts';
import { loadMasks } from './mask-table.ts';
import type { DeclaredFunction, NativeModule, ThreadedSources } from './native-module.ts';
import { backendName } from './native-module.ts';
import { usedKernels } from './openblas.ts';
import { outlineLoops } from './outline-loops.ts';
import { mostArenaBytes, placeInArenas } from './place-in-arenas.ts';
import { processorOf } from './processor.ts';
import { renameDefinitions } from './rename-definitions.ts';
import { bytesOf } from './signature.ts';
import { streamingDeclaration, streamingSupport } from './streaming-support.ts';
import type { StubbedFunction } from './stubs.ts';
import { stubsFor } from './stubs.ts';

/**
 * `Backend.emit`. Public functions with a body are callable; their arguments and results are numbers, and buffers of
 * static or arbitrary layout.
 */
export const emitNative = (given: Module, { target, ...options }: EmitOptions): Diagnosed<NativeModule> => {
  const registry = withKernels(options.registry);
  const processor = processorOf(target.machine);
  const { vector, matrix } = target.machine;
  const { location } = given.root;
  if (processor === undefined || vector === undefined) {
    return definite(error('native/target', `no native code is generated for '${target.name}'`, location));
  }
  const passed = constantsAsArguments(given, registry);
  if (passed.status !== 'success') return passed;
  const { module, constants } = passed.value;
  const large = constantsProblem(module);
  if (large !== undefined) return definite(large);
  const calls = referencedBy(operationsIn(module.root));
  const used = usedKernels(module, calls, target.machine.isa);
  if (used.status !== 'success') return used;
  const found = publicFunctions(module, { registry, indexBytes: 8 });
  if (found.status !== 'success') return found;
  const functions = found.value;
  const written = writtenByCalls(registry, children(module.root));
  const unit = { ...vector, ...(matrix === undefined ? {} : { matrix }) };
  const {
    module: lowered,
    results: { kept, uses, problems, warnings },
  } = edit(module, { registry }, (rewriter) => {
    expandComposed(rewriter, rewriter.root);
    deallocateBuffers(rewriter, rewriter.root);
    const inOrder = definedFunctions(rewriter);
    const fixed = fixedFunctions(rewriter, calls);
    const areApart = argumentsApart(rewriter, inOrder.toReversed(), calls, fixed, written);
    const warnings = formKernels(rewriter, rewriter.root, {
      unit: {
        tiles: tileUnit(target),
        refusesMicrokernel: (kernel) => refusedMicrokernel(kernel, unit),
        refusesContract: refusedContract,
        refusesPacking: refusedPacking,
      },
      apart: areApart,
    });
    const keeping = new Map<string, KeptArguments>();
    const callees = new Map<string, KeptPackings>();
    for (const operation of inOrder) {
      const name = symbolNameOf(operation)!;
      if (isPublicFunction(operation))
        rewriter.setAttribute(operation, 'llvm.emit_c_interface', unitAttribute);
      if (!mayKeepPackings(operation, fixed)) {
        passMemory(rewriter, operation, keeping);
        continue;
      }
      const found = keptPackings(operation, registry, { ...nativeKeeping(rewriter), callees });
      const signature = functions.find((each) => each.signature.name === name)?.signature;
      const parameters = signature === undefined ? found.read : readOnly(signature);
      const own = keepPackings(rewriter, operation, parameters, found, keeping);
      keeping.set(name, own);
      const bytes = new Map(own.kept.map((each) => [each.parameter, each.bytes]));
      callees.set(name, { ...found, bytes });
    }
    lowerStridedCopies(rewriter, rewriter.root);
    collapseLoops(rewriter, rewriter.root);
    lowerTiles(rewriter, rewriter.root, unit, areApart);
    for (const { finish } of keeping.values()) finish();
    const uses = placeInArenas(rewriter, inOrder, fixed);
    renameDefinitions(rewriter);
    const problems = lowerForLlvm(rewriter);
    loadMasks(rewriter, unit);
    keepIntegersExact(rewriter);
    const kept = new Map([...keeping].map(([name, each]) => [name, each.kept]));
    return { kept, uses, problems, warnings };
  });
  if (problems.length > 0) return definite(...problems);
  const exported = functions.map(({ signature, ...each }) => {
    const memory = uses.get(signature.name) ?? useOf(0);
    return { ...each, signature: { ...signature, memory }, memory, kept: kept.get(signature.name) ?? [] };
  });
  const huge = exported.find(({ memory }) => memory.arenaBytes > mostArenaBytes);
  if (huge !== undefined) return definite(tooMuchMemory(huge.signature, huge.memory));
  const { streamingBytes } = processor;
  const support = streamingBytes === undefined ? '' : streamingSupport;
  const stubs = stubsFor(exported) + support;
  const threaded = threadedSources(lowered, registry, exported, support);
  const others = streamingBytes === undefined ? [] : [streamingDeclaration(streamingBytes)];
  const emitted: NativeModule = {
    backend: backendName,
    functions: exported.map(({ signature }) => signature),
    constants,
    declared: declaredIn(module),
    kept: exported.map((each) => each.kept),
    mlir: printModule(lowered, { registry }),
    stubs,
    header: headerFor(exported, stubs, others),
    ...(threaded === undefined ? {} : { threaded }),
    isa: target.machine.isa,
    ...processor,
    features: [...new Set([...processor.features, ...used.value.features])],
    kernels: used.value.kernels,
  };
  return success(emitted, warnings);
};

const tooMuchMemory = ({ name, location }: FunctionSignature, { arenaBytes }: MemoryUse): Diagnostic =>
  error(
    'native/memory',
    `@${name} needs ${arenaBytes} bytes for its buffers; an address reaches 2^47`,
    location,
  );

/** The variant whose parallel loops are shared by threads; undefined if there are none. */
const threadedSources = (
  module: Module,
  registry: Registry,
  functions: readonly StubbedFunction[],
  support: string,
): ThreadedSources | undefined => {
  const { module: outlined, loops } = outlineLoops(module, registry);
  if (loops.length === 0) return undefined;
  return {
    mlir: printModule(outlined, { registry }),
    stubs: stubsFor(functions, loops) + support,
    iterations: Math.max(...loops.map(({ iterations }) => iterations)),
  };
};

/** Bytes of constants at most: code reaches them at distances of 32 bits. */
const maximumConstants = 2 ** 31;

/** The global that takes the constants beyond what code can reach: compilers would spell out every element of it. */
const constantsProblem = (module: Module): Diagnostic | undefined => {
  let bytes = 0;
  for (const { name, attributes, location } of children(module.root)) {
    const { type } = attributes;
    if (name !== 'memref.global' || type?.kind !== 'type' || type.type.kind !== 'memref') continue;
    bytes += bytesOf(type.type);
    if (bytes > maximumConstants) {
      return error('native/constants', `needs ${bytes} bytes of constants; code reaches 2 GiB`, location);
    }
  }
  return undefined;
};

/** The positions of the buffers that a function does not write. */
const readOnly = ({ parameters }: FunctionSignature): ReadonlySet<number> =>
  new Set(parameters.flatMap((each, i) => (each.kind === 'buffer' && !each.written ? [i] : [])));

/** The functions without a body. */
const declaredIn = (module: Module): readonly DeclaredFunction[] =>
  children(module.root).flatMap((operation) => {
    const name = symbolNameOf(operation);
    const isDeclared = operation.name === 'func.func' && operation.regions[0]?.blocks.length === 0;
    return isDeclared && name !== undefined ? [{ name, location: operation.location }] : [];
  });
