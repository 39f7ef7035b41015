/** Recognises microkernels by their maps, body and buffers. */
import { mayShareMemory } from '@sconv/dialects';
import type { Microkernel } from '@sconv/dialects/kernel';
import {
  areMicrokernelMaps,
  arePairedMicrokernelMaps,
  genericView,
  isMultiplyAdd,
  isWideningMultiplyAdd,
} from '@sconv/dialects/linalg';
import { inferCollapsedType } from '@sconv/dialects';
import { stridedLayoutOf } from '@sconv/dialects/memref';
import type { DraftOperation, Id, MemRefType, Rewriter, Value } from '@sconv/ir';
import { bodyOf, DYNAMIC } from '@sconv/ir';

/**
 * The microkernel that a `linalg.generic` is, or why it is none; without what its sums start with, and in one register
 * tile.
 */
export const matchMicrokernel = (
  rewriter: Rewriter,
  operation: DraftOperation,
  apart: ReadonlySet<Id>,
): Microkernel | string => {
  const { inputs, outputs, indexingMaps, loopRanges } = genericView(operation);
  const isPaired = arePairedMicrokernelMaps(indexingMaps);
  if (inputs.length !== 2 || !(isPaired || areMicrokernelMaps(indexingMaps)))
    return 'its indexing maps are others';
  const body = bodyOf(operation);
  if (!(isPaired ? isWideningMultiplyAdd(body) : isMultiplyAdd(body)))
    return 'its body is not a multiplication and an addition';
  const buffers = [...inputs, ...outputs].filter(isBuffer);
  const [windowPanel, filterPanel, output] = buffers;
  if (windowPanel === undefined || filterPanel === undefined || output === undefined)
    return 'an operand is not a buffer';
  const arePanelsDense = isPaired
    ? isDense(flatType(windowPanel.type), 2) && isDense(flatType(filterPanel.type), 1)
    : isDense(windowPanel.type, 2);
  if (!arePanelsDense || !isDense(output.type, 2)) return 'its innermost elements are not contiguous';
  const [images, filters, windows, steps] = loopRanges as [number, number, number, number];
  if (filters === DYNAMIC || windows === DYNAMIC) return 'its tile has no static size';
  // Sums stay in registers until all are complete.
  if ([windowPanel, filterPanel].some((panel) => mayShareMemory(rewriter, panel, output, apart)))
    return 'its output may share memory with a panel';
  return {
    windowPanel,
    filterPanel,
    output,
    images,
    filters,
    windows,
    steps,
    halves: isPaired ? 2 : 1,
    start: undefined,
    lanes: 'windows',
    tiles: [{ firstWindow: 0, windows, firstFilter: 0, filters }],
  };
};

const isBuffer = (value: Value): value is Value<MemRefType> => value.type.kind === 'memref';

/** The type of a panel of pairs whose halves are in one dimension; undefined if they are not contiguous. */
const flatType = (type: MemRefType): MemRefType | undefined => {
  const last = type.shape.length - 1;
  return inferCollapsedType(type, [...type.shape.slice(0, -2).map((_, i) => [i]), [last - 1, last]]);
};

/** Whether a dimension is contiguous; the stride of a single element is irrelevant. */
const isDense = (type: MemRefType | undefined, dimension: number): boolean =>
  type !== undefined && (type.shape[dimension] === 1 || stridedLayoutOf(type)?.strides[dimension] === 1);
