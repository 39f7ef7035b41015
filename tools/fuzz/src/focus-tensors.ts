/** What steps on tensors look for. */
import { combined } from './draw-memory.ts';
import { tensorOperation } from './draw-structured-effects.ts';
import type { EffectValue, Tensor, Vector } from './effect-types.ts';
import { textOf } from './effect-types.ts';
import type { EffectWriter } from './effect-writer.ts';
import type { Scenario } from './focus-place.ts';
import { buffer, writeLatest } from './focus-place.ts';

/** A tensor of static shape, filled; or empty, with undefined elements. */
const filled = (w: EffectWriter, actual: readonly number[], isEmpty = false): EffectValue<Tensor> => {
  const type: Tensor = { kind: 'tensor', element: w.element, known: actual, actual };
  const empty = w.fresh();
  w.line(`${empty} = tensor.empty() : ${textOf(type)}`);
  if (isEmpty) return { name: empty, type };
  return { name: fill(w, empty, type), type };
};

const fill = (w: EffectWriter, tensor: string, type: Tensor): string => {
  const [value, text] = [w.scalar(w.element), textOf(type)];
  return w.define(type, `linalg.fill ins(${value} : ${w.element}) outs(${tensor} : ${text}) -> ${text}`);
};

/** Writes an element of a tensor to `%arg0`. */
const writeElement = (w: EffectWriter, { name, type }: EffectValue<Tensor>): void => {
  w.define(w.element, `tensor.extract ${name}[${w.indices(type.actual)}] : ${textOf(type)}`);
  writeLatest(w);
};

const tensorOf = (w: EffectWriter, ...actual: readonly number[]): Tensor => ({
  kind: 'tensor',
  element: w.element,
  known: actual,
  actual,
});

/** A value of this type, by an op on tensors, which is then read. */
const made = (w: EffectWriter, type: Tensor, text: string): EffectValue<Tensor> => ({
  name: w.define(type, text),
  type,
});

/** A tensor with the elements of `%arg0`. */
const contents = (w: EffectWriter): EffectValue<Tensor> => {
  const type = tensorOf(w, 4, 8);
  const copy = w.fresh();
  w.line(`${copy} = memref.alloc() : ${buffer(w)}`);
  w.line(`memref.copy %arg0, ${copy} : ${buffer(w)} to ${buffer(w)}`);
  return made(w, type, `bufferization.to_tensor ${copy} restrict : ${buffer(w)}`);
};

const sliced = (
  w: EffectWriter,
  { name, type }: EffectValue<Tensor>,
  sizes: readonly number[],
): EffectValue<Tensor> => {
  const to = tensorOf(w, ...sizes);
  const at = sizes.map((size, i) => String(w.random.integer(0, type.actual[i]! - size))).join(', ');
  const place = `[${at}] [${sizes.join(', ')}] [${sizes.map(() => '1').join(', ')}]`;
  return made(w, to, `tensor.extract_slice ${name}${place} : ${textOf(type)} to ${textOf(to)}`);
};

/** A slice of a slice, or a slice put into one that is put into another. */
export const nestedSlices: Scenario = (w) => {
  const whole = contents(w);
  const part = sliced(w, whole, [3, 4]);
  if (w.random.chance(0.5)) {
    writeElement(w, sliced(w, part, [2, 2]));
    return;
  }
  const outer = filled(w, [1, 3, 4]);
  const small = `${textOf(part.type)} into ${textOf(outer.type)}`;
  const inner = made(
    w,
    outer.type,
    `tensor.insert_slice ${part.name} into ${outer.name}[0, 0, 0] [1, 3, 4] [1, 1, 1] : ${small}`,
  );
  const large = filled(w, [2, 3, 4]);
  const types = `${textOf(outer.type)} into ${textOf(large.type)}`;
  const place = '[1, 0, 0] [1, 3, 4] [1, 1, 1]';
  writeElement(
    w,
    made(w, large.type, `tensor.insert_slice ${inner.name} into ${large.name}${place} : ${types}`),
  );
};

/** A transfer from or to a slice. */
export const transferOfSlice: Scenario = (w) => {
  const part = sliced(w, contents(w), [3, 4]);
  const vector: Vector = { kind: 'vector', element: w.element, actual: [2] };
  const at = [w.indexIn(0, 2), w.indexIn(0, 2)].join(', ');
  const [text, from] = [textOf(vector), textOf(part.type)];
  w.define(
    vector,
    `vector.transfer_read ${part.name}[${at}], ${w.scalar(w.element)} {in_bounds = [true]} : ${from}, ${text}`,
  );
  writeLatest(w);
};

/** A slice, or a reshape, of an empty tensor. */
export const emptyParts: Scenario = (w) => {
  const empty = filled(w, [4, 8], true);
  const type = w.random.chance(0.5) ? tensorOf(w, 2, 3) : tensorOf(w, 32);
  const part =
    type.actual.length === 2
      ? sliced(w, empty, type.actual)
      : made(
          w,
          type,
          `tensor.collapse_shape ${empty.name} [[0, 1]] : ${textOf(empty.type)} into ${textOf(type)}`,
        );
  w.scope.pop();
  writeElement(w, { name: fill(w, part.name, type), type });
};

/** A fill of an empty tensor, which becomes a part of another. */
export const filledPart: Scenario = (w) => {
  const whole = contents(w);
  const part = filled(w, [2, 4]);
  const types = `${textOf(part.type)} into ${textOf(whole.type)}`;
  const at = `[${w.random.integer(0, 2)}, ${w.random.integer(0, 4)}] [2, 4] [1, 1]`;
  writeElement(w, made(w, whole.type, `tensor.insert_slice ${part.name} into ${whole.name}${at} : ${types}`));
};

/** An elementwise op on a fill of an empty tensor, which overwrites what it does not read. */
export const overwriting: Scenario = (w) => {
  const whole = contents(w);
  const part = filled(w, whole.type.actual);
  const [map, text] = ['affine_map<(d0, d1) -> (d0, d1)>', textOf(whole.type)];
  const [x, old, result] = [w.fresh(), w.fresh(), w.fresh()];
  w.line(
    `${result} = linalg.generic {indexing_maps = [${map}, ${map}], iterator_types = ["parallel", "parallel"]} ` +
      `ins(${part.name} : ${text}) outs(${whole.name} : ${text}) {`,
  );
  w.line(`^bb0(${x}: ${w.element}, ${old}: ${w.element}):`);
  w.nested([], () => w.line(`linalg.yield ${combined(w, w.element, x, x)} : ${w.element}`));
  w.line(`} -> ${text}`);
  writeElement(w, { name: result, type: whole.type });
};

/** A buffer as a tensor, which is a buffer again. */
export const roundTrip: Scenario = (w) => {
  const [tensor, again] = [w.fresh(), w.fresh()];
  w.line(`${tensor} = bufferization.to_tensor %arg0 restrict : ${buffer(w)}`);
  w.line(`${again} = bufferization.to_memref ${tensor} : ${buffer(w)}`);
  w.define(w.element, `memref.load ${again}[${w.indices([4, 8])}] : ${buffer(w)}`);
  writeLatest(w);
};

/** Reshapes that are slices with dimensions of size 1. */
export const reshapedSlice: Scenario = (w) => {
  const row = sliced(w, contents(w), [1, 8]);
  const flat = tensorOf(w, 8);
  const collapsed = made(
    w,
    flat,
    `tensor.collapse_shape ${row.name} [[0, 1]] : ${textOf(row.type)} into ${textOf(flat)}`,
  );
  const target = filled(w, [4, 8]);
  const isExpanded = w.random.chance(0.5);
  const source = isExpanded
    ? made(
        w,
        row.type,
        `tensor.expand_shape ${collapsed.name} [[0, 1]] output_shape [1, 8] : ${textOf(flat)} into ${textOf(row.type)}`,
      )
    : collapsed;
  const place = `[${w.random.integer(0, 3)}, 0] [1, 8] [1, 1]`;
  const types = `${textOf(source.type)} into ${textOf(target.type)}`;
  writeElement(
    w,
    made(w, target.type, `tensor.insert_slice ${source.name} into ${target.name}${place} : ${types}`),
  );
};

/** A padded tensor that is packed, or an unpacked one that is sliced. */
export const packed: Scenario = (w) => {
  const part = sliced(w, contents(w), [3, 7]);
  const [whole, tiles] = [tensorOf(w, 4, 8), tensorOf(w, 2, 4, 2, 2)];
  const value = w.scalar(w.element);
  const padded = w.fresh();
  w.line(`${padded} = tensor.pad ${part.name} low[0, 0] high[1, 1] {`);
  w.line(`^bb0(${w.fresh()}: index, ${w.fresh()}: index):`);
  w.line(`  tensor.yield ${value} : ${w.element}`);
  w.line(`} : ${textOf(part.type)} to ${textOf(whole)}`);
  const how = 'inner_dims_pos = [0, 1] inner_tiles = [2, 2]';
  const empty = filled(w, tiles.actual, true);
  const result = made(
    w,
    tiles,
    `tensor.pack ${padded} ${how} into ${empty.name} : ${textOf(whole)} -> ${textOf(tiles)}`,
  );
  const back = filled(w, whole.actual, true);
  const again = made(
    w,
    whole,
    `tensor.unpack ${result.name} ${how} into ${back.name} : ${textOf(tiles)} -> ${textOf(whole)}`,
  );
  writeElement(w, sliced(w, again, [3, 7]));
};

/** A tensor of constants. */
export const constants: Scenario = (w) => {
  const [value, type, result] = [w.constant(w.element), tensorOf(w, 3), w.fresh()];
  w.line(`${result} = tensor.generate {`);
  w.line(`^bb0(${w.fresh()}: index):`);
  w.line(`  tensor.yield ${value} : ${w.element}`);
  w.line(`} : ${textOf(type)}`);
  writeElement(w, { name: result, type });
};

/** A slice of what has been inserted with a further dimension. */
export const reducedAgain: Scenario = (w) => {
  const part = sliced(w, contents(w), [3, 4]);
  const outer = filled(w, [1, 3, 4]);
  const types = `${textOf(part.type)} into ${textOf(outer.type)}`;
  const place = '[0, 0, 0] [1, 3, 4] [1, 1, 1]';
  const inner = w.define(
    outer.type,
    `tensor.insert_slice ${part.name} into ${outer.name}${place} : ${types}`,
  );
  const to = tensorOf(w, 3, 4);
  writeElement(
    w,
    made(w, to, `tensor.extract_slice ${inner}${place} : ${textOf(outer.type)} to ${textOf(to)}`),
  );
};

/** A size of a result. */
export const resultSize: Scenario = (w) => {
  const size = w.indexIn(3, 3);
  const type: Tensor = { kind: 'tensor', element: w.element, known: [undefined], actual: [3] };
  const empty = w.fresh();
  w.line(`${empty} = tensor.empty(${size}) : ${textOf(type)}`);
  const result = fill(w, empty, type);
  const zero = w.constant('index', '0');
  const dim = w.define('index', `tensor.dim ${result}, ${zero} : ${textOf(type)}`, { range: [3, 3] });
  w.define(w.element, `memref.load %arg0[${zero}, ${dim}] : ${buffer(w)}`);
  writeLatest(w);
};

/** An op that uses an operand twice, and one not at all. */
export const unusedInput: Scenario = (w) => {
  const [a, b, text] = [contents(w), contents(w), `tensor<4x8x${w.element}>`];
  const map = 'affine_map<(d0, d1) -> (d0, d1)>';
  const maps = [map, map, map, map].join(', ');
  const [x, y, z, out, result] = [w.fresh(), w.fresh(), w.fresh(), w.fresh(), w.fresh()];
  const body = [x, y, z, out].map((name) => `${name}: ${w.element}`).join(', ');
  w.line(
    `${result} = linalg.generic {indexing_maps = [${maps}], iterator_types = ["parallel", "parallel"]} ` +
      `ins(${a.name}, ${a.name}, ${b.name} : ${text}, ${text}, ${text}) outs(${b.name} : ${text}) {`,
  );
  w.line(`^bb0(${body}):`);
  w.nested([], () => w.line(`linalg.yield ${combined(w, w.element, x, y)} : ${w.element}`));
  w.line(`} -> ${text}`);
  w.scope.push({ name: result, type: a.type });
  writeElement(w, { name: result, type: a.type });
};

/** One op on a tensor. */
export const onTensor =
  (kind: 'concat' | 'pad'): Scenario =>
  (w) => {
    tensorOperation(w, kind, contents(w));
    const latest = w.scope.at(-1)!;
    if (typeof latest.type === 'object' && latest.type.kind === 'tensor')
      writeElement(w, latest as EffectValue<Tensor>);
  };
