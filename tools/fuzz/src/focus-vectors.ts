/** What steps on vectors look for. */
import { combined } from './draw-memory.ts';
import type { VectorKind } from './draw-vectors.ts';
import { vectorOperation } from './draw-vectors.ts';
import type { EffectValue, Vector } from './effect-types.ts';
import { isFloat, textOf } from './effect-types.ts';
import type { EffectWriter } from './effect-writer.ts';
import type { Scenario } from './focus-place.ts';
import { buffer, writeLatest } from './focus-place.ts';

/** A vector that is read from the beginning of `%arg0`. */
const read = (w: EffectWriter, sizes: readonly number[], map = ''): EffectValue<Vector> => {
  const type: Vector = { kind: 'vector', element: w.element, actual: sizes };
  const zero = w.constant('index', '0');
  const inBounds = sizes.map(() => 'true').join(', ');
  const how = `{in_bounds = [${inBounds}]${map === '' ? '' : `, permutation_map = affine_map<${map}>`}}`;
  const padding = w.constant(w.element);
  const text = `vector.transfer_read %arg0[${zero}, ${zero}], ${padding} ${how} : ${buffer(w)}, ${textOf(type)}`;
  return { name: w.define(type, text), type };
};

/** One op on a vector of one of these shapes. */
export const onVector =
  (kind: VectorKind, ...shapes: readonly (readonly number[])[]): Scenario =>
  (w) => {
    vectorOperation(w, kind, read(w, w.random.pick(shapes)));
    writeLatest(w);
  };

/** The bits of floats as integers and back. */
export const bits: Scenario = (w) => {
  if (w.element !== 'f32') return;
  const source = read(w, [2, 4]);
  const [integers, zero, most] = [w.fresh(), w.fresh(), w.fresh()];
  const of = 'vector<2x4xi32>';
  w.line(`${integers} = vector.bitcast ${source.name} : ${textOf(source.type)} to ${of}`);
  w.line(`${zero} = arith.constant dense<0> : ${of}`);
  w.line(`${most} = arith.maxsi ${integers}, ${zero} : ${of}`);
  w.define(source.type, `vector.bitcast ${most} : ${of} to ${textOf(source.type)}`);
  writeLatest(w);
};

/** A product of two outer products of rows, or of a sum of products. */
export const products: Scenario = (w) => {
  const type: Vector = { kind: 'vector', element: w.element, actual: [4, 4] };
  const text = textOf(type);
  const row = read(w, [4]);
  const wide = w.define(type, `vector.broadcast ${row.name} : ${textOf(row.type)} to ${text}`);
  const tall = w.define(type, `vector.transpose ${wide}, [1, 0] : ${text} to ${text}`);
  const product = w.define(type, `arith.${isFloat(w.element) ? 'mulf' : 'muli'} ${tall}, ${wide} : ${text}`);
  if (w.element !== 'i1' && w.random.chance(0.6))
    w.define(
      row.type,
      `vector.multi_reduction <add>, ${product}, ${row.name} [1] : ${text} to ${textOf(row.type)}`,
    );
  writeLatest(w);
};

/** A contraction of operands that are made wider. */
export const extended: Scenario = (w) => {
  if (w.element !== 'f32' && w.element !== 'i32') return;
  const [small, narrow, wide] = w.element === 'f32' ? ['f16', 'truncf', 'extf'] : ['i8', 'trunci', 'extsi'];
  const source = read(w, [2, 4]);
  const [text, narrowed] = [textOf(source.type), `vector<2x4x${small}>`];
  const [less, more] = [w.fresh(), w.fresh()];
  w.line(`${less} = arith.${narrow} ${source.name} : ${text} to ${narrowed}`);
  w.line(`${more} = arith.${wide} ${less} : ${narrowed} to ${text}`);
  const maps = ['m, k', 'n, k', 'm, n'].map((results) => `affine_map<(m, n, k) -> (${results})>`).join(', ');
  const start = read(w, [2, 2]);
  const iterators = '"parallel", "parallel", "reduction"';
  const traits = `{indexing_maps = [${maps}], iterator_types = [${iterators}], kind = #vector.kind<add>}`;
  const types = `${text}, ${text} into ${textOf(start.type)}`;
  w.define(start.type, `vector.contract ${traits} ${more}, ${more}, ${start.name} : ${types}`);
  writeLatest(w);
};

/** A masked transfer. */
export const maskedRead: Scenario = (w) => {
  const vector: Vector = { kind: 'vector', element: w.element, actual: [4] };
  const [zero, count, padding] = [w.constant('index', '0'), w.indexIn(0, 4), w.scalar(w.element)];
  const mask = w.fresh();
  w.line(`${mask} = vector.create_mask ${count} : vector<4xi1>`);
  const inner = `vector.transfer_read %arg0[${zero}, ${zero}], ${padding} {in_bounds = [true]} : ${buffer(w)}, ${textOf(vector)}`;
  w.define(vector, `vector.mask ${mask} { ${inner} } : vector<4xi1> -> ${textOf(vector)}`);
  writeLatest(w);
};

/** Arithmetic on a vector with a dimension of size 1. */
export const unitVector: Scenario = (w) => {
  const { name, type } = read(w, [1, 4]);
  w.scope.push({ name: combined(w, w.element, name, name, textOf(type)), type });
  writeLatest(w);
};

/** A transfer of a part of a buffer with a dimension of size 1. */
export const unitBuffer: Scenario = (w) => {
  const [zero, view, text] = [w.constant('index', '0'), w.fresh(), `vector<4x${w.element}>`];
  const part = `memref<1x8x${w.element}, strided<[8, 1], offset: 16>>`;
  w.line(`${view} = memref.subview %arg0[2, 0] [1, 8] [1, 1] : ${buffer(w)} to ${part}`);
  const type: Vector = { kind: 'vector', element: w.element, actual: [4] };
  const padding = w.scalar(w.element);
  w.define(
    type,
    `vector.transfer_read ${view}[${zero}, ${zero}], ${padding} {in_bounds = [true]} : ${part}, ${text}`,
  );
  writeLatest(w);
};

/** A transfer whose dimensions are in another order, or repeated. */
export const permuted: Scenario = (w) => {
  if (w.random.chance(0.5)) read(w, [8, 4], '(d0, d1) -> (d1, d0)');
  else read(w, [2, 4], '(d0, d1) -> (0, d1)');
  const { name, type } = w.scope.at(-1) as EffectValue<Vector>;
  vectorOperation(w, 'extract', { name, type });
  writeLatest(w);
};

/** A transfer that may be partial. */
export const partial: Scenario = (w) => {
  const [text, element] = [`vector<2x4x${w.element}>`, w.element];
  const at = [w.indexIn(0, 3), w.indexIn(0, 7)].join(', ');
  const type: Vector = { kind: 'vector', element, actual: [2, 4] };
  w.define(type, `vector.transfer_read %arg0[${at}], ${w.scalar(element)} : ${buffer(w)}, ${text}`);
  writeLatest(w);
};

/** A loop that carries a broadcast value. */
export const carriedBroadcast: Scenario = (w) => {
  const start = read(w, [1, 4]);
  const row = read(w, [4]);
  const [zero, high, one] = ['0', String(w.random.integer(0, 3)), '1'].map((each) =>
    w.constant('index', each),
  );
  const [result, carried, part, next] = [w.fresh(), w.fresh(), w.fresh(), w.fresh()];
  const [wide, narrow] = [textOf(start.type), textOf(row.type)];
  w.line(
    `${result} = scf.for ${w.fresh()} = ${zero} to ${high} step ${one} iter_args(${carried} = ${start.name}) -> (${wide}) {`,
  );
  w.nested([], () => {
    w.line(`${part} = vector.extract ${carried}[0] : ${narrow} from ${wide}`);
    const sum = combined(w, w.element, part, row.name, narrow);
    w.line(`${next} = vector.broadcast ${sum} : ${narrow} to ${wide}`);
    w.line(`scf.yield ${next} : ${wide}`);
  });
  w.line('}');
  w.scope.push({ name: result, type: start.type });
  writeLatest(w);
};
