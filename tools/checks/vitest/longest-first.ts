/** The order of test files: those that take longest first, so that no thread is left with one when the others are done. */
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** What takes more than ten seconds, the longest first. */
const longest = [
  'checks/test/documents.test.ts',
  'checks/test/readmes.test.ts',
  'checks/test/consumer.test.ts',
  'sconv/test/bench-command.test.ts',
  'native/test/emulated.test.ts',
  'integration/test/native.test.ts',
  'sconv/test/paired-steps.test.ts',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longest.findIndex((name) => moduleId.endsWith(name));
  return rank < 0 ? longest.length : rank;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
