/** Convolutions compiled as written, because no schedule has touched them. */
import type { Diagnostic } from '@sconv/diagnostics';
import { warning } from '@sconv/diagnostics';
import type { Module, Operation, Registry } from '@sconv/ir';
import { findOperation, operationsIn } from '@sconv/ir';
import { slicedAs } from '@sconv/slicing';
import { whyNotSliced } from './target-schedule.ts';

/** Depthwise ones are left to the backends, which have a kernel for them. */
const isConvolution = ({ name }: Operation): boolean => name.startsWith('linalg.conv_');

const sliced =
  'what is sliced are matrix products, and convolutions of one or two dimensions whose groups are not innermost';

/** Why a schedule skipped this operation; undefined if the target's own did because it would gain nothing. */
const reason = (operation: Operation, hasSchedule: boolean): string | undefined => {
  if (hasSchedule) return 'no transform of the schedule changed it';
  if (slicedAs(operation) === undefined) return sliced;
  if (operation.results.length === 0) return 'it works on buffers, and only ops on tensors are sliced';
  return whyNotSliced(operation);
};

/**
 * A warning `sconv/unscheduled` for each convolution of the payload that the schedule left unchanged, for another
 * reason than that it would gain nothing; `hasSchedule`: the schedule is not the target's own.
 */
export const unscheduledConvolutions = (
  payload: Module,
  after: Module,
  hasSchedule: boolean,
  registry: Registry,
): readonly Diagnostic[] =>
  operationsIn(payload.root)
    .filter(
      (operation) =>
        isConvolution(operation) && findOperation(after, operation.id, registry)?.name === operation.name,
    )
    .flatMap((operation) => {
      const why = reason(operation, hasSchedule);
      const message = `this ${operation.name} runs as it is written: ${why}`;
      return why === undefined ? [] : [warning('sconv/unscheduled', message, operation.location)];
    });
