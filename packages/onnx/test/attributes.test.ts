import { expect, it } from 'vitest';
import { modelFile, problemsOf } from './models.ts';

it.each([
  ['Relu', 'axis', "onnx/invalid-node: n: Relu has no attribute 'axis'"],
  ['Softmax', 'axes', "onnx/invalid-node: n: Softmax has no attribute 'axes'"],
])('%s has no attribute %s', (op, name, problem) => {
  const node = { op, name: 'n', inputs: ['x'], attributes: { [name]: 1 } };
  expect(problemsOf(modelFile({ inputs: { x: [1, 4] }, nodes: [node] })).join('\n')).toContain(problem);
});
