/** The nodes of a graph that its outputs need, in an order of execution. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success, unknownLocation } from '@sconv/diagnostics';
import type { GraphProto, NodeProto } from './generated/onnx_pb.ts';
import { locationOf } from './node.ts';

/** The outputs of a node that have a name. */
const named = (names: readonly string[]): readonly string[] => names.filter((name) => name !== '');

/**
 * The nodes that outputs of the graph depend on, each after those that it depends on, in the order of the file where
 * that allows. `known`: the names of inputs and weights. Fails with `onnx/duplicate-value`, `onnx/unknown-value` and
 * `onnx/cycle`.
 */
export const orderedNodes = (
  { node: nodes, output: outputs }: GraphProto,
  known: ReadonlySet<string>,
): Diagnosed<readonly NodeProto[]> => {
  const producers = new Map<string, number>();
  for (const [i, node] of nodes.entries())
    for (const name of named(node.output)) {
      if (producers.has(name) || known.has(name))
        return definite(error('onnx/duplicate-value', `'${name}' is defined twice`, locationOf(node)));
      producers.set(name, i);
    }

  const live = new Set<number>();
  const pending = outputs.map(({ name }) => producers.get(name));
  while (pending.length > 0) {
    const i = pending.pop();
    if (i === undefined || live.has(i)) continue;
    live.add(i);
    pending.push(...named(nodes[i]!.input).map((name) => producers.get(name)));
  }

  // Depth first, without recursion: a chain may be as long as the file.
  const order: NodeProto[] = [];
  const state = new Map<number, 'open' | 'done'>();
  for (const root of [...live].sort((a, b) => a - b)) {
    const path = [root];
    for (let i = path.at(-1); i !== undefined; i = path.at(-1)) {
      const node = nodes[i]!;
      if (state.get(i) === 'open') {
        state.set(i, 'done');
        order.push(node);
        path.pop();
        continue;
      }
      if (state.get(i) === 'done') {
        path.pop();
        continue;
      }
      state.set(i, 'open');
      for (const name of named(node.input)) {
        const producer = producers.get(name);
        if (producer === undefined && !known.has(name)) {
          const message = `no input, weight or node gives '${name}'`;
          return definite(error('onnx/unknown-value', message, locationOf(node)));
        }
        if (producer === undefined || state.get(producer) === 'done') continue;
        if (state.get(producer) === 'open') {
          const message = `the graph has a cycle: '${name}' depends on itself`;
          return definite(error('onnx/cycle', message, locationOf(node)));
        }
        path.push(producer);
      }
    }
  }
  const missing = outputs.find(({ name }) => !producers.has(name) && !known.has(name));
  return missing === undefined
    ? success(order)
    : definite(
        error(
          'onnx/unknown-value',
          `no input, weight or node gives the output '${missing.name}'`,
          unknownLocation,
        ),
      );
};
