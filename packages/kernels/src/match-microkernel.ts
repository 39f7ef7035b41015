/** Recognises the sums of products of panels that a microkernel computes. */
import { inferCollapsedType, mayShareMemory } from '@sconv/dialects';
import type { Microkernel } from '@sconv/dialects/kernel';
import { panelProduct } from '@sconv/dialects/linalg';
import { stridedLayoutOf } from '@sconv/dialects/memref';
import type { DraftOperation, Id, MemRefType, Rewriter } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';

/**
 * The microkernel that a `linalg.generic` is, or why it is none; without what its sums start with, and in one register
 * tile.
 */
export const matchMicrokernel = (
  rewriter: Rewriter,
  operation: DraftOperation,
  apart: ReadonlySet<Id>,
): Microkernel | string => {
  const found = panelProduct(rewriter.registry, operation);
  if (typeof found === 'string') return found;
  const { widths, ...product } = found;
  const { windowPanel, filterPanel, output, filters, windows, halves } = product;
  if (widths.windows !== undefined || widths.filters !== undefined)
    return "its operands are in several panels, which only a library's kernels take";
  const arePanelsDense =
    halves === 2
      ? isDense(flatType(windowPanel.type), 2) && isDense(flatType(filterPanel.type), 1)
      : isDense(windowPanel.type, 2);
  if (!arePanelsDense || !isDense(output.type, 2)) return 'its innermost elements are not contiguous';
  if (filters === DYNAMIC || windows === DYNAMIC) return 'its tile has no static size';
  // Sums stay in registers until all are complete.
  if ([windowPanel, filterPanel].some((panel) => mayShareMemory(rewriter, panel, output, apart)))
    return 'its output may share memory with a panel';
  return {
    ...product,
    start: undefined,
    lanes: 'windows',
    tiles: [{ firstWindow: 0, windows, firstFilter: 0, filters }],
  };
};

/** The type of a panel of pairs whose halves are in one dimension; undefined if they are not contiguous. */
const flatType = (type: MemRefType): MemRefType | undefined => {
  const last = type.shape.length - 1;
  return inferCollapsedType(type, [...type.shape.slice(0, -2).map((_, i) => [i]), [last - 1, last]]);
};

/** Whether a dimension is contiguous; the stride of a single element is irrelevant. */
const isDense = (type: MemRefType | undefined, dimension: number): boolean =>
  type !== undefined && (type.shape[dimension] === 1 || stridedLayoutOf(type)?.strides[dimension] === 1);
