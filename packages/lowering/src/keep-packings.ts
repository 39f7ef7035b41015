/**
 * Packings of arguments that stay from one call to the next, weights above all: static packing (SC §3, §6.3).
 *
 *     func @f(%w: memref<…>) {           func @f(%w: memref<…>, %kept: memref<Nxi8>, %state: i32) {
 *       %panel = memref.alloc()            %panel = memref.alloc()
 *       scf.for %i … {                     scf.for %i … {
 *         kernel.pack %w, %panel …    →      %here = scf.if %state == 0 { %panel } else { memref.view %kept[%i] }
 *         … %panel …                         scf.if %state != 2 { kernel.pack %w, %here … }
 *       }                                    … %here …
 *     }                                  } }
 */
import type { AffineExpr } from '@sconv/affine';
import { add, constant, dim, floorDiv, makeMap, mul, sub } from '@sconv/affine';
import { addFunctionArguments, applyComposed, createIndex } from '@sconv/dialects';
import { cmpi, constant as constantOp } from '@sconv/dialects/arith';
import { call, funcOp } from '@sconv/dialects/func';
import { packingView } from '@sconv/dialects/kernel';
import { alloca, dealloc, reinterpretCast, view } from '@sconv/dialects/memref';
import { ifOp, yieldOp } from '@sconv/dialects/scf';
import type { Keeping, KeptPacking, KeptPackings, Source } from '@sconv/kernels';
import type { Builder, DraftOperation, Rewriter, Type, Value } from '@sconv/ir';
import {
  bodyOf,
  builder,
  i32,
  integerAttribute,
  integerType,
  memrefType,
  precedes,
  symbolNameOf,
} from '@sconv/ir';
import { keptState } from './kept-state.ts';
import { bitsOf } from './vector-unit.ts';

/** An argument whose packings may be kept, and their size in bytes. */
export interface KeptArgument {
  readonly parameter: number;
  readonly bytes: number;
}

/** The result; `finish` is called once the packings are lowered. */
export interface KeptArguments {
  /** In the order of the arguments; each adds two to the function's own: memory and state. */
  readonly kept: readonly KeptArgument[];
  /** Redirects the readers of the panels to the kept memory; call it after packings and microkernels are lowered. */
  readonly finish: () => void;
}

/** The alignment of places, in bytes: that of a line. */
const placeAlignment = 64;

/**
 * What native code keeps, for `keptPackings` of `@sconv/kernels`: no packing with padding, as inputs have that, and
 * none whose panel is read before it is packed. No weights need more memory than 2 GiB.
 */
export const nativeKeeping = (rewriter: Rewriter): Keeping => ({
  elementBytes,
  alignment: placeAlignment,
  largestBytes: 2 ** 31,
  mayMove: (packing) => mayMove(rewriter, rewriter.find(packing)),
});

/** Bytes of an element in memory; undefined for one that shares a byte with others. */
const elementBytes = (type: Type): number | undefined =>
  bitsOf(type) % 8 === 0 ? bitsOf(type) / 8 : undefined;

/** By function: what it keeps of its arguments. */
type KeptByFunction = ReadonlyMap<string, Pick<KeptArguments, 'kept'>>;

/**
 * Prepares a function to keep the packings that were found of these arguments, which it must not write, and to pass
 * memory on to the functions that it calls.
 */
export const keepPackings = (
  rewriter: Rewriter,
  operation: DraftOperation,
  parameters: ReadonlySet<number>,
  { packings, calls, bytes }: Pick<KeptPackings, 'packings' | 'calls' | 'bytes'>,
  callees: KeptByFunction = new Map(),
): KeptArguments => {
  const kept: KeptArgument[] = [];
  const finishing: (() => void)[] = [];
  const places = new Map<Source, Place>();
  for (const parameter of [...parameters].sort((a, b) => a - b)) {
    const own = packings.filter((each) => each.source === parameter);
    const total = Math.ceil((bytes.get(parameter) ?? 0) / placeAlignment) * placeAlignment;
    const isPassedOn = calls.some(({ source }) => source === parameter);
    if (own.length === 0 && !isPassedOn) continue;
    kept.push({ parameter, bytes: total });
    const [memory, state] = addFunctionArguments(rewriter, operation, [
      memrefType([total], integerType(8)),
      i32,
    ]);
    places.set(parameter, { memory, state });
    for (const each of own) finishing.push(keep(rewriter, each, { memory, state }));
  }
  passMemory(rewriter, operation, callees, (each, parameter) => {
    const found = calls.find((known) => known.call.id === each.id && known.parameter === parameter);
    const place = found && places.get(found.source);
    return place && { place, offset: found.offset };
  });
  return {
    kept,
    finish: () => {
      for (const finish of finishing) finish();
    },
  };
};

/**
 * Has the calls in a function pass memory for the packings that their callees keep: a part of the caller's own, if that
 * is known, else none, so that they pack each time.
 */
export const passMemory = (
  rewriter: Rewriter,
  operation: DraftOperation,
  callees: KeptByFunction,
  placeOf: (
    call: DraftOperation,
    parameter: number,
  ) => { readonly place: Place; readonly offset: number } | undefined = () => undefined,
): void => {
  let nothing: Value | undefined;
  for (const each of rewriter.walk(operation)) {
    const { kept } = (call.is(each) ? callees.get(call.attributes(each).callee) : undefined) ?? { kept: [] };
    const places = kept.flatMap(({ parameter, bytes }) => {
      const found = placeOf(each, parameter);
      rewriter.setInsertionPointBefore(each);
      const b = builder(rewriter);
      const type = memrefType([bytes], integerType(8));
      if (found !== undefined) {
        const { place, offset } = found;
        const byteShift = createIndex(rewriter, offset);
        const memory: Value = b(view, { source: place.memory, byteShift }, { resultTypes: [type] });
        return [memory, place.state];
      }
      // Without memory behind it: nobody looks.
      nothing ??= rewriter.scoped(() => {
        rewriter.setInsertionPointToStart(bodyOf(operation));
        return builder(rewriter)(alloca, {}, { resultTypes: [memrefType([1], integerType(8))] });
      });
      const shape = { staticOffsets: [0], staticSizes: [bytes], staticStrides: [1] };
      const memory: Value = b(reinterpretCast, { source: nothing, ...shape }, { resultTypes: [type] });
      const state: Value = b(constantOp, { value: integerAttribute(keptState.none, i32) });
      return [memory, state];
    });
    if (places.length > 0) rewriter.setOperands(each, [...each.operands, ...places]);
  }
};

const mayMove = (rewriter: Rewriter, packing: DraftOperation): boolean => {
  const { target, margin } = packingView(packing);
  const users = rewriter.users(target).filter((user) => user !== packing && !dealloc.is(user));
  return margin === undefined && users.every((user) => precedes(packing, user));
};

/** Arguments of the function. */
interface Place {
  readonly memory: Value;
  readonly state: Value;
}

/** Packs on demand; returns the function that redirects the readers. */
const keep = (rewriter: Rewriter, found: KeptPacking, { memory, state }: Place): (() => void) => {
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
const shiftOf = (rewriter: Rewriter, { loops, offset }: KeptPacking): Value => {
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

/**
 * Whether the packings of a function can be kept: it has a single-block body, and is none of those whose arguments must
 * stay as they are.
 */
export const mayKeepPackings = (operation: DraftOperation, fixed: ReadonlySet<string>): boolean => {
  const name = symbolNameOf(operation);
  return (
    funcOp.is(operation) &&
    operation.regions[0]?.blocks.length === 1 &&
    name !== undefined &&
    !fixed.has(name)
  );
};
