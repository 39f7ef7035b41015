// Builds the shims of the native peers against the system's libraries, as far as installed: on Debian, apt-get install
// g++ libopenblas-dev libdnnl-dev.
//
//     node tools/bench/native/build.mjs
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const shims = {
  openblas: ['cc', 'openblas.c', '-lopenblas'],
  onednn: ['c++', 'onednn.cpp', '-ldnnl'],
  'onednn-own-layouts': ['c++', 'onednn.cpp', '-DOWN_LAYOUTS', '-ldnnl'],
};
const optimized = process.arch === 'x64' ? ['-O3', '-march=x86-64-v3'] : ['-O3'];

mkdirSync(join(folder, 'dist'), { recursive: true });
for (const [name, [compiler, source, ...words]] of Object.entries(shims)) {
  try {
    const flags = [...optimized, '-shared', '-fPIC', join(folder, source), ...words];
    execFileSync(compiler, [...flags, '-o', join(folder, 'dist', `${name}.so`)], { stdio: 'pipe' });
    console.log(`${name}: built`);
  } catch (problem) {
    const said = String(problem.stderr ?? '') || String(problem);
    console.log(`${name}: not built: ${said.split('\n').find((line) => line.includes('error')) ?? said}`);
    process.exitCode = 1;
  }
}
