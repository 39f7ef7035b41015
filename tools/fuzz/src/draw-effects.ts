/** Random functions with effects on buffers that may overlap, for single passes and transforms. */
import { blocks, functionBody, returnTypes } from './draw-flow.ts';
import { focuses } from './draw-focus.ts';
import type { Buffer, EffectType, EffectValue } from './effect-types.ts';
import { textOf } from './effect-types.ts';
import { EffectWriter, typesText } from './effect-writer.ts';
import { focusShape } from './focus-place.ts';
import type { Random } from './random.ts';

/** A module whose function `@f` is run, and what it is run with. */
export interface DrawnEffects {
  readonly text: string;
  readonly arguments: readonly EffectValue[];
  /** Pairs of arguments, by name, that must not share memory: the order of a structured op's iterations would show. */
  readonly distinct: readonly (readonly [string, string])[];
  /** What was drawn, for statistics. */
  readonly features: readonly string[];
}

const argumentType = (w: EffectWriter): EffectType => {
  const { random } = w;
  const actual = random.pick(w.shapes);
  const known = actual.map((size) => (random.chance(0.35) ? undefined : size));
  const kind = random.weighted([
    [6, 'memref'],
    [1.5, 'strided'],
    [2, 'tensor'],
    [3, 'index'],
    [1, 'i1'],
    [1, 'scalar'],
  ] as const)!;
  if (kind === 'scalar') return w.element;
  if (kind === 'index' || kind === 'i1') return kind;
  if (kind === 'tensor') return { kind, element: w.element, known, actual };
  const type: Buffer = { kind: 'memref', element: w.element, known, actual };
  if (kind === 'memref') return type;
  return { ...type, layout: { strides: actual.map(() => undefined), offset: undefined } };
};

/** A module whose function is defined on most arguments of its types; it has something to do for the step `focus`. */
export const drawEffects = (random: Random, focus?: string): DrawnEffects => {
  const scenario = focus === undefined ? undefined : focuses[focus];
  const w = new EffectWriter(random, undefined, scenario && focusShape);
  const fixed: Buffer = { kind: 'memref', element: w.element, known: w.shapes[0]!, actual: w.shapes[0]! };
  const types: readonly EffectType[] = [
    fixed,
    ...Array.from({ length: random.integer(1, 5) }, () => argumentType(w)),
  ];
  const given = types.map((type, i): EffectValue => {
    const value = { name: `%arg${i}`, type };
    if (type === 'index') {
      const at = random.integer(0, 5);
      return { ...value, range: [at, at] };
    }
    return typeof type === 'object' && type.kind === 'memref' ? { ...value, roots: [value.name] } : value;
  });
  w.scope = [...given];
  const isFlat = random.chance(0.8);
  if (!isFlat) blocks(w);
  const inner = w.scope;
  const results = returnTypes(w);
  w.scope = inner;
  scenario?.(w);
  // Faults need few ops; what is drawn besides makes each step slower.
  const isFocused = scenario !== undefined;
  functionBody(w, isFocused ? random.integer(0, 2) : random.integer(1, 5), 2, results);
  const list = given.map(({ name, type }) => `${name}: ${textOf(type)}`).join(', ');
  const arrow = results.length === 0 ? '' : ` -> (${typesText(results)})`;
  const text = [...w.symbols, `func.func @f(${list})${arrow} {`, ...w.lines, '}', ''].join('\n');
  const isArgument = (name: string): boolean => given.some((value) => value.name === name);
  const distinct = [...w.distinct].flatMap((pair): readonly (readonly [string, string])[] => {
    const [a, b] = pair.split(' ') as [string, string];
    return isArgument(a) && isArgument(b) ? [[a, b]] : [];
  });
  return { text, arguments: given, distinct, features: [...w.features] };
};
