/**
 * A backend of one's own, which emits JavaScript: node examples/own-backend/main.mjs
 *
 * It keeps the laws of backends, runs Listing 1 by a plan for its own target, and refuses by name what it does not know.
 */
import { readFileSync } from 'node:fs';
import { backendLaws } from '@sconv/backend/testing';
import {
  compileModuleSync,
  defaultRegistry,
  derive,
  integerData,
  parseModule,
  parseShape,
  referenceConvolution,
  unwrap,
  wasm,
} from 'sconv';
import { javascriptBackend } from './javascript-backend.mjs';

// A target is data: a machine, here of an instruction set of its own, and a microkernel to plan for.
const target = derive(wasm, (draft) => {
  draft.name = 'javascript';
  draft.machine.isa = 'javascript';
});
const options = { target, backends: [javascriptBackend] };
const parse = (text) => unwrap(parseModule(text, { registry: defaultRegistry }));

// 1. What every backend promises.
for (const { check } of backendLaws) {
  await check({ backend: javascriptBackend, target, registry: defaultRegistry });
}
console.log(`laws kept: ${backendLaws.length}`);

// 2. Listing 1, planned for the target, exactly.
const listing = parse(readFileSync(new URL('../listing-1.mlir', import.meta.url), 'utf8'));
const compiled = unwrap(compileModuleSync(listing, options));
const [input, filters] = [integerData(32 * 152 * 152, 1), integerData(256 * 32 * 9, 2)];
const output = new Float32Array(256 * 75 * 75);
compiled.run('conv_2d_nchw_fchw', input, filters, output);
const shape = parseShape('1x32x152x152,256x32x3x3,s2');
const expected = referenceConvolution(shape, input, filters, new Float32Array(output.length));
console.log(`exact: ${output.every((value, i) => value === expected[i])}`);

// 3. What it has no code for.
const power = parse('func.func @f(%x: f64) -> f64 { %0 = math.exp %x : f64 return %0 : f64 }');
const [{ code, message }] = compileModuleSync(power, options).diagnostics;
console.log(`${code}: ${message}`);
