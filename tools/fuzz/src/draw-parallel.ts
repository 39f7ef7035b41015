/** Random parallel loops. */
import type { EffectValue } from './effect-types.ts';
import { isFloat, textOf } from './effect-types.ts';
import type { EffectWriter } from './effect-writer.ts';

/** Each iteration writes an element of its own. */
const independent = (w: EffectWriter, position: string, size: number): void => {
  const target = w.buffer(({ actual }) => actual.length > 0 && actual[0]! >= size && !actual.includes(0));
  if (target === undefined) return;
  const { name, type } = target;
  const at = [position, ...type.actual.slice(1).map(() => w.constant('index', '0'))].join(', ');
  const old = w.define(type.element, `memref.load ${name}[${at}] : ${textOf(type)}`);
  w.line(
    `memref.store ${w.random.chance(0.5) ? old : w.scalar(type.element)}, ${name}[${at}] : ${textOf(type)}`,
  );
};

/** `scf.parallel`, whose iterations write elements of their own, or give a sum. */
export const parallel = (w: EffectWriter): void => {
  const { random } = w;
  const size = random.pick([0, 1, 2, 4]);
  const position: EffectValue = { name: w.fresh(), type: 'index', range: [0, Math.max(0, size - 1)] };
  const numbers = ['0', String(size), '1'].map((text) => w.constant('index', text));
  const isSum = random.chance(0.4) && !isFloat(w.element) && w.element !== 'i1';
  w.features.add('scf.parallel');
  const result = w.fresh();
  const init = isSum ? w.scalar(w.element) : '';
  w.line(
    `${isSum ? `${result} = ` : ''}scf.parallel (${position.name}) = (${numbers[0]!}) to (${numbers[1]!}) ` +
      `step (${numbers[2]!})${isSum ? ` init (${init}) -> ${w.element}` : ''} {`,
  );
  w.nested([position], () => {
    independent(w, position.name, size);
    if (!isSum) {
      w.line('scf.reduce');
      return;
    }
    const [a, b, sum] = [w.fresh(), w.fresh(), w.fresh()];
    w.line(`scf.reduce(${w.scalar(w.element)} : ${w.element}) {`);
    w.line(`^bb0(${a}: ${w.element}, ${b}: ${w.element}):`);
    w.line(`  ${sum} = arith.addi ${a}, ${b} : ${w.element}`);
    w.line(`  scf.reduce.return ${sum} : ${w.element}`);
    w.line('}');
  });
  w.line('}');
  if (isSum) w.scope.push({ name: result, type: w.element });
};

/** `scf.forall`, whose iterations write elements of their own. */
export const forall = (w: EffectWriter): void => {
  const size = w.random.pick([0, 1, 2, 4]);
  const position: EffectValue = { name: w.fresh(), type: 'index', range: [0, Math.max(0, size - 1)] };
  w.features.add('scf.forall');
  const bound = w.random.chance(0.3) ? w.constant('index', String(size)) : String(size);
  w.line(`scf.forall (${position.name}) in (${bound}) {`);
  w.nested([position], () => independent(w, position.name, size));
  w.line('}');
};
