/** Runs a model part by part. */
import type { Elements, FunctionSignature, RunValue } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { success } from '@sconv/diagnostics';
import type { CompiledModule } from '../compile-module.ts';
import type { ModelPart, ModelParts } from './model-parts.ts';

/** A part to be called, with its arguments in the artifact's memory. */
export interface PartCall {
  readonly part: ModelPart;
  readonly signature: FunctionSignature;
  readonly values: readonly RunValue[];
  /** Calls it; its results are the artifact's memory. */
  readonly call: () => Diagnosed<readonly RunValue[]>;
}

/** A copy in the artifact's memory, which calls use in place; elsewhere where that has no room. */
const keep = (
  compiled: CompiledModule,
  signature: FunctionSignature['results'][number],
  value: RunValue,
): RunValue => {
  if (typeof value !== 'object' || signature.kind === 'scalar') return value;
  try {
    const place = compiled.allocate(signature.element, value.length);
    place.set(value as never);
    return place;
  } catch (problem) {
    if (problem instanceof RangeError) return value.slice();
    throw problem;
  }
};

/**
 * Calls the parts in order, each with what those before returned, and `visit` with each of them, after a first call.
 * Returns the results of the whole.
 */
export const runParts = async (
  compiled: CompiledModule,
  { parts, results }: ModelParts,
  given: readonly RunValue[],
  visit: (call: PartCall) => Promise<Diagnosed<unknown>>,
): Promise<Diagnosed<readonly RunValue[]>> => {
  const values = new Map<number, RunValue>(given.map((value, i) => [i, value]));
  const lastUse = new Map(parts.flatMap(({ inputs }, i) => inputs.map((input) => [input, i] as const)));
  for (const [i, part] of parts.entries()) {
    const signature = compiled.functions.find(({ name }) => name === part.name)!;
    const called = part.inputs.map((input) => values.get(input)!);
    const call = (): Diagnosed<readonly RunValue[]> => compiled.call(part.name, ...called);
    const first = call();
    if (first.status !== 'success') return first;
    // The next call overwrites them.
    const kept = first.value.map((value, k) => keep(compiled, signature.results[k]!, value));
    const visited = await visit({ part, signature, values: called, call });
    if (visited.status !== 'success') return visited;
    part.outputs.forEach((output, k) => values.set(output, kept[k]!));
    for (const input of part.inputs)
      if (lastUse.get(input) === i && !results.includes(input)) values.delete(input);
  }
  return success(results.map((result) => values.get(result) as Elements));
};
