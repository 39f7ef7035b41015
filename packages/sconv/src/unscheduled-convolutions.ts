/** Convolutions compiled as written, because no schedule has touched them. */
import type { Diagnostic } from '@sconv/diagnostics';
import { warning } from '@sconv/diagnostics';
import type { Module, Operation } from '@sconv/ir';
import { walk } from '@sconv/ir';
import { convolutionNames, slicedAs } from '@sconv/slicing';
import { whyNotSliced } from './target-schedule.ts';

/** Depthwise ones are left to the backends, which have a kernel for them. */
const isConvolution = ({ name }: Operation): boolean => name.startsWith('linalg.conv_');

/** Why the target's schedule, or another one, skipped this operation. */
const reason = (operation: Operation, hasSchedule: boolean): string => {
  if (hasSchedule) return 'no transform of the schedule changed it';
  if (slicedAs(operation) === undefined) return `only ${convolutionNames.join(', ')} are sliced`;
  if (operation.results.length === 0) return 'it works on buffers, and only ops on tensors are sliced';
  return whyNotSliced(operation) ?? 'no transform changed it';
};

/**
 * A warning `sconv/unscheduled` for each convolution of the payload that the schedule left unchanged; `hasSchedule`: it
 * is not the target's own.
 */
export const unscheduledConvolutions = (
  payload: Module,
  after: Module,
  hasSchedule: boolean,
): readonly Diagnostic[] => {
  const left = new Map([...walk(after.root)].map((operation) => [operation.id, operation]));
  return [...walk(payload.root)]
    .filter((operation) => isConvolution(operation) && left.get(operation.id)?.name === operation.name)
    .map((operation) =>
      warning(
        'sconv/unscheduled',
        `this ${operation.name} runs as it is written: ${reason(operation, hasSchedule)}`,
        operation.location,
      ),
    );
};
