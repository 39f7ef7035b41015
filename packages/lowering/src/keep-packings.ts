/**
 * Packings of arguments that stay from one call to the next, weights above all: static packing (SC §3, §6.3).
 *
 *     func @f(%w: memref<…>) {             func @f(%w: memref<…>, %kept: memref<Nxi8>, %state: i32) {
 *       %panel = memref.alloc()                %panel = memref.alloc()
 *       scf.for %i … {                         scf.for %i … {
 *         kernel.pack %w, %panel …     →       %here = scf.if %state == 0 { %panel } else { memref.view %kept[…%i…] }
 *         … %panel …                             scf.if %state != 2 { kernel.pack %w, %here … }
 *       }                                        … %here …
 *     }                                    } }
 */
import type { AffineExpr } from '@sconv/affine';
import { add, constant, dim, floorDiv, makeMap, mul, sub } from '@sconv/affine';
import type { CountedLoop } from '@sconv/dialects';
import { applyComposed } from '@sconv/dialects';
import { cmpi, constant as constantOp } from '@sconv/dialects/arith';
import { funcOp } from '@sconv/dialects/func';
import { packingView } from '@sconv/dialects/kernel';
import { dealloc, view } from '@sconv/dialects/memref';
import { ifOp, yieldOp } from '@sconv/dialects/scf';
import type {
  Builder,
  DraftBlock,
  DraftOperation,
  MemRefType,
  Operation,
  Rewriter,
  Type,
  Value,
} from '@sconv/ir';
import {
  bodyOf,
  builder,
  functionType,
  functionTypeOf,
  i32,
  integerAttribute,
  integerType,
  memrefType,
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

/** The result; `finish` is called once the packings are lowered. */
export interface KeptPackings {
  /** In the order of the arguments; each adds two to the function's own: memory and state. */
  readonly kept: readonly KeptPacking[];
  /** Redirects the readers of the panels to the kept memory; call it after packings and microkernels are lowered. */
  readonly finish: () => void;
}

/** A packing whose result can be kept, as `keptPackings` of `@sconv/kernels` finds it. */
export interface FoundPacking {
  /** The position of the argument. */
  readonly source: number | 'constants';
  readonly packing: Operation;
  /** Byte offset of the first iteration's place, a multiple of `placeAlignment`. */
  readonly offset: number;
  /** The loops around that it depends on, outermost first, with the bytes between the places of their iterations. */
  readonly loops: readonly (CountedLoop & { readonly bytes: number })[];
}

/** The packings that can be kept, and the bytes of all places by source. */
export interface FoundPackings {
  readonly packings: readonly FoundPacking[];
  readonly bytes: ReadonlyMap<number | 'constants', number>;
}

/** The alignment of places, in bytes: that of a line. */
export const placeAlignment = 64;

/** Bytes of an element in memory; undefined for one that shares a byte with others. */
export const elementBytes = (type: Type): number | undefined =>
  bitsOf(type) % 8 === 0 ? bitsOf(type) / 8 : undefined;

/** No weights need more memory than this. */
const maximumBytes = 2 ** 31;

/**
 * Prepares a function to keep the packings that were found of these arguments, which it must not write. One with
 * padding is skipped, as inputs have that, and one whose panel is read before it is packed.
 */
export const keepPackings = (
  rewriter: Rewriter,
  operation: DraftOperation,
  parameters: ReadonlySet<number>,
  { packings, bytes }: FoundPackings,
): KeptPackings => {
  const kept: KeptPacking[] = [];
  const finishing: (() => void)[] = [];
  for (const parameter of [...parameters].sort((a, b) => a - b)) {
    const own = packings.filter((each) => each.source === parameter && mayMove(rewriter, each));
    const total = Math.ceil((bytes.get(parameter) ?? 0) / placeAlignment) * placeAlignment;
    if (own.length === 0 || total > maximumBytes) continue;
    kept.push({ parameter, bytes: total });
    const [memory, state] = addArguments(rewriter, operation, [memrefType([total], integerType(8)), i32]);
    for (const each of own) finishing.push(keep(rewriter, each, { memory, state }));
  }
  return {
    kept,
    finish: () => {
      for (const finish of finishing) finish();
    },
  };
};

const mayMove = (rewriter: Rewriter, found: FoundPacking): boolean => {
  const packing = rewriter.find(found.packing);
  const { target, margin } = packingView(packing);
  const users = rewriter.users(target).filter((user) => user !== packing && !dealloc.is(user));
  return margin === undefined && users.every((user) => precedes(packing, user));
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

/** Arguments of the function. */
interface Place {
  readonly memory: Value;
  readonly state: Value;
}

/** Packs on demand; returns the function that redirects the readers. */
const keep = (rewriter: Rewriter, found: FoundPacking, { memory, state }: Place): (() => void) => {
  const packing = rewriter.find(found.packing);
  const panel = packingView(packing).target;
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
    const byteShift = shiftOf(rewriter, found);
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
const shiftOf = (rewriter: Rewriter, { loops, offset }: FoundPacking): Value => {
  const position = loops.reduce<AffineExpr>(
    (outer, { lower, step, trips }, i) => add(mul(outer, trips), floorDiv(sub(dim(i), lower), step)),
    constant(0),
  );
  const shift = add(mul(position, loops.at(-1)?.bytes ?? 0), offset);
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
