/** How the models of `op-cases.ts` are written. `x` counts from 0, halved and less 2, in the shape given. */
import type { Model, Node, Weight } from './models.ts';
import { counting, floats } from './models.ts';

export interface OpCase {
  readonly name: string;
  readonly shape: readonly number[];
  readonly model: Model;
}

const caseOf = (
  name: string,
  shape: readonly number[],
  nodes: readonly Node[],
  weights: Readonly<Record<string, Weight>>,
  opset: number,
): OpCase => ({ name, shape, model: { opset, inputs: { x: shape }, weights, nodes } });

/** A node of `x` and the weights. */
export const of = (
  name: string,
  shape: readonly number[],
  node: Node,
  weights: Readonly<Record<string, Weight>> = {},
  opset = 17,
): OpCase =>
  caseOf(name, shape, [{ ...node, inputs: node.inputs ?? ['x', ...Object.keys(weights)] }], weights, opset);

/** Of several nodes: each with the names of its outputs first. */
export const chain = (
  name: string,
  shape: readonly number[],
  nodes: readonly (readonly [outputs: string, node: Node])[],
  weights: Readonly<Record<string, Weight>> = {},
  opset = 17,
): OpCase =>
  caseOf(
    name,
    shape,
    nodes.map(([outputs, node]) => ({ ...node, outputs: outputs.split(' ') })),
    weights,
    opset,
  );

export const inputOf = (shape: readonly number[]): Weight =>
  floats(
    shape,
    Array.from(counting(...shape).data as Float32Array, (value) => value / 2 - 2),
  );

export const scalar = (value: number): Weight => floats([], [value]);

/** Of `x` as 8-bit integers of scale 0.25 and zero point 6. */
export const ofQuantized = (
  name: string,
  shape: readonly number[],
  nodes: readonly Node[],
  weights: Readonly<Record<string, Weight>>,
  opset = 17,
): OpCase => {
  const quantize: Node = { op: 'QuantizeLinear', inputs: ['x', 's', 'z'], outputs: ['q'] };
  const zero: Weight = { shape: [], data: Uint8Array.of(6) };
  return {
    name,
    shape,
    model: {
      opset,
      inputs: { x: shape },
      weights: { s: scalar(0.25), z: zero, ...weights },
      nodes: [quantize, ...nodes],
    },
  };
};

export const bytes = (shape: readonly number[]): Weight => ({
  shape,
  data: Int8Array.from(counting(...shape).data as Float32Array, (value) => value - 3),
});
