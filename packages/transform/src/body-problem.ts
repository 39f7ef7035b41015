/** What is wrong with the body of an op that binds its arguments and takes over what it yields. */
import type { Operation, Region } from '@sconv/ir';

/** For the verifier: a body takes `count` arguments, and yields as many values as the op has results. */
export function* bodyProblem(
  { results }: Operation,
  region: Region | undefined,
  count: number,
): Generator<string, undefined> {
  const body = region?.blocks[0];
  if (body === undefined) yield 'expects a body';
  else if (body.arguments.length !== count) {
    yield `expects ${count} block arguments, got ${body.arguments.length}`;
  } else if ((body.operations.at(-1)?.operands.length ?? 0) !== results.length) {
    yield 'expects terminator to have as many operands as the parent op has results';
  }
  return undefined;
}
