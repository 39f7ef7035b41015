/**
 * The transforms of a Winograd convolution: each plane multiplied from the left, then from the right, rounded to the
 * element type as the products of matrices that they decompose into.
 */
import {
  transposedMatrix,
  winogradFilterTransform,
  winogradInputTransform,
  winogradMatrices,
  winogradOutputTransform,
} from '@sconv/dialects/linalg';
import type { Matrix } from '@sconv/dialects/linalg';
import type { Handler } from './context.ts';
import { isBigArray, rounderOf } from './element.ts';
import { inputResolver, outputResolver, resultWriter } from './linalg.ts';
import { printShape, trap } from './trap.ts';

const definitions = [winogradFilterTransform, winogradInputTransform, winogradOutputTransform];

/** Positions of rows, columns and the other dimensions, in a tensor that is read or written. */
interface Layout {
  readonly rows: number;
  readonly columns: number;
  /** Of the loops' variables: those of tiles count in windows. */
  readonly others: readonly number[];
}

/** `N H W C`; rows and columns also count tiles. */
const flat: Layout = { rows: 1, columns: 2, others: [1, 2, 0, 3] };
/** `alphaH alphaW tileH tileW N C`. */
const tiled: Layout = { rows: 0, columns: 1, others: [2, 3, 4, 5] };

/** The handler of all three. */
export const winogradHandler: Handler = (operation, context) => {
  const definition = definitions.find((each) => each.is(operation))!;
  const { m, r } = definition.attributes(operation);
  const matrices = winogradMatrices(m, r);
  const [source, output] = operation.operands;
  const type = source!.type.kind === 'tensor' ? source!.type.elementType : source!.type;
  if (type.kind !== 'float') return context.invalid(operation, 'has no elements of a floating-point type');
  if (matrices === undefined) return context.invalid(operation, `has no matrices for F(${m}, ${r})`);
  const round = rounderOf(type) ?? ((value: number): number => value);
  const from = inputResolver(operation, context, source!);
  const into = outputResolver(operation, context, output!);
  const finish = resultWriter(context, operation, [output!]);
  const isFilter = definition === winogradFilterTransform;
  const isInput = definition === winogradInputTransform;
  const rounded = (rows: Matrix): Matrix => rows.map((row) => row.map(round));
  const left = rounded(isFilter ? matrices.filter : isInput ? matrices.input : matrices.output);
  const right = transposedMatrix(left);
  const factor = isFilter || isInput ? 1 : matrices.factor;
  const product = (a: Matrix, b: Matrix): Matrix => {
    context.machine.tick(a.length * b.length * (b[0]?.length ?? 0), operation);
    return a.map((row) =>
      b[0]!.map((_, j) => row.reduce((sum, value, k) => round(sum + round(value * b[k]![j]!)), 0)),
    );
  };
  return (frame) => {
    const [read, written] = [from(frame), into(frame)];
    const [values, results] = [read.data, written.data];
    if (isBigArray(values) || isBigArray(results)) return;
    // 1. Which dimensions are looped over, and how large planes are.
    const [inner, outer] = isFilter
      ? [
          { ...flat, others: [0, 3] },
          { ...tiled, others: [3, 2] },
        ]
      : isInput
        ? [flat, tiled]
        : [tiled, flat];
    const bounds = (isFilter ? read : isInput ? written : read).shape;
    const loops = (isFilter || !isInput ? inner : outer).others.map((at) => bounds[at]!);
    const sides =
      isInput || isFilter
        ? [read.shape[1] !== 1, read.shape[2] !== 1]
        : [read.shape[0] !== 1, read.shape[1] !== 1];
    const [rows, columns] = sides;
    const extent = isFilter ? r : m + r - 1;
    const sizes = sides.map((isTransformed) => (isTransformed ? extent : 1));
    const steps = sides.map((isTransformed) => (isTransformed ? m : 1));
    const offset = (layout: Layout, strides: readonly number[], variables: readonly number[]): number =>
      layout.others.reduce(
        (sum, at, i) => sum + variables[i]! * strides[at]! * (layout === flat && i < 2 ? steps[i]! : 1),
        0,
      );
    // 2. The transform of one plane.
    const transform = (variables: readonly number[]): void => {
      const start = read.offset + offset(inner, read.strides, variables);
      let plane: Matrix = Array.from({ length: sizes[0]! }, (_, i) =>
        Array.from(
          { length: sizes[1]! },
          (_each, j) => values[start + i * read.strides[inner.rows]! + j * read.strides[inner.columns]!]!,
        ),
      );
      if (rows === true) plane = product(left, plane);
      if (columns === true) plane = product(plane, right);
      const scale = factor ** (Number(rows) + Number(columns));
      const first = written.offset + offset(outer, written.strides, variables);
      plane.forEach((row, i) => {
        row.forEach((value, j) => {
          const at = first + i * written.strides[outer.rows]! + j * written.strides[outer.columns]!;
          results[at] = scale === 1 ? value : round(scale * value);
        });
      });
    };
    // 3. All planes, if the tensors fit.
    const shapes = `${printShape(read.shape)} and ${printShape(written.shape)}`;
    const [plain, parts] = isInput ? [read.shape, written.shape] : [written.shape, read.shape];
    const fits = isFilter
      ? read.shape[0] === written.shape[3] && read.shape[3] === written.shape[2]
      : [0, 1].every(
          (i) =>
            parts[i] === (sides[i] === true ? m + r - 1 : 1) &&
            plain[i + 1] === parts[i + 2]! * steps[i]! + (isInput && sides[i] === true ? r - 1 : 0),
        ) &&
        plain[0] === parts[4] &&
        plain[3] === parts[5];
    if (!fits) trap(operation, 'interpreter/shape-mismatch', `has operands of shapes ${shapes}`);
    const walk = (variables: readonly number[]): void => {
      if (variables.length === loops.length) transform(variables);
      else for (let i = 0; i < loops[variables.length]!; i += 1) walk([...variables, i]);
    };
    walk([]);
    finish(frame, [written]);
  };
};
