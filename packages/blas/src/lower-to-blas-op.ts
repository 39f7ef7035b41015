/**
 * Lowers a microkernel on buffers to a call of a BLAS library's microkernel (ST §5.6, step 5b), such as OpenBLAS's
 *
 *     int sgemm_kernel_HASWELL(long m, long n, long k, float alpha, float *a, float *b, float *c, long ldc);
 *
 * which adds `alpha · Σ_p a[p][i] · b[p][j]` to `c[i + j · ldc]`. m counts windows, n filters, and k channels times
 * the size of a filter; `ldc` is the output's filter stride. A `long` has 64 bits.
 *
 *     linalg.generic                               %a = llvm.inttoptr … address of %windows …
 *       ins(%windows : memref<1x18x8xf32>,         %b = llvm.inttoptr … address of %filters …
 *           %filters : memref<18x2xf32>)      →    %c = llvm.inttoptr … address of %out …
 *       outs(%out : memref<1x2x8xf32,              func.call @sgemm_kernel_HASWELL(8, 2, 18, 1.0, %a, %b, %c, 30)
 *         strided<[120, 30, 1]>>)
 *       attrs = {microkernel} { … }
 *
 * @deviation ST does not check strides, and packs a tile as one panel for any kernel. Here the kernel's assumptions are
 * proved from the types, or refused: unit stride along the output's windows, and operands packed in its panels.
 */
import { symbol } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, silenceableError, success, warning } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import { applyExpression, createIndex, indexValue, tryAffine } from '@sconv/dialects';
import { constant, indexCast } from '@sconv/dialects/arith';
import { call } from '@sconv/dialects/func';
import { inttoptr, llvmPointer } from '@sconv/dialects/llvm';
import {
  extractAlignedPointerAsIndex,
  extractStridedMetadata,
  stridedLayoutOf,
} from '@sconv/dialects/memref';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import type { DraftOperation, MemRefType, Rewriter, Value } from '@sconv/ir';
import { DYNAMIC, floatAttribute, i32, i64, indexType, integerAttribute, printType } from '@sconv/ir';
import { openblasPanels, panelWidth } from '@sconv/targets';
import { declareFunction } from './declare-function.ts';
import { kernelType } from './kernel-type.ts';
import type { PackedTile } from './packed-tile.ts';
import { packedTile } from './packed-tile.ts';

/** The kernel's panel widths, UNROLL_M and UNROLL_N in OpenBLAS. */
export interface KernelPanels {
  readonly windows: number;
  readonly filters: number;
}

/** The function to call, and what it takes. */
export interface LowerToBlasOptions {
  /** The function's name: `sgemm_kernel_HASWELL`. */
  readonly symbol: string;
  /** Default: those of the OpenBLAS kernel with this name; for other names those of the tile, with a warning. */
  readonly panels?: KernelPanels | undefined;
}

/**
 * Replaces a microkernel on buffers by a call of `symbol`, in a loop if the tile has several images, and declares the
 * function. Returns the `func.call`.
 *
 * Fails as `packedTile` does; with `lower-to-blas/arithmetic` for an address that cannot be computed exactly; with
 * `lower-to-blas/element-type` for an OpenBLAS kernel of another element type, with `lower-to-blas/panels` if the
 * tile's panels are not the kernel's, and with `lower-to-blas/symbol` if something else has the function's name.
 */
export const lowerToBlasOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  options: LowerToBlasOptions,
): Diagnosed<DraftOperation> => {
  const found = packedTile(rewriter, operation);
  if (found.status !== 'success') return found;
  const tile = found.value;
  const checked = checkPanels(operation, tile, options);
  if (checked.status !== 'success') return checked;
  const declared = declareFunction(rewriter, operation, options.symbol, kernelType(tile.elementType));
  if (declared.status !== 'success') return declared;
  rewriter.setInsertionPointBefore(operation);
  const called = tryAffine(operation, 'lower-to-blas/arithmetic', () =>
    callForImages(rewriter, tile, options.symbol, operation),
  );
  return andThen(called, (made) => {
    rewriter.replaceOperation(operation, [], [made]);
    return success(made, checked.diagnostics);
  });
};

/** Whether the function accepts the tile's elements and panels. */
const checkPanels = (
  operation: DraftOperation,
  tile: PackedTile,
  { symbol: name, panels }: LowerToBlasOptions,
): Diagnosed<undefined> => {
  const known = openblasPanels(name);
  const element = printType(tile.elementType);
  if (known !== undefined && known.elementType !== element) {
    return silenceableError(
      'lower-to-blas/element-type',
      `'${name}' is a kernel for ${known.elementType}, and the tile has elements of ${element}`,
      operation,
    );
  }
  const wanted = panels ?? known;
  if (wanted === undefined) {
    const message =
      `the panels of '${name}' are not known: it is called with windows in panels of ${tile.panels.windows} ` +
      `and filters in panels of ${tile.panels.filters}; say what it takes with 'panels'`;
    return success(undefined, [warning('lower-to-blas/unknown-panels', message, operation.location)]);
  }
  const differing = (['windows', 'filters'] as const).filter(
    (role) => panelWidth(tile[role], wanted[role]) !== tile.panels[role],
  );
  if (differing.length === 0) return success(undefined);
  const clauses = differing.map(
    (role) =>
      `${role} in panels of ${takenWidths(tile[role], wanted[role]).join(', then ')}, and the tile ` +
      `has its ${tile[role]} in ${panelsText(tile[role], tile.panels[role])}`,
  );
  return silenceableError('lower-to-blas/panels', `'${name}' takes ${clauses.join('; ')}`, operation);
};

const panelsText = (size: number, width: number): string =>
  size === width ? `one of ${width}` : `panels of ${width}`;

/** The distinct widths of the panels in which a kernel takes `size` rows: 24 by 16 gives 16, then 8. */
const takenWidths = (size: number, unroll: number): readonly number[] => {
  const widths: number[] = [];
  let rest = size;
  for (let width = unroll; width >= 1 && rest > 0; width = Math.floor(width / 2)) {
    if (rest >= width) widths.push(width);
    rest %= width;
  }
  return widths;
};

const callForImages = (
  rewriter: Rewriter,
  tile: PackedTile,
  name: string,
  { location }: DraftOperation,
): DraftOperation => {
  if (tile.images === 1) return createCall(rewriter, tile, name, 0, location);
  let made: DraftOperation | undefined;
  const [lowerBound, upperBound, step] = [0, tile.images, 1].map((each) => createIndex(rewriter, each)) as [
    Value,
    Value,
    Value,
  ];
  rewriter.create(
    forOp.state<Rewriter>({
      operands: { lowerBound, upperBound, step, initArgs: [] },
      resultTypes: [],
      location,
      bodies: [
        {
          argumentTypes: [indexType],
          build: (body, image) => {
            made = createCall(body, tile, name, image, location);
            body.create(yieldOp.state({ operands: { results: [] } }));
          },
        },
      ],
    }),
  );
  return made!;
};

/** The call for one image of the tile. */
const createCall = (
  rewriter: Rewriter,
  tile: PackedTile,
  name: string,
  image: MixedIndex,
  location: DraftOperation['location'],
): DraftOperation => {
  const { windowPanel, filterPanel, output, windows, filters, steps, elementType } = tile;
  const number = (value: number): Value =>
    rewriter.createValue(constant.state({ attributes: { value: integerAttribute(value, i64) } }));
  const [m, n, k] = [number(windows), number(filters), number(steps)];
  const alpha = rewriter.createValue(
    constant.state({ attributes: { value: floatAttribute(1, elementType) } }),
  );
  const imageStride = tile.images === 1 ? [] : [0];
  const a = partsOf(rewriter, windowPanel, imageStride);
  const b = partsOf(rewriter, filterPanel, []);
  const c = partsOf(rewriter, output, [...imageStride, 1]);
  const ldc = c.strides[1]!;
  const operands = [
    ...[m, n, k, alpha],
    pointerTo(rewriter, windowPanel, a, image),
    pointerTo(rewriter, filterPanel, b, 0),
    pointerTo(rewriter, output, c, image),
    typeof ldc === 'number' ? number(ldc) : asI64(rewriter, ldc),
  ];
  return rewriter.create(
    call.state({ operands: { operands }, attributes: { callee: name }, resultTypes: [i32], location }),
  );
};

interface BufferParts {
  readonly offset: MixedIndex;
  /** Those requested. */
  readonly strides: readonly MixedIndex[];
}

/** The offset and the `used` strides of a buffer, in elements: from its metadata if not static in the type. */
const partsOf = (rewriter: Rewriter, buffer: Value<MemRefType>, used: readonly number[]): BufferParts => {
  const { offset, strides } = stridedLayoutOf(buffer.type)!;
  if (![offset, ...used.map((dimension) => strides[dimension])].includes(DYNAMIC)) return { offset, strides };
  const metadata = extractStridedMetadata.results(
    rewriter.create(extractStridedMetadata.state({ operands: { source: buffer } })),
  );
  return {
    offset: offset === DYNAMIC ? metadata.offset : offset,
    strides: strides.map((stride, i) => (stride === DYNAMIC ? metadata.strides[i]! : stride)),
  };
};

const bytesOf = { f32: 4, f64: 8 } as const;

/** The address of an image's first element in a buffer. */
const pointerTo = (
  rewriter: Rewriter,
  buffer: Value<MemRefType>,
  { offset, strides }: BufferParts,
  image: MixedIndex,
): Value => {
  const bytes = bytesOf[printType(buffer.type.elementType) as keyof typeof bytesOf];
  const start = rewriter.createValue(
    extractAlignedPointerAsIndex.state({ operands: { source: buffer }, resultTypes: [indexType] }),
  );
  const address = symbol(0).add(
    symbol(1)
      .add(symbol(2).mul(symbol(3)))
      .mul(bytes),
  );
  const at = applyExpression(rewriter, address, [start, offset, image, image === 0 ? 0 : strides[0]!]);
  return rewriter.createValue(
    inttoptr.state({
      operands: { arg: asI64(rewriter, indexValue(rewriter, at)) },
      resultTypes: [llvmPointer],
    }),
  );
};

const asI64 = (rewriter: Rewriter, value: Value): Value =>
  rewriter.createValue(indexCast.state({ operands: { in: value }, resultTypes: [i64] }));
