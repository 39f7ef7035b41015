import { describeValue, FieldError, fieldChecks } from '@sconv/diagnostics';

/** Input of which there is no space. `field` names the offending quantity as the caller wrote it. */
export class SpaceError extends FieldError {
  override readonly name = 'SpaceError';
}

const checks = fieldChecks(SpaceError, {
  record: 'spaces/not-a-record',
  list: 'spaces/not-a-list',
});

/** Throws a `SpaceError` for what is no record, or has no records under these names. */
export const expectRecord = checks.expectRecord;

/** Throws a `SpaceError` for what is no list. */
export const expectList = checks.expectList;

/** More iterations than that of one dimension are no loop of a tensor: its bytes have no addresses. */
const largestExtent = 2 ** 31;

/** More kernels that differ in their height alone, or higher ones, are no family: registers hold a few dozen sums. */
const mostHeights = 32;
const highest = 4096;

/** Throws a `SpaceError` for what is no extent of a dimension. */
export const expectExtent = (field: string, value: number, largest = largestExtent): void => {
  if (Number.isInteger(value) && value > 0 && value <= largest) return;
  const message = `expected an integer from 1 to ${largest}, not ${describeValue(value)}`;
  throw new SpaceError('spaces/extent', field, message);
};

/** The heights of a class, ascending and each once; throws a `SpaceError` for other things. */
export const expectHeights = (field: string, heights: readonly number[]): readonly number[] => {
  expectList(field, heights);
  if (heights.length === 0 || heights.length > mostHeights) {
    const message = `expected 1 to ${mostHeights} heights, not ${heights.length}`;
    throw new SpaceError('spaces/heights', field, message);
  }
  heights.forEach((height, i) => {
    expectExtent(`${field}.${i}`, height, highest);
  });
  return [...new Set(heights)].sort((a, b) => a - b);
};
