/** Ops that give a tensor another shape, or tell about its own. */
import type { Constant } from '../constant.ts';
import { constantOfNumbers, constantOfSizes, countOf, splatOf } from '../constant.ts';
import { boolean, float32, int64 } from '../element-type.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { checkedShape, constantOperand, reshapeOperand, transposeOperand } from '../operations.ts';
import { invalid, printSizes, unsupported } from '../problem.ts';

const reshape = (node: OnnxNode): Operand => {
  const operand = node.input(0);
  const given = node.intsOrInput('shape', 1) ?? invalid('lacks its shape');
  const keepsZeros = node.flag('allowzero');
  const sizes = given.map((size, i) =>
    size === 0 && !keepsZeros
      ? (operand.shape[i] ?? invalid(`copies size ${i} of ${printSizes(operand.shape)}`))
      : size,
  );
  const open = sizes.filter((size) => size === -1).length;
  if (open > 1 || sizes.some((size) => size < -1)) invalid(`has shape ${given.join(', ')}`);
  const known = countOf(sizes.filter((size) => size !== -1));
  const rest = known === 0 ? 0 : countOf(operand.shape) / known;
  return reshapeOperand(
    node,
    operand,
    sizes.map((size) => (size === -1 ? rest : size)),
  );
};

const flatten = (node: OnnxNode): Operand => {
  const operand = node.input(0);
  const rank = operand.shape.length;
  const given = node.int('axis', 1);
  const axis = given === rank ? rank : node.axis(given, rank);
  return reshapeOperand(node, operand, [
    countOf(operand.shape.slice(0, axis)),
    countOf(operand.shape.slice(axis)),
  ]);
};

const squeeze = (node: OnnxNode): Operand => {
  const operand = node.input(0);
  const { shape } = operand;
  const given = node.intsOrInput('axes', 1);
  const axes = given === undefined ? undefined : node.axes(given, shape.length);
  const odd = axes?.find((axis) => shape[axis] !== 1);
  if (odd !== undefined) invalid(`squeezes dimension ${odd} of ${printSizes(shape)}`);
  return reshapeOperand(
    node,
    operand,
    shape.filter((size, i) => (axes === undefined ? size !== 1 : !axes.includes(i))),
  );
};

const unsqueeze = (node: OnnxNode): Operand => {
  const operand = node.input(0);
  const given = node.intsOrInput('axes', 1) ?? invalid('lacks axes');
  const rank = operand.shape.length + given.length;
  const axes = new Set(node.axes(given, rank));
  const rest = [...operand.shape];
  return reshapeOperand(
    node,
    operand,
    Array.from({ length: rank }, (_, i) => (axes.has(i) ? 1 : rest.shift()!)),
  );
};

const transpose = (node: OnnxNode): Operand => {
  const operand = node.input(0);
  const rank = operand.shape.length;
  const permutation = node.ints('perm') ?? operand.shape.map((_, i) => rank - 1 - i);
  if (permutation.length !== rank || node.axes(permutation, rank).length !== rank)
    invalid(`permutes ${printSizes(operand.shape)} by ${permutation.join(', ')}`);
  return transposeOperand(
    node,
    operand,
    permutation.map((axis) => node.axis(axis, rank)),
  );
};

const identity = (node: OnnxNode): Operand => node.input(0);

/** `Dropout` at inference: its input, and a mask that keeps everything. */
const dropout = (node: OnnxNode): readonly Operand[] => {
  if ((node.number(2, 'training_mode') ?? 0) !== 0) unsupported('training_mode');
  const operand = node.input(0);
  return [operand, constantOperand(node.emitter, splatOf(boolean, operand.shape, 1))];
};

/** `DepthToSpace`: channels become blocks of rows and columns. */
const depthToSpace = (node: OnnxNode): Operand => {
  const { operand, batch, channels, height, width, block } = blocks(node);
  const mode = node.text('mode', 'DCR');
  if (mode !== 'DCR' && mode !== 'CRD') invalid(`has mode '${mode}'`);
  const depth = channels / block ** 2;
  if (!Number.isInteger(depth)) invalid(`makes blocks of ${block} of ${channels} channels`);
  const [form, permutation] =
    mode === 'DCR'
      ? [
          [batch, block, block, depth, height, width],
          [0, 3, 4, 1, 5, 2],
        ]
      : [
          [batch, depth, block, block, height, width],
          [0, 1, 4, 2, 5, 3],
        ];
  const moved = transposeOperand(node, reshapeOperand(node, operand, form), permutation);
  return reshapeOperand(node, moved, [batch, depth, height * block, width * block]);
};

/** `SpaceToDepth`: blocks of rows and columns become channels. */
const spaceToDepth = (node: OnnxNode): Operand => {
  const { operand, batch, channels, height, width, block } = blocks(node);
  const [rows, columns] = [height / block, width / block];
  if (!Number.isInteger(rows) || !Number.isInteger(columns))
    invalid(`makes blocks of ${block} of ${height} by ${width}`);
  const form = reshapeOperand(node, operand, [batch, channels, rows, block, columns, block]);
  const moved = transposeOperand(node, form, [0, 3, 5, 1, 2, 4]);
  return reshapeOperand(node, moved, [batch, channels * block ** 2, rows, columns]);
};

const blocks = (node: OnnxNode) => {
  const operand = node.input(0);
  const block = node.int('blocksize', 0);
  if (operand.shape.length !== 4 || block < 1)
    invalid(`has an input of ${printSizes(operand.shape)} and blocks of ${block}`);
  const [batch, channels, height, width] = operand.shape as [number, number, number, number];
  return { operand, batch, channels, height, width, block };
};

const constantOp = (node: OnnxNode): Operand => constantOperand(node.emitter, constantValue(node));

const constantValue = (node: OnnxNode): Constant => {
  const tensor = node.tensor('value');
  if (tensor !== undefined) return tensor;
  if (node.has('value_float')) return constantOfNumbers(float32, [], [node.float('value_float', 0)]);
  if (node.has('value_int')) return constantOfNumbers(int64, [], [node.int('value_int', 0)]);
  const floats = node.floats('value_floats');
  if (floats !== undefined) return constantOfNumbers(float32, [floats.length], floats);
  const ints = node.ints('value_ints');
  if (ints !== undefined) return constantOfSizes(ints);
  return unsupported('a value that is no dense tensor of numbers');
};

const constantOfShape = (node: OnnxNode): Operand => {
  const shape = checkedShape(node.list(0, 'shape') ?? []);
  const value = node.tensor('value') ?? splatOf(float32, [1], 0);
  if (!value.isSplat) invalid(`has a value of ${printSizes(value.shape)}`);
  return constantOperand(node.emitter, { ...value, shape });
};

const shapeOp = (node: OnnxNode): Operand => {
  const { shape } = node.input(0);
  // Out of range is clamped, as by a slice.
  return constantOperand(
    node.emitter,
    constantOfSizes(shape.slice(node.int('start', 0), node.has('end') ? node.int('end', 0) : undefined)),
  );
};

const sizeOp = (node: OnnxNode): Operand =>
  constantOperand(node.emitter, constantOfNumbers(int64, [], [countOf(node.input(0).shape)]));

/** `Range` of constants. */
const range = (node: OnnxNode): Operand => {
  const [start, limit, delta] = [0, 1, 2].map((i) => node.number(i, 'bounds') ?? invalid('lacks a bound'));
  const type = node.commonType([node.input(0), node.input(1), node.input(2)]);
  const length = Math.max(0, Math.ceil((limit! - start!) / delta!));
  if (!(length <= 2 ** 20) || !node.context.mayFold(length * type.size)) unsupported(`${length} elements`);
  const numbers = Array.from({ length }, (_, i) => start! + i * delta!);
  return constantOperand(node.emitter, constantOfNumbers(type, [length], numbers));
};

/** Ops of this file by their ONNX names. */
export const shapeOps: Readonly<Record<string, (node: OnnxNode) => Operand | readonly Operand[]>> = {
  Constant: constantOp,
  ConstantOfShape: constantOfShape,
  DepthToSpace: depthToSpace,
  Dropout: dropout,
  Flatten: flatten,
  Identity: identity,
  Range: range,
  Reshape: reshape,
  Shape: shapeOp,
  Size: sizeOp,
  SpaceToDepth: spaceToDepth,
  Squeeze: squeeze,
  Transpose: transpose,
  Unsqueeze: unsqueeze,
};
