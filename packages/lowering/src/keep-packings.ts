/**
 * Packings of arguments that stay from one call to the next, weights above all: static packing (SC §3, §6.3).
 *
 *     func @f(%w: memref<…>) {             func @f(%w: memref<…>, %kept: memref<Nxi8>, %state: i32) {
 *       %panel = memref.alloc()                %panel = memref.alloc()
 *       scf.for %i … {                         scf.for %i … {
 *         linalg.generic … outs(%panel)  →       %here = scf.if %state == 0 { %panel } else { memref.view %kept[…%i…] }
 *         … %panel …                             scf.if %state != 2 { linalg.generic … outs(%here) }
 *       }                                        … %here …
 *     }                                    } }
 */
import type { AffineExpr } from '@sconv/affine';
import { add, constant, dim, floorDiv, makeMap, mul, sub } from '@sconv/affine';
import type { CountedLoop } from '@sconv/dialects';
import { applyComposed, bufferOf, countedLoops, indexNumber, viewLike } from '@sconv/dialects';
import { cmpi, constant as constantOp } from '@sconv/dialects/arith';
import { funcOp } from '@sconv/dialects/func';
import { microkernel, pack, packingView } from '@sconv/dialects/kernel';
import { structured } from '@sconv/dialects/linalg';
import { alloc, dealloc, isContiguous, load as loadElement, view } from '@sconv/dialects/memref';
import { ifOp, yieldOp } from '@sconv/dialects/scf';
import type { Builder, DraftBlock, DraftOperation, Id, MemRefType, Rewriter, Value } from '@sconv/ir';
import {
  bodyOf,
  builder,
  elementCount,
  functionType,
  functionTypeOf,
  i32,
  integerAttribute,
  integerType,
  isStaticShape,
  memrefType,
  modelOf,
  precedes,
  typeAttribute,
} from '@sconv/ir';
import { bitsOf } from './vector-unit.ts';

/** The `state` of a kept packing: no memory provided, to be filled, or filled. */
export const keptState = { none: 0, fill: 1, full: 2 } as const;

/** An argument whose packings may be kept, and their size in bytes. */
export interface KeptPacking {
  readonly parameter: number;
  readonly bytes: number;
}

/** A packing that may be kept, and the iterations that it depends on. */
interface Candidate {
  readonly packing: DraftOperation;
  readonly parameter: number;
  readonly panel: Value;
  readonly bytes: number;
  readonly loops: readonly CountedLoop[];
}

/** The result; `finish` is called once the packings are lowered. */
export interface KeptPackings {
  /** In the order of the arguments; each adds two to the function's own: memory and state. */
  readonly kept: readonly KeptPacking[];
  /** Redirects the readers of the panels to the kept memory; call it after packings and microkernels are lowered. */
  readonly finish: () => void;
}

/** No weights need more memory than this. */
const maximumBytes = 2 ** 31;

/**
 * Prepares a function to keep the packings of these arguments, which it must not write. A packing is skipped if its
 * panel is written or captured elsewhere, or if it is in loops with unknown iterations.
 */
export const keepPackings = (
  rewriter: Rewriter,
  operation: DraftOperation,
  parameters: ReadonlySet<number>,
): KeptPackings => {
  const found = rewriter
    .walk(operation)
    .flatMap((each) => candidateOf(rewriter, operation, each, parameters) ?? []);
  const kept: KeptPacking[] = [];
  const finishing: (() => void)[] = [];
  for (const parameter of [...new Set(found.map((each) => each.parameter))].sort((a, b) => a - b)) {
    const own = found.filter((each) => each.parameter === parameter);
    const bytes = own.reduce((sum, each) => sum + bytesOfAll(each), 0);
    if (bytes > maximumBytes) continue;
    kept.push({ parameter, bytes });
    const [memory, state] = addArguments(rewriter, operation, [memrefType([bytes], integerType(8)), i32]);
    let start = 0;
    for (const candidate of own) {
      finishing.push(keep(rewriter, candidate, { memory, state, start }));
      start += bytesOfAll(candidate);
    }
  }
  return {
    kept,
    finish: () => {
      for (const finish of finishing) finish();
    },
  };
};

const alignment = 64;

const bytesOfAll = ({ bytes, loops }: Candidate): number =>
  Math.ceil((bytes * loops.reduce((product, { trips }) => product * trips, 1)) / alignment) * alignment;

/** The packing of an argument into its own panel; undefined for any other operation. */
const candidateOf = (
  rewriter: Rewriter,
  root: DraftOperation,
  operation: DraftOperation,
  parameters: ReadonlySet<number>,
): Candidate | undefined => {
  if (!pack.is(operation)) return undefined;
  const packing = packingView(operation);
  if (packing.margin !== undefined) return undefined;
  const parameter = bodyOf(root).arguments.findIndex(
    ({ id }) => id === bufferOf(rewriter, packing.source).id,
  );
  const { target: panel } = packing;
  const allocation = rewriter.definingOperation(panel);
  const { type } = panel;
  if (!parameters.has(parameter) || !isAllocation(allocation)) return undefined;
  if (!isStaticShape(type) || !isContiguous(type) || bitsOf(type.elementType) % 8 !== 0) return undefined;
  const isReadBehind = rewriter
    .users(panel)
    .every(
      (user) =>
        user === operation ||
        dealloc.is(user) ||
        (precedes(operation, user) && onlyReads(rewriter, user, panel)),
    );
  const needed = valuesBehind(rewriter, operation);
  const dependsOnOther =
    bodyOf(root).arguments.some(({ id }, i) => i !== parameter && needed.has(id)) ||
    [...needed.values()].some((value) => isLoaded(rewriter, value, operation));
  const loops = isReadBehind && !dependsOnOther ? loopsOf(rewriter, root, operation, needed) : undefined;
  return (
    loops && {
      packing: operation,
      parameter,
      panel,
      bytes: (elementCount(type.shape) * bitsOf(type.elementType)) / 8,
      loops,
    }
  );
};

const isAllocation = (operation: DraftOperation | undefined): boolean =>
  operation !== undefined && alloc.is(operation);

/** Whether an operation, or the users of the view that it creates, only read a buffer. */
const onlyReads = (rewriter: Rewriter, user: DraftOperation, buffer: Value): boolean => {
  if (modelOf(rewriter.registry, viewLike, user)?.source(user).id === buffer.id) {
    return user.results.every((part) =>
      rewriter.users(part).every((next) => onlyReads(rewriter, next, part)),
    );
  }
  const outputs = microkernel.is(user)
    ? [microkernel.operands(user).output]
    : pack.is(user)
      ? [pack.operands(user).target]
      : structured(rewriter.registry, user)?.outputs;
  return outputs?.every(({ id }) => id !== buffer.id) === true;
};

/** The loops around a packing on whose variables it depends, outermost first; undefined if one is not counted. */
const loopsOf = (
  rewriter: Rewriter,
  root: DraftOperation,
  packing: DraftOperation,
  needed: ReadonlyMap<Id, Value>,
): readonly CountedLoop[] | undefined => {
  const loops: CountedLoop[] = [];
  for (let at = packing.parent; at !== undefined && at !== root; at = at.parent) {
    const own = countedLoops(at, (bound) => indexNumber(rewriter, bound));
    if (own === undefined) return undefined;
    loops.unshift(...own.filter(({ variable }) => needed.has(variable.id)));
  }
  return loops;
};

/** All values that an operation transitively depends on, by id. */
const valuesBehind = (rewriter: Rewriter, operation: DraftOperation): ReadonlyMap<Id, Value> => {
  const seen = new Map<Id, Value>();
  const pending = rewriter.walk(operation).flatMap(({ operands }) => operands);
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (seen.has(value.id)) continue;
    seen.set(value.id, value);
    pending.push(...(rewriter.definingOperation(value)?.operands ?? []));
  }
  return seen;
};

/** Whether a value is a number loaded from memory before a packing: it may differ in the next call. */
const isLoaded = (rewriter: Rewriter, value: Value, packing: DraftOperation): boolean => {
  const definition = rewriter.definingOperation(value);
  return definition !== undefined && definition.parent !== packing && loadElement.is(definition);
};

/** Adds arguments to a function. */
const addArguments = <T extends readonly MemRefType['elementType'][]>(
  rewriter: Rewriter,
  operation: DraftOperation,
  types: readonly [...T],
): { readonly [K in keyof T]: Value } => {
  const { inputs, results } = functionTypeOf(operation.attributes['function_type'])!;
  rewriter.setAttribute(
    operation,
    'function_type',
    typeAttribute(functionType([...inputs, ...types], results)),
  );
  const entry: DraftBlock = bodyOf(operation);
  return types.map((type) => rewriter.addArgument(entry, type)) as { [K in keyof T]: Value };
};

interface Place {
  readonly memory: Value;
  readonly state: Value;
  /** Offset in bytes from the start of the memory. */
  readonly start: number;
}

/** Packs on demand; returns the function that redirects the readers. */
const keep = (rewriter: Rewriter, candidate: Candidate, { memory, state, start }: Place): (() => void) => {
  const { packing, panel } = candidate;
  rewriter.setInsertionPointBefore(packing);
  const b = builder(rewriter);
  const compared = (predicate: 'eq' | 'ne', value: number): Value => {
    const rhs: Value = b(constantOp, { value: integerAttribute(value, i32) });
    return b(cmpi, { predicate, lhs: state, rhs });
  };
  const own = (body: Builder): void => {
    body(yieldOp, { results: [panel] });
  };
  const shared = (body: Builder): void => {
    const byteShift = shiftOf(rewriter, candidate, start);
    const part: Value = body(view, { source: memory, byteShift }, { resultTypes: [panel.type] });
    body(yieldOp, { results: [part] });
  };
  const condition = compared('eq', keptState.none);
  const here: Value = b(
    ifOp,
    { condition },
    { resultTypes: [panel.type], bodies: [{ build: own }, { build: shared }] },
  )[0]!;
  const chosen = rewriter.definingOperation(here)!;
  b(
    ifOp,
    { condition: compared('ne', keptState.full) },
    {
      resultTypes: [],
      bodies: [
        {
          build: (body) => {
            body(yieldOp, {});
            rewriter.moveBefore(packing, rewriter.insertionBlock.last!);
          },
        },
        undefined,
      ],
    },
  );
  return () => {
    rewriter.replaceUsesIf(panel, here, (user) => !dealloc.is(user) && user.parent !== chosen);
  };
};

/** The byte offset of the panel of these iterations. */
const shiftOf = (rewriter: Rewriter, { bytes, loops }: Candidate, start: number): Value => {
  let position: AffineExpr = constant(0);
  loops.forEach(({ lower, step, trips }, i) => {
    position = add(mul(position, trips), floorDiv(sub(dim(i), lower), step));
  });
  const shift = add(mul(position, bytes), start);
  return applyComposed(
    rewriter,
    makeMap(loops.length, 0, [shift]),
    loops.map(({ variable }) => variable),
  );
};

/** Whether the packings of a function can be kept: it has a single-block body, and no callers in the module. */
export const mayKeepPackings = (operation: DraftOperation, calls: ReadonlySet<string>): boolean => {
  const { sym_name: name } = operation.attributes;
  return (
    funcOp.is(operation) &&
    operation.regions[0]?.blocks.length === 1 &&
    name?.kind === 'string' &&
    !calls.has(name.value)
  );
};
