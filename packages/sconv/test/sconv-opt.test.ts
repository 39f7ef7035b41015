import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sconvStages } from '@sconv/slicing';
import { sequenceText } from '@sconv/transform/testing';
import { main } from '../src/sconv-opt.ts';
import type { Captured } from './support/capture.ts';
import { capture, example, fileWith, payload, slicing, temporaryFolder } from './support/capture.ts';

const opt = (...words: readonly string[]): Promise<Captured> => capture(main, ...words);

const [listing1, listing9] = [example('listing-1.mlir'), example('listing-9.mlir')];

describe('text', () => {
  it('is printed as mlir-opt prints it', async () => {
    const path = fileWith('func.func @f(%x : f32)->f32{return %x:f32}');
    const { code, out, err } = await opt(path);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "module {
        func.func @f(%arg0: f32) -> f32 {
          return %arg0 : f32
        }
      }
      "
    `);
  });
  it.each(['--mlir-print-op-generic', '-mlir-print-op-generic', '--mlir-print-op-generic=true'])(
    'is generic with %s',
    async (flag) => {
      const { out } = await opt(flag, fileWith('func.func @f() { return }'));
      expect(out).toContain('"func.return"() : () -> ()');
    },
  );
  it('has no aliases with --mlir-print-local-scope', async () => {
    const { out } = await opt(`-transform=${listing9}`, listing1, '--mlir-print-local-scope');
    expect(out).not.toMatch(/^#map/m);
    expect(out).toContain('affine_map<');
  });
  it('of unknown dialects is accepted only on demand', async () => {
    const path = fileWith('"a.b"() : () -> ()');
    expect(await opt(path)).toMatchObject({ code: 1, out: '' });
    expect((await opt('--allow-unregistered-dialect', path)).out).toContain('"a.b"() : () -> ()');
  });
  it('gets a module unless --no-implicit-module says otherwise', async () => {
    const path = fileWith('func.func @f() { return }');
    expect((await opt(path)).out).toContain('module {');
    expect((await opt('--no-implicit-module', path)).out).toMatch(/^func\.func @f/);
  });
});

it.each([
  ['vectorize-children/left', 'func.func', '%g = transform.structured.vectorize_children_and_apply_patterns %f : (!transform.any_op) -> !transform.any_op'],
  ['split/beyond-extent', 'linalg.copy', '%a, %b = transform.structured.split %f after 8 {dimension = 0} : !transform.any_op'],
  ['tile/beyond-extent', 'linalg.copy', '%t, %l = transform.structured.tile_using_for %f tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)'],
  ['tile/idle-threads', 'linalg.copy', '%t, %l = transform.structured.tile_using_forall %f num_threads [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)'],
  ['unroll/beyond-trip-count', 'scf.for', 'transform.loop.unroll %f {factor = 8} : !transform.any_op'],
])('warns %s only for a schedule of another file, as mlir-opt does not', async (code, matched, step) => {
  const payload = `func.func @f(%x: f32, %d: tensor<?xf32>, %m: memref<4xf32>, %n: memref<4xf32>) -> tensor<?xf32> {
    linalg.copy ins(%m : memref<4xf32>) outs(%n : memref<4xf32>)
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      memref.store %x, %m[%i] : memref<4xf32>
    }
    %0 = linalg.fill ins(%x : f32) outs(%d : tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }\n`;
  const script = `module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%root: !transform.any_op) {
      %f = transform.structured.match ops{["${matched}"]} in %root : (!transform.any_op) -> !transform.any_op
      ${step}
      transform.yield
    }\n`;
  const apart = await opt(`-transform=${fileWith(`${script}}`)}`, fileWith(payload));
  expect(apart.err).toContain(`[${code}]`);
  const together = await opt('--transform-interpreter', fileWith(`${script}${payload}}`));
  expect(together).toMatchObject({ code: 0, err: '' });
}); // prettier-ignore

describe('parts of a file', () => {
  const text =
    'func.func @a() { return }\n// -----\nfunc.func @b() { retur }\n// -----\nfunc.func @c() { return }\n';

  it('are treated alone, and located in the whole', async () => {
    const path = fileWith(text);
    const { code, out, err } = await opt('-split-input-file', path);
    expect(code).toBe(1);
    expect(out.match(/@\w/g)).toEqual(['@a', '@c']);
    expect(out).toContain('}\n\n// -----\nmodule {');
    expect(err.startsWith(`${path}:3:`)).toBe(true);
  });
});

it('a comment that parts a file is a comment unless it is asked to be more', async () => {
  const path = fileWith('func.func @a() { return }\n// -----\nfunc.func @b() { return }\n');
  const { code, out } = await opt(path);
  expect([code, out.match(/module/g)?.length, out.match(/@\w/g)]).toEqual([0, 1, ['@a', '@b']]);
  const { out: parted } = await opt('--split-input-file', path);
  expect(parted.match(/module/g)).toHaveLength(2);
});

describe('expected diagnostics', () => {
  const wrong = (comment: string) =>
    fileWith(`func.func @f() {\n  ${comment}\n  "unknown.op"() : () -> ()\n  return\n}\n`);

  it.each([
    '// expected-error@+1 {{unregistered dialect}}',
    '// expected-error @+1 {{unregistered dialect}}',
    '// expected-error@below {{unregistered dialect}}',
    '// expected-error-re@+1 {{unregistered {{d.*t}}}}',
  ])('agree with %s', async (comment) => {
    expect(await opt('-verify-diagnostics', wrong(comment))).toEqual({ code: 0, out: '', err: '' });
  });
  it.each([
    ['no comment', '', /:3:1: error: unexpected error/],
    [
      'another line',
      '// expected-error {{unregistered dialect}}',
      /:2:1: error: expected error .* was not produced/,
    ],
    ['another message', '// expected-error@+1 {{something else}}', /was not produced/],
    ['another severity', '// expected-warning@+1 {{unregistered dialect}}', /expected warning/],
  ])('do not agree with %s', async (_, comment, message) => {
    const { code, err } = await opt('--verify-diagnostics', wrong(comment));
    expect(code).toBe(1);
    expect(err).toMatch(message);
  });
});

describe('a schedule', () => {
  it('of another file gives the fragments and loops of the paper', async () => {
    const { code, out, err } = await opt(`-transform=${listing9}`, listing1);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const type of ['tensor<1x256x5568xf32>', 'tensor<1x256x48xf32>', 'tensor<1x256x9xf32>'])
      expect(out).toContain(type);
    for (const type of ['tensor<32x32x3x3x8xf32>', 'tensor<1x32x3x3x16xf32>']) expect(out).toContain(type);
  });

  const both = fileWith.bind(undefined);
  const entry = (name: string) => slicing().replace('__transform_main', name);
  /** A sequence that others may include. */
  const included = (name: string) =>
    entry(name).replace('!transform.any_op)', '!transform.any_op {transform.consumed})');
  it('of the same file is run by the interpreter pass', async () => {
    const path = both(`${payload()}\n// payload\n${slicing()}`);
    expect((await opt('--transform-interpreter', path)).out).toContain('scf.for');
  });
  it('has another entry point on demand', async () => {
    const path = both(`${payload()}${entry('other')}`);
    expect((await opt('--transform-interpreter', path)).err).toContain('__transform_main');
    expect((await opt('--transform-interpreter=entry-point=other', path)).out).toContain('scf.for');
  });
  it.each([
    [
      'flags',
      (library: string) => [
        `--transform-preload-library=transform-library-paths=${library}`,
        '--transform-interpreter',
      ],
    ],
    [
      'a pipeline',
      (library: string) => [
        `--pass-pipeline=builtin.module(transform-preload-library{transform-library-paths=${library}},transform-interpreter)`,
      ],
    ],
  ])('of a library is run by %s', async (_, flags) => {
    const { code, out } = await opt(...flags(both(slicing(), 'library.mlir')), both(payload()));
    expect(code).toBe(0);
    expect(out).toContain('scf.for');
  });
  it('includes sequences of several libraries', async () => {
    const including = `module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        transform.include @first failures(propagate) (%root) : (!transform.any_op) -> ()
        transform.include @second failures(propagate) (%root) : (!transform.any_op) -> ()
        transform.yield
      }
    }`;
    const [first, second] = [both(included('first'), 'first.mlir'), both(included('second'), 'second.mlir')];
    const path = both(`${payload()}${including}`);
    const read = (paths: string) => `--transform-preload-library=transform-library-paths=${paths}`;
    const together = await opt(read(`${first},${second}`), '--transform-interpreter', path);
    expect(together).toMatchObject({ code: 0, out: expect.stringContaining('scf.for') as string });
    expect(await opt(read(first), read(second), '--transform-interpreter', path)).toEqual(together);
    expect((await opt(read(first), '--transform-interpreter', path)).code).toBe(1);
  });
  it('includes sequences of a library', async () => {
    const library = both(included('slice'), 'library.mlir');
    const main = `module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        transform.include @slice failures(propagate) (%root) : (!transform.any_op) -> ()
        transform.yield
      }
      transform.named_sequence private @slice(!transform.any_op {transform.consumed})
    }`;
    const path = both(`${payload()}${main.replace(/^ *transform.named_sequence private.*\n/m, '')}`);
    const { out } = await opt(
      `--transform-preload-library=transform-library-paths=${library}`,
      '--transform-interpreter',
      path,
    );
    expect(out).toContain('scf.for');
  });
});

describe('bufferization', () => {
  it('leaves boundaries alone by default, as upstream', async () => {
    const path = fileWith(payload());
    expect((await opt('--one-shot-bufferize', path)).out).toMatch(/func @conv\(.*tensor/);
    const { out } = await opt('--one-shot-bufferize=bufferize-function-boundaries', path);
    expect(out).toMatch(/func @conv\(.*memref<1x3x9x9xf32, strided<\[\?, \?, \?, \?\], offset: \?>>/);
    expect(out).not.toContain('tensor<1');
  });
  it('has other layouts and results on demand', async () => {
    const options = 'bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map';
    const flags = [`--one-shot-bufferize=${options}`, '--canonicalize', '--drop-equivalent-buffer-results'];
    const { out } = await opt(...flags, fileWith(payload()));
    expect(out).toContain('%arg2: memref<1x5x7x7xf32>) {');
  });
});

describe('the IR on its way', () => {
  const flags = [`-transform=${listing9}`, listing1] as const;
  const titles = (text: string) =>
    [...text.matchAll(/^\/\/ -----\/\/ IR Dump After (.*) \/\/----- \/\/$/gm)].map(([, title]) => title);

  // There are no groups.
  const stages = sconvStages.filter((stage) => stage !== 'ungroup');
  const steps = ['transform.structured.match', ...stages, 'transform.structured.sconv'];
  it('is printed after each step of the schedule, and each stage of what it is expanded to', async () => {
    const { err } = await opt('--mlir-print-ir-after-all', ...flags);
    expect(titles(err)).toEqual(steps);
  });
  it('is printed after each step of a schedule of small ops', async () => {
    const script =
      sequenceText(`%conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %conv : (!transform.any_op) -> !transform.any_op
    transform.foreach %generic : !transform.any_op {
    ^bb0(%each: !transform.any_op):
      %linear = transform.structured.linearize %each : (!transform.any_op) -> !transform.any_op
    }`);
    const all = ['match', 'generalize', 'linearize', 'foreach'].map((name) =>
      name === 'foreach' ? 'transform.foreach' : `transform.structured.${name}`,
    );
    const run = async (flag: string) =>
      titles((await opt(flag, `-transform=${fileWith(script)}`, listing1)).err);
    expect(await run('--mlir-print-ir-after-all')).toEqual(all);
    expect(await run('--mlir-print-ir-after-change')).toEqual(all.slice(1, 3));
  });
  it('is printed after the step that fails', async () => {
    const script = sequenceText(
      'transform.structured.generalize %root : (!transform.any_op) -> !transform.any_op',
    );
    const { err } = await opt('--mlir-print-ir-after-all', `-transform=${fileWith(script)}`, listing1);
    expect(titles(err)).toEqual(['transform.structured.generalize Failed']);
  });
  it('is printed after each stage that changes it', async () => {
    const schedule = fileWith(slicing('mk_info = [4, 2], schedule = "ws"'), 'schedule.mlir');
    const { err } = await opt('--mlir-print-ir-after-change', `-transform=${schedule}`, fileWith(payload()));
    // Weight stationary needs no swap.
    expect(titles(err)).toEqual(stages.filter((stage) => stage !== 'swap'));
  });
  it('goes to files', async () => {
    const folder = join(temporaryFolder(), 'tree');
    const { err } = await opt('--mlir-print-ir-after-all', `--mlir-print-ir-tree-dir=${folder}`, ...flags);
    expect(err).toBe('');
    const files = readdirSync(join(folder, 'builtin_module_no-symbol-name')).sort();
    expect(files).toEqual(steps.map((name, i) => `${i}_${name}.mlir`));
  });
  it.each([
    ['in a file', () => join(fileWith('a file'), 'tree'), 'ENOTDIR'],
    ['in /proc', () => '/proc/none/tree', process.platform === 'linux' ? 'ENOENT' : 'E'],
  ])('needs a folder that can be made, not %s', async (_, make, reason) => {
    const folder = make();
    const { code, out, err } = await opt(
      '--one-shot-bufferize',
      '--mlir-print-ir-after-all',
      `--mlir-print-ir-tree-dir=${folder}`,
      fileWith(payload()),
    );
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`: error: cannot write: ${reason}`);
    expect(err).toMatch(/ \[sconv\/cannot-write\]\n$/);
  });
  it('is printed after passes', async () => {
    const { err } = await opt('--one-shot-bufferize', '--mlir-print-ir-after-all', fileWith(payload()));
    expect(titles(err)).toEqual(['OneShotBufferize (one-shot-bufferize)']);
  });
});

describe('output', () => {
  it('goes to a file as a whole', async () => {
    const path = join(temporaryFolder(), 'out.mlir');
    expect(await opt('-o', path, fileWith('func.func @f() { return }'))).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    expect(readFileSync(path, 'utf8')).toContain('@f');
  });
  it('has the bytes of the input that are no UTF-8', async () => {
    const input = Buffer.from('"a.b"() {d = #foo<"\xff">, s = "\xfe\xc3\xa9"} : () -> ()', 'latin1');
    const path = join(temporaryFolder(), 'out.mlir');
    expect((await opt('--allow-unregistered-dialect', '-o', path, fileWith(input))).code).toBe(0);
    expect(readFileSync(path, 'latin1')).toContain('{d = #foo<"\xff">, s = "\\FE\\C3\\A9"}');
  });
  it('is not written where the work fails', async () => {
    const path = join(temporaryFolder(), 'out.mlir');
    expect((await opt('-o', path, fileWith('func.func @f() { retur }'))).code).toBe(1);
    expect(existsSync(path)).toBe(false);
  });
  it('has a folder', async () => {
    const path = join(temporaryFolder(), 'none', 'out.mlir');
    const { code, err } = await opt(`-o=${path}`, fileWith('func.func @f() { return }'));
    expect(code).toBe(1);
    expect(err).toContain('cannot write');
  });
  /** The parts that times are shown of. */
  const timed = async (...words: readonly string[]): Promise<readonly unknown[]> => {
    const { code, err } = await opt('--mlir-timing', ...words, fileWith(payload()));
    expect(code).toBe(0);
    return [...err.matchAll(/^ +[\d.]+ \( *[\d.]+%\) {2}(.*)$/gm)].map(([, name]) => name);
  };
  it.each([
    [[], ['Parser', 'Output', 'Rest', 'Total']],
    [['--one-shot-bufferize'], ['Parser', 'OneShotBufferize', 'Output', 'Rest', 'Total']],
    [['-transform'], ['Parser', 'Schedule', 'Verifier', 'Output', 'Rest', 'Total']],
    [
      ['-transform', '--verify-each=false'],
      ['Parser', 'Schedule', 'Output', 'Rest', 'Total'],
    ],
  ])('comes with times of each part: %j', async ([first, ...words], parts) => {
    const flags =
      first === '-transform' ? [`${first}=${fileWith(slicing())}`] : first === undefined ? [] : [first];
    expect(await timed(...flags, ...words)).toEqual(parts);
  });
  it('has the bytes of resources, but dumps on the way lack them', async () => {
    const path = fileWith(`func.func @f() -> tensor<2xf32> {
      %0 = arith.constant dense_resource<w> : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    {-# dialect_resources: { builtin: { w: "0x040000000000803f00000040" } } #-}`);
    const { out, err } = await opt('--cse', '--mlir-print-ir-after-all', path);
    expect(out).toContain('w: "0x040000000000803F00000040"');
    expect(err).toContain('dense_resource<w>');
    expect(err).not.toContain('0x04');
  });
  it('has locations on demand', async () => {
    const path = fileWith('func.func @f() { return }');
    expect((await opt(path)).out).not.toContain('loc(');
    expect((await opt('--mlir-print-debuginfo', path)).out).toContain(`loc("${path}":1:1)`);
  });
  it('comes with times on demand', async () => {
    const { err } = await opt('--mlir-timing', fileWith('func.func @f() { return }'));
    expect(err).toMatch(/^ +\d+\.\d{4} \( *[\d.]+%\) {2}Parser$/m);
    expect(err).toMatch(/\(100\.0%\) {2}Total$/m);
  });
});

describe('pipelines', () => {
  it.each([
    'builtin.module(one-shot-bufferize)',
    ' any( one-shot-bufferize{} ) ',
    'builtin.module(one-shot-bufferize, canonicalize)',
  ])("'%s' bufferizes", async (pipeline) => {
    const options = ['--pass-pipeline', pipeline.replaceAll('{}', '{bufferize-function-boundaries}')];
    const { code, out } = await opt(...options, fileWith(payload()));
    expect(code).toBe(0);
    expect(out.includes('memref<1x3x9x9xf32')).toBe(true);
  });
  it('of nothing do nothing', async () => {
    const { code, out } = await opt('--pass-pipeline=builtin.module()', fileWith(payload()));
    expect([code, out]).toEqual([0, (await opt(fileWith(payload()))).out]);
  });
  it.each([
    ['one-shot-bufferize', 1, 'expected a pipeline such as'],
    ['builtin.module(one-shot-bufferize', 34, 'expected a pass and a comma or the end'],
    ['builtin.module(cse) cse', 20, 'expected the end of the pipeline'],
    ['builtin.module(func.func(one-shot-bufferize))', 26, "'one-shot-bufferize' runs on builtin.module"],
    ['builtin.module(canonicalize{top-down)', 28, 'expected a pass and a comma or the end'],
    ['builtin.module(,)', 16, 'expected a pass and a comma or the end'],
    ['func.func()', 1, "passes run on builtin.module, not on 'func.func'"],
    ['builtin.module(one-shot-bufferize canonicalize)', 35, 'expected a pass and a comma or the end'],
    ['builtin.module(one-shot-bufferize, nonsense)', 35, "no pass 'nonsense'"],
  ])("'%s' is wrong at %i", async (pipeline, column, message) => {
    const { code, out, err } = await opt('--pass-pipeline', pipeline, fileWith(payload()));
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`<pass-pipeline>:1:${column}: error: ${message}`);
    expect(err).toContain(`\n${pipeline}\n${' '.repeat(column - 1)}^`);
    expect(err).toContain('[sconv-opt/pass-pipeline]');
  });
  it('nest up to a limit', async () => {
    const { code, err } = await opt('--pass-pipeline', 'any('.repeat(5000), fileWith(payload()));
    expect(code).toBe(1);
    expect(err).toContain('pipelines nest deeper than 256 levels [sconv-opt/pass-pipeline]');
  });
});

it('a payload without operations is nothing to transform', async () => {
  const path = fileWith('// nothing');
  const { code, err } = await opt(`-transform=${fileWith(slicing())}`, path);
  expect(code).toBe(1);
  expect(err).toBe(
    `${path}:1:1: error: the payload is empty: there is nothing to transform [sconv-opt/empty-payload]\n// nothing\n^\n`,
  );
});

it('a schedule sees operations of unknown dialects where they are accepted', async () => {
  const words = [`-transform=${fileWith(slicing())}`, fileWith(`${payload()}"a.b"() : () -> ()`)];
  expect((await opt(...words)).err).toContain('unregistered');
  expect(await opt('--allow-unregistered-dialect', ...words)).toMatchObject({ code: 0, err: '' });
  expect(await opt('--allow-unregistered-dialect', '--one-shot-bufferize', words[1]!)).toMatchObject({
    code: 0,
  });
});

describe('usage', () => {
  it.each([
    ['--nonsense', 'unknown option --nonsense'],
    ['--split-input-fil', "did you mean '--split-input-file'?"],
    ['--verify-each=maybe', "true or false, not 'maybe'"],
    ['-o', 'sconv-opt: -o needs a value'],
    ['--mlir-print-ir-tree-dir=x', 'requires'],
  ])('%s', async (word, message) => {
    const { code, out, err } = await opt(word);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
  it('takes one input and one way to name passes', async () => {
    expect((await opt('a', 'b')).code).toBe(2);
    expect((await opt('--one-shot-bufferize', '-transform=x', 'a')).code).toBe(2);
  });
  it.each([
    [
      '--pass-pipeline=builtin.module(canonicalise)',
      /<pass-pipeline>:1:16: error: no pass 'canonicalise'; there are transform-interpreter/,
    ],
    ['--pass-pipeline=transform-interpreter', /expected a pipeline/],
    ['--pass-pipeline=func.func(transform-interpreter)', /not on 'func.func'/],
    [
      '--pass-pipeline=builtin.module(transform-interpreter{entry=x})',
      /has no option 'entry'; there are entry-point, .*; did you mean 'entry-point'\?/,
    ],
    ['--one-shot-bufferize=bufferize-function-boundaries=maybe', /one of false, true, not 'maybe'/],
    [
      '--one-shot-bufferize=function-boundary-type-conversion=identity-layout',
      /not 'identity-layout'; did you mean 'identity-layout-map'\?/,
    ],
    ['--pass-pipeline=builtin.module(one-shot-bufferise)', /; did you mean 'one-shot-bufferize'\?/],
  ])('%s', async (word, message) => {
    const { code, err } = await opt(word, fileWith(payload()));
    expect(code).toBe(1);
    expect(err).toMatch(message);
  });
  it.each(['--help', '-h', '--version'])('%s', async (word) => {
    const { code, out, err } = await opt(word);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('sconv-opt');
  });
});
