/** What steps on buffers, loops and structured ops look for. */
import { chain, fresh, reusedBuffer } from './draw-scenarios.ts';
import { isFloat } from './effect-types.ts';
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

/** A buffer of a condition. */
export const conditional: Scenario = (w) => {
  const [name, zero, text] = [w.fresh(), w.constant('index', '0'), `memref<2x${w.element}>`];
  const [flag, value, read] = [w.scalar('i1'), w.scalar(w.element), w.fresh()];
  w.line(`scf.if ${flag} {`);
  w.line(`  ${name} = memref.alloc() : ${text}`);
  w.line(`  linalg.fill ins(${value} : ${w.element}) outs(${name} : ${text})`);
  w.line(`  ${read} = memref.load ${name}[${zero}] : ${text}`);
  w.line(`  memref.store ${read}, %arg0[${zero}, ${zero}] : ${buffer(w)}`);
  w.line('}');
};

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
