/** A microkernel on buffers as a BLAS library sees it: packed operands, an output, and sizes. */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { mayShareMemory } from '@sconv/dialects';
import type { PanelProduct } from '@sconv/dialects/linalg';
import { panelProduct } from '@sconv/dialects/linalg';
import { stridedLayoutOf } from '@sconv/dialects/memref';
import type { DraftOperation, FloatType, MemRefType, Rewriter } from '@sconv/ir';
import { DYNAMIC, printType } from '@sconv/ir';

/** Sums of products whose panels and output all BLAS kernels can take, of static sizes. */
export interface PackedTile extends Omit<PanelProduct, 'widths' | 'halves'> {
  /** The widths of the panels, in elements. */
  readonly panels: { readonly windows: number; readonly filters: number };
  /** `f32` or `f64`. */
  readonly elementType: FloatType;
}

/**
 * Operands and sizes of a microkernel, with all kernel assumptions proved. Fails with
 *
 * - `lower-to-blas/no-microkernel` for an op that is not a microkernel, has dynamic sizes, or is not on buffers in the
 *   default memory space;
 * - `lower-to-blas/element-type` for elements other than f32 and f64;
 * - `lower-to-blas/window-stride` if unit stride along the output's windows is not provable;
 * - `lower-to-blas/filter-stride` if its filters overlap;
 * - `lower-to-blas/panel-layout` if the operands' panels are not provably contiguous;
 * - `lower-to-blas/shared-memory` if the output may alias a panel.
 */
export const packedTile = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<PackedTile> => {
  const fail = (code: string, message: string) => silenceableError(code, message, operation);
  const noMicrokernel = (reason: string) =>
    fail('lower-to-blas/no-microkernel', `expected a microkernel: ${reason}`);
  const found = panelProduct(rewriter.registry, operation);
  if (typeof found === 'string') return noMicrokernel(found);
  const { widths, halves: _, ...product } = found;
  const { windowPanel, filterPanel, output, images, filters, windows, steps } = product;
  if ([windowPanel, filterPanel, output].some(({ type }) => type.memorySpace !== undefined))
    return noMicrokernel('an operand is not in the default memory');
  const sizes = [images, filters, windows, steps];
  if (sizes.some((size) => size === DYNAMIC || size === 0))
    return noMicrokernel(`its tile of ${sizes.map(sizeText).join(' x ')} has no static size`);

  const { elementType } = output.type;
  if (elementType.kind !== 'float' || (elementType.name !== 'f32' && elementType.name !== 'f64')) {
    const message = `a BLAS library has kernels for f32 and f64, not for ${printType(elementType)}`;
    return fail('lower-to-blas/element-type', message);
  }

  const strides = stridedLayoutOf(output.type)?.strides;
  const [, ldc, stride] = strides ?? [DYNAMIC, DYNAMIC, DYNAMIC];
  if (windows > 1 && stride !== 1) {
    const message =
      `the kernel writes contiguous windows, but their stride is ${sizeText(stride!)} in ` +
      `'${printType(output.type)}'`;
    return fail('lower-to-blas/window-stride', message);
  }
  if (filters > 1 && ldc !== DYNAMIC && ldc! < windows) {
    const message =
      `${windows} windows of a filter overlap the next filter, which starts ${ldc} elements later in ` +
      `'${printType(output.type)}'`;
    return fail('lower-to-blas/filter-stride', message);
  }
  for (const [value, first] of [
    [windowPanel, 1],
    [filterPanel, 0],
  ] as const) {
    if (isContiguousFrom(value.type, first)) continue;
    const message = `the kernel takes contiguous panels, which '${printType(value.type)}' does not guarantee`;
    return fail('lower-to-blas/panel-layout', message);
  }
  if ([windowPanel, filterPanel].some((panel) => mayShareMemory(rewriter, panel, output)))
    return fail(
      'lower-to-blas/shared-memory',
      'the output may share memory with a panel; arguments are apart where they have the attribute llvm.noalias',
    );
  return success({
    ...product,
    panels: { windows: widths.windows ?? windows, filters: widths.filters ?? filters },
    elementType,
  });
};

const sizeText = (size: number): string => (size === DYNAMIC ? '?' : String(size));

/** Whether the dimensions from `first` on are row-major and contiguous; strides of unit dimensions are irrelevant. */
const isContiguousFrom = (type: MemRefType, first: number): boolean => {
  const strides = stridedLayoutOf(type)?.strides;
  let next = 1;
  for (let i = type.shape.length - 1; i >= first; i--) {
    const size = type.shape[i]!;
    if (size !== 1 && strides?.[i] !== next) return false;
    next *= size;
  }
  return true;
};
