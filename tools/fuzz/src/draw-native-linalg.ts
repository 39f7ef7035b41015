/** Draws named linalg ops on buffers. */
import type { Attributes } from '@sconv/ir';
import { f32, f64, i1, i32, i64, indexType, memrefType } from '@sconv/ir';
import * as linalg from '@sconv/dialects/linalg';
import {
  elementwise,
  namedOps,
  pairAttribute,
  pairText,
  windowAttributes,
  windowRank,
} from './draw-named.ts';
import type { NativeElement, Values } from './native-writer.ts';
import { NativeWriter } from './native-writer.ts';
import { shapeOf } from './payload-spec.ts';

const all = [...namedOps, linalg.erf.name, linalg.round.name];

const inexact = new Set<string>([...elementwise.inexact.map(({ name }) => name), linalg.erf.name]);
const onFloats = new Set<string>([
  ...inexact,
  ...elementwise.float.map(({ name }) => name),
  linalg.round.name,
]);

const withWindows = new Set<string>([...linalg.convolutions, ...linalg.poolings].map(({ name }) => name));

const types = { f32, f64, i32, i64, i1, index: indexType };

/** The function of an op that has several. */
const functionText = (w: NativeWriter, name: string): string => {
  if (name === linalg.elemwiseUnary.name) {
    const chosen = w.random.pick(['abs', 'negf', 'floor', 'ceil', 'exp', 'log', 'sqrt', 'tanh', 'square']);
    return ` {fun = #linalg.unary_fn<${chosen}>}`;
  }
  const chosen = w.random.pick(['add', 'sub', 'mul', 'max_signed', 'min_signed']);
  return name === linalg.elemwiseBinary.name ? ` {fun = #linalg.binary_fn<${chosen}>}` : '';
};

/** A named op: of windows with steps, of operands with any layout. */
export const namedLinalgOps = (w: NativeWriter): void => {
  const { random } = w;
  const name = random.pick(all);
  const structure = linalg.namedStructure(name)!;
  const letters = structure.iteratorTypes(random.integer(1, 3));
  const hasWindows = withWindows.has(name);
  const largest = letters.length > 6 ? 2 : 3;
  // Upstream refuses windows over empty dimensions.
  const extents = letters.map(() => (hasWindows ? random.integer(1, largest) : random.integer(0, 4)));
  const element = random.pick(
    onFloats.has(name)
      ? (['f32', 'f64'] as const)
      : name === linalg.divUnsigned.name
        ? (['i32', 'i64'] as const)
        : (['i32', 'i64', 'f32', 'f64'] as const),
  );
  const count = structure.inputs + 1;
  const elements: readonly (keyof typeof types)[] =
    name === linalg.fillRng2d.name
      ? ['f64', 'f64', 'i32', element]
      : Array.from({ length: count }, (_, i) => (name === linalg.select.name && i === 0 ? 'i1' : element));
  const isScalar = (i: number): boolean => name === linalg.fill.name && i === 0;
  const rank = letters.length;
  const operandTypes = elements.map((each, i) =>
    isScalar(i)
      ? types[each]
      : memrefType(
          Array.from({ length: rank }, () => 1),
          types[each],
        ),
  );
  const windows = windowAttributes.has(name) ? windowRank(structure.indexingMaps(operandTypes, {})[0]!) : 0;
  const steps = (): readonly number[] => Array.from({ length: windows }, () => random.pick([1, 1, 2]));
  const [strides, dilations] = [steps(), steps()];
  const attributes: Attributes =
    windows === 0 ? {} : { strides: pairAttribute(strides), dilations: pairAttribute(dilations) };
  const values: Values = inexact.has(name) ? 'positive' : 'small';
  if (inexact.has(name)) w.tolerance = 8;
  const operands = structure.indexingMaps(operandTypes, attributes).map((map, i) => {
    const own: NativeElement = elements[i]!;
    const kind =
      i === 1 && (name === linalg.div.name || name === linalg.divUnsigned.name) ? 'positive' : values;
    if (isScalar(i) || (map.results.length === 0 && i < count - 1))
      return { name: w.number(own, w.value(own, kind)), type: own };
    return w.buffer(shapeOf({ map, slack: [] }, extents), own, own === 'i1' ? 'any' : kind);
  });
  const text =
    windows === 0
      ? functionText(w, name)
      : ` {dilations = ${pairText(dilations)}, strides = ${pairText(strides)}}`;
  const list = (some: typeof operands): string =>
    `(${some.map((each) => each.name).join(', ')} : ${some.map(({ type }) => type).join(', ')})`;
  const inputs = count > 1 ? ` ins${list(operands.slice(0, -1))}` : '';
  w.line(`${name}${text}${inputs} outs${list(operands.slice(-1))}`);
};
