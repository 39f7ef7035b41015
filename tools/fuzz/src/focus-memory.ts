/** What steps on buffers, loops and structured ops look for. */
import { combined } from './draw-memory.ts';
import { chain, fresh, reusedBuffer } from './draw-scenarios.ts';
import { isFloat } from './effect-types.ts';
import type { EffectWriter } from './effect-writer.ts';
import type { Scenario } from './focus-place.ts';
import { buffer, focusShape, writeLatest } from './focus-place.ts';

/** A loop in whose body a minimum is always the same. */
export const boundedLoop: Scenario = (w) => {
  const [zero, high, two] = ['0', '8', '2'].map((each) => w.constant('index', each));
  const [i, size, value, at] = [w.fresh(), w.fresh(), w.fresh(), w.fresh()];
  w.line(`scf.for ${i} = ${zero} to ${high} step ${two} {`);
  w.line(`  ${size} = affine.min affine_map<(d0) -> (2, 8 - d0)>(${i})`);
  w.line(`  ${at} = affine.apply affine_map<(d0, d1) -> (d0 + d1 - 1)>(${i}, ${size})`);
  w.line(`  ${value} = memref.load %arg0[${zero}, ${i}] : ${buffer(w)}`);
  w.line(`  memref.store ${value}, %arg0[${zero}, ${at}] : ${buffer(w)}`);
  w.line('}');
};

/** A buffer of either branch of a condition, read behind it. */
export const conditional: Scenario = (w) => {
  const [name, zero, text] = [w.fresh(), w.constant('index', '0'), `memref<2x${w.element}>`];
  const flag = w.scalar('i1');
  const values = [w.scalar(w.element), w.constant(w.element)];
  w.line(`${name} = scf.if ${flag} -> (${text}) {`);
  for (const [i, value] of values.entries()) {
    const own = w.fresh();
    if (i > 0) w.line('} else {');
    w.line(`  ${own} = memref.alloc() : ${text}`);
    w.line(`  linalg.fill ins(${value} : ${w.element}) outs(${own} : ${text})`);
    w.line(`  scf.yield ${own} : ${text}`);
  }
  w.line('}');
  w.define(w.element, `memref.load ${name}[${zero}] : ${text}`);
  writeLatest(w);
};

/** A view of two rows from row `at`: its name and its type. */
const twoRows = (w: EffectWriter, of: string, at: string): readonly [string, string] => {
  const name = w.fresh();
  const offset = /^\d/.test(at) ? `offset: ${8 * Number(at)}` : 'offset: ?';
  const type = `memref<2x8x${w.element}, strided<[8, 1], ${offset}>>`;
  w.line(`${name} = memref.subview ${of}[${at}, 0] [2, 8] [1, 1] : ${buffer(w)} to ${type}`);
  return [name, type];
};

/** An elementwise op that adds the elements of a view to those of another. */
const added = (
  w: EffectWriter,
  [from, ofFrom]: readonly [string, string],
  [into, ofInto]: readonly [string, string],
): void => {
  const map = 'affine_map<(d0, d1) -> (d0, d1)>';
  const [x, y] = [w.fresh(), w.fresh()];
  w.line(
    `linalg.generic {indexing_maps = [${map}, ${map}], iterator_types = ["parallel", "parallel"]} ` +
      `ins(${from} : ${ofFrom}) outs(${into} : ${ofInto}) {`,
  );
  w.line(`^bb0(${x}: ${w.element}, ${y}: ${w.element}):`);
  w.nested([], () => w.line(`linalg.yield ${combined(w, w.element, x, y)} : ${w.element}`));
  w.line('}');
};

/** A buffer that is filled as a whole, and then worked on part by part. */
export const filledBefore: Scenario = (w) => {
  const [zero, rows, step] = ['0', '4', '2'].map((each) => w.constant('index', each));
  const [sums, i] = [w.fresh(), w.fresh()];
  w.line(`${sums} = memref.alloc() : ${buffer(w)}`);
  w.line(`linalg.fill ins(${w.scalar(w.element)} : ${w.element}) outs(${sums} : ${buffer(w)})`);
  w.line(`scf.for ${i} = ${zero} to ${rows} step ${step} {`);
  w.nested([], () => added(w, twoRows(w, '%arg0', i), twoRows(w, sums, i)));
  w.line('}');
  w.define(w.element, `memref.load ${sums}[${w.indices(focusShape)}] : ${buffer(w)}`);
  writeLatest(w);
};

/** An op on views. */
export const onViews: Scenario = (w) => {
  const target = w.fresh();
  w.line(`${target} = memref.alloc() : ${buffer(w)}`);
  w.line(`memref.copy %arg0, ${target} : ${buffer(w)} to ${buffer(w)}`);
  added(
    w,
    twoRows(w, '%arg0', w.random.pick(['0', '1', '2'])),
    twoRows(w, target, w.random.pick(['0', '2'])),
  );
  w.define(w.element, `memref.load ${target}[${w.indices(focusShape)}] : ${buffer(w)}`);
  writeLatest(w);
};

/** What has as many elements as are left of a loop over 8. */
const inLoop =
  (make: (w: EffectWriter, size: string) => readonly string[]): Scenario =>
  (w) => {
    const [zero, high, step] = ['0', '8', '3'].map((each) => w.constant('index', each));
    const value = w.scalar(w.element);
    const [i, size] = [w.fresh(), w.fresh()];
    w.line(`scf.for ${i} = ${zero} to ${high} step ${step} {`);
    w.nested([{ name: value, type: w.element }], () => {
      w.line(`${size} = affine.min affine_map<(d0) -> (3, 8 - d0)>(${i})`);
      const element = w.fresh();
      for (const line of make(w, size))
        w.line(line.replaceAll('%value', value).replaceAll('%element', element));
      w.line(`memref.store ${element}, %arg0[${zero}, ${i}] : ${buffer(w)}`);
    });
    w.line('}');
  };

/** A tensor in a loop. */
export const tensorInLoop: Scenario = inLoop((w, size) => {
  const [empty, full, first] = [w.fresh(), w.fresh(), w.fresh()];
  const type = `tensor<?x${w.element}>`;
  return [
    `${empty} = tensor.empty(${size}) : ${type}`,
    `${full} = linalg.fill ins(%value : ${w.element}) outs(${empty} : ${type}) -> ${type}`,
    `${first} = arith.constant 0 : index`,
    `%element = tensor.extract ${full}[${first}] : ${type}`,
  ];
});

/** Memory of the stack in a loop. */
export const bufferInLoop: Scenario = inLoop((w, size) => {
  const [own, first] = [w.fresh(), w.fresh()];
  const type = `memref<?x${w.element}>`;
  return [
    `${own} = memref.alloca(${size}) : ${type}`,
    `linalg.fill ins(%value : ${w.element}) outs(${own} : ${type})`,
    `${first} = arith.constant 0 : index`,
    `%element = memref.load ${own}[${first}] : ${type}`,
  ];
});

/** A buffer that is only written. */
export const written: Scenario = (w) => {
  const [name, zero, text] = [w.fresh(), w.constant('index', '0'), `memref<2x${w.element}>`];
  w.line(`${name} = memref.alloc() : ${text}`);
  w.line(`memref.store ${w.scalar(w.element)}, ${name}[${zero}] : ${text}`);
};

/** A function that nothing calls. */
export const unusedSymbol: Scenario = (w) => {
  const parameter = `%x: ${w.element}`;
  const text = `(${parameter}) -> ${w.element} { return %x : ${w.element} }`;
  w.symbols.push(`func.func private ${w.symbol('unused')}${text}`);
};

/** A buffer that each iteration of a loop overwrites. */
export const overwritten: Scenario = (w) => {
  fresh(w, false, [6], false);
  reusedBuffer(w);
};

/** An update of an element in one step. */
export const atomic: Scenario = (w) => {
  const kind = isFloat(w.element) ? w.random.pick(['maximumf', 'minimumf', 'addf']) : 'addi';
  const at = w.indices(focusShape);
  const value = w.scalar(w.element);
  w.define(
    w.element,
    `memref.atomic_rmw ${kind} ${value}, %arg0[${at}] : (${w.element}, ${buffer(w)}) -> ${w.element}`,
  );
};

/** A small buffer that is freed. */
export const freed: Scenario = (w) => {
  const [name, zero, text] = [w.fresh(), w.constant('index', '0'), `memref<2x${w.element}>`];
  w.line(`${name} = memref.alloc() : ${text}`);
  w.line(`linalg.fill ins(${w.scalar(w.element)} : ${w.element}) outs(${name} : ${text})`);
  w.define(w.element, `memref.load ${name}[${zero}] : ${text}`);
  writeLatest(w);
  w.line(`memref.dealloc ${name} : ${text}`);
};

/** A product of matrices. */
export const product: Scenario = (w) => chain(w, w.random.pick(['matmul', 'generic matmul']));

/** Sums along a dimension. */
export const sum: Scenario = (w) => chain(w, w.random.pick(['sum', 'sum', 'generic matmul']), true);
