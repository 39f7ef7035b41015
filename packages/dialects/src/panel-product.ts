/** Recognises sums of products of packed panels, which a microkernel computes, by maps, body and buffers (ST §5.4). */
import type { MemRefType, Operation, Registry, Value } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import { structured } from './linalg-view.ts';
import type { PanelWidths } from './multiply-add.ts';
import {
  arePairedMicrokernelMaps,
  isMultiplyAdd,
  isWideningMultiplyAdd,
  panelWidths,
} from './multiply-add.ts';
import { isBufferValue } from './tensor-value.ts';

/** Operands and sizes of such sums; a size may be `DYNAMIC`. */
export interface PanelProduct {
  /** `image × k × window`, or `image × panel × k × lane`; with pairs another dimension of 2. */
  readonly windowPanel: Value<MemRefType>;
  /** `k × filter`, or `panel × k × lane`; with pairs another dimension of 2. */
  readonly filterPanel: Value<MemRefType>;
  /** `image × filter × window`. */
  readonly output: Value<MemRefType>;
  readonly images: number;
  readonly filters: number;
  readonly windows: number;
  readonly steps: number;
  /** The widths of several panels; undefined of an operand in one. */
  readonly widths: PanelWidths;
  /** Elements of a window or a filter per step, adjacent: 2 of i16 in paired steps, else 1. */
  readonly halves: 1 | 2;
}

const otherMaps =
  'its indexing maps are not those of packed panels, (n, f, w, k) -> (n, k, w), (k, f), (n, f, w): pack it first, as ' +
  'transform.structured.sconv does; a matrix product is a 1x1 convolution';

/**
 * The sums of products that an operation is, or why it is none, as part of a sentence. Whether the output shares memory
 * with a panel, and how the buffers are laid out, is left to who computes them.
 */
export const panelProduct = (registry: Registry, operation: Operation): PanelProduct | string => {
  const op = structured(registry, operation);
  if (op === undefined) return `'${operation.name}' is not a structured op`;
  const { inputs, outputs, indexingMaps, loopRanges, body } = op;
  const isPaired = arePairedMicrokernelMaps(indexingMaps);
  const widths = isPaired ? {} : panelWidths(indexingMaps);
  if (widths === undefined || inputs.length !== 2) return otherMaps;
  if (body === undefined || !(isPaired ? isWideningMultiplyAdd(body) : isMultiplyAdd(body)))
    return 'its body is not a multiplication and an addition';
  const [windowPanel, filterPanel, output] = [...inputs, ...outputs].filter(isBufferValue);
  if (windowPanel === undefined || filterPanel === undefined || output === undefined)
    return 'an operand is not a buffer';
  const [images = DYNAMIC, filters = DYNAMIC, windows = DYNAMIC, steps = DYNAMIC] = loopRanges;
  const halves = isPaired ? 2 : 1;
  return { windowPanel, filterPanel, output, images, filters, windows, steps, widths, halves };
};
