/** Code that an emulator runs; tests are skipped where the emulator, or what its programs are linked from, is missing. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backendLaws } from '@sconv/backend/testing';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule } from '@sconv/ir';
import type { Target } from '@sconv/targets';
import { avx2, avx512, mma, neon, sme } from '@sconv/targets';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { emulatedBackend, nativeBackend } from '../src/index.ts';
import { fakeProgram, fakeTools } from './support.ts';

const registry = createRegistry(payloadDialects);
const cache = mkdtempSync(join(tmpdir(), 'sconv-emulated-'));
afterAll(() => {
  rmSync(cache, { recursive: true, force: true });
});
beforeEach(() => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
  return () => vi.unstubAllEnvs();
});

const runs = (...commands: readonly string[]): boolean =>
  commands.some((command) => spawnSync(command, ['--version']).status === 0);
const hasLlvm = ['mlir-opt-19', 'mlir-translate-19', 'clang-19'].every((tool) => runs(tool));
const has = (name: string, library: string): boolean =>
  hasLlvm && runs(name, `${name}-static`) && existsSync(library);

const machines: readonly (readonly [string, Target, boolean])[] = [
  ['MMA', mma, has('qemu-ppc64le', '/usr/powerpc64le-linux-gnu/lib/libc.a')],
  ['SME', sme, has('qemu-aarch64', '/usr/aarch64-linux-gnu/lib/libc.a')],
  ['NEON', neon, has('qemu-aarch64', '/usr/aarch64-linux-gnu/lib/libc.a')],
  ['AVX2', avx2, has('qemu-x86_64', '/usr/lib/x86_64-linux-gnu/libc.a')],
  ['AVX-512', avx512, hasLlvm && spawnSync('bochs', ['--help']).status === 0],
];

const emit = (text: string, target: Target) =>
  unwrap(nativeBackend.emit(unwrap(parseModule(text, { registry })), { target, registry }));

/** A thousand calls would start a thousand programs, and disposal is left to the garbage collector. */
const laws = backendLaws.filter(({ name }) => name !== 'constants that are disposed of make room');

/** Whether tests take all that they have, as in `.ci/run`, or some of it, as in `npm test`: see CONTRIBUTING.md. */
const isThorough = process.env['THOROUGH'] !== undefined;

/** Half of the laws for one program of qemu; its others differ in flags, and Bochs is slow: one shows that they run. */
const lawsOn = (machine: string): typeof laws =>
  isThorough ? laws : machine === 'MMA' ? laws.filter((_, i) => i % 2 === 0) : laws.slice(0, 1);

/** Microkernels that fill the tiles of a matrix unit, and ones that do not; thoroughly, all sizes. */
const some = <T>(sizes: readonly T[]): readonly T[] =>
  sizes.filter((_, i) => isThorough || i === 0 || i === sizes.length - 1);

describe.each(machines)('%s', (machine, target, isThere) => {
  describe.skipIf(!isThere)('keeps the laws:', () => {
    it.each(lawsOn(machine))('$name', { timeout: 120_000 }, ({ check }) =>
      check({ backend: emulatedBackend, target, registry }),
    );
  });
});

/** A microkernel on local buffers, and what it adds to the output. */
const microkernel = (windows: number, filters: number, steps: number): string => {
  const types = [`1x${steps}x${windows}`, `${steps}x${filters}`, `1x${filters}x${windows}`];
  const [windowType, filterType, outputType] = types.map((sizes) => `memref<${sizes}xf32>`);
  return `func.func @tile(%x: ${windowType}, %y: ${filterType}, %o: ${outputType}) {
    %a = memref.alloc() : ${windowType}
    linalg.copy ins(%x : ${windowType}) outs(%a : ${windowType})
    %b = memref.alloc() : ${filterType}
    linalg.copy ins(%y : ${filterType}) outs(%b : ${filterType})
    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3, d1)>,
      affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : ${windowType}, ${filterType}) outs(%o : ${outputType}) {
      ^bb0(%in: f32, %weight: f32, %out: f32):
        %0 = arith.mulf %in, %weight : f32
        %1 = arith.addf %out, %0 : f32
        linalg.yield %1 : f32
    }
    return
  }`;
};

const integers = (length: number, modulus: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => ((i * 7 + 3) % modulus) - 4);

describe.each<readonly [string, Target, boolean, readonly (readonly [number, number])[]]>([
  [
    'MMA',
    machines[0]![1],
    machines[0]![2],
    [
      [4, 4],
      [16, 8],
      [8, 12],
      [20, 16],
      [6, 5],
    ],
  ],
  [
    'SME',
    machines[1]![1],
    machines[1]![2],
    [
      [16, 16],
      [32, 32],
      [48, 16],
      [16, 48],
      [17, 16],
    ],
  ],
  [
    'AVX-512',
    machines[4]![1],
    machines[4]![2],
    [
      [16, 8],
      [40, 7],
    ],
  ],
])('microkernels on %s', (_, target, isThere, sizes) => {
  it.skipIf(!isThere).each(some(sizes))(
    '%i x %i',
    { timeout: 60_000 },
    async (windows: number, filters: number) => {
      const steps = 7;
      const artifact = unwrap(await emulatedBackend.load(emit(microkernel(windows, filters, steps), target)));
      const [x, y] = [integers(steps * windows, 11), integers(steps * filters, 9)];
      const output = integers(windows * filters, 13);
      const expected = output.map((before, i) => {
        const [filter, window] = [Math.floor(i / windows), i % windows];
        return x
          .filter((__, at) => at % windows === window)
          .reduce((sum, each, k) => sum + each * y[k * filters + filter]!, before);
      });
      artifact.run('tile', x, y, output);
      expect([...output]).toEqual([...expected]);
      artifact.dispose();
    },
  );
});

describe('where the processor is another', () => {
  const foreign = process.arch === 'x64' ? neon : avx2;
  const name = process.arch === 'x64' ? 'qemu-aarch64' : 'qemu-x86_64';
  const emitted = (given = foreign, f = 'f') =>
    emit(`func.func @${f}(%x: f32) -> f32 { return %x : f32 }`, given);

  it('the code needs an emulator', async () => {
    vi.stubEnv('SCONV_EMULATORS', cache);
    const { diagnostics } = await nativeBackend.load(emitted());
    expect(diagnostics).toMatchObject([
      {
        code: 'native/processor',
        message: new RegExp(`it lacks \\w+; ${name}, which would, cannot be found: .*tools/setup-native.sh`),
      },
    ]);
    const later = { ...emitted(process.arch === 'x64' ? avx2 : neon), features: ['amx_of_tomorrow'] };
    expect((await nativeBackend.load(later)).diagnostics).toMatchObject([
      { message: /lacks amx_of_tomorrow; / },
    ]);
    expect((await emulatedBackend.load(emitted())).diagnostics).toMatchObject([
      { message: /^qemu-\w+, which would/ },
    ]);
  });

  it('an emulator runs it, with a warning', async () => {
    vi.stubEnv('SCONV_LLVM', fakeTools(cache, 'echo program > "$last"'));
    // Nothing is written; the result is no argument and has these bits.
    vi.stubEnv(
      'SCONV_EMULATORS',
      fakeProgram(cache, name, String.raw`printf '\377\377\377\377\000\000\200\077'`),
    );
    const result = await nativeBackend.load(emitted());
    expect(result.diagnostics).toMatchObject([
      {
        code: 'native/emulated',
        message: new RegExp(`^this processor lacks \\w+: ${name} -cpu max runs the code`),
      },
    ]);
    const artifact = unwrap(result);
    expect(artifact.emulator).toBe(`${name} -cpu max`);
    expect(artifact.run('f', 5)).toEqual([1]);
    expect(await artifact.runAsync('f', 5)).toEqual([1]);
  });

  it.each([
    [
      'ends with an error',
      'echo "no memory" >&2; exit 3',
      'native/emulator',
      /^qemu-\w+ -cpu max fails on 'f' \(exit code 3\)$/,
      'no memory',
    ],
    ['has too little memory', 'exit 70', 'native/emulator', /\(there is not enough memory\)$/],
    ['gets too little', 'exit 65', 'native/emulator', /\(the program did not get all of its arguments\)$/],
    ['cannot write', 'exit 74', 'native/emulator', /\(the program could not write its results\)$/],
    ['is killed', 'kill -ILL $$', 'native/emulator', /\(SIGILL\)$/],
    ['says too little', 'printf 1234', 'native/emulator', /\(4 bytes of 8\)$/],
    ['hangs', 'exec sleep 60', 'native/emulator', /\(it did not end within 0\.3 s\)$/],
    ['has vectors of another length', 'exit 71', 'native/vector-length', /vectors of another length/],
  ])('a program that %s is a failure of the call', async (_, action, code, message, details?: string) => {
    vi.stubEnv('SCONV_LLVM', fakeTools(cache, 'echo program > "$last"'));
    vi.stubEnv('SCONV_EMULATORS', fakeProgram(cache, name, action));
    // Only a program that does not end has to wait for that.
    vi.stubEnv('SCONV_EMULATOR_SECONDS', action.includes('sleep') ? '0.3' : '60');
    const artifact = unwrap(await nativeBackend.load(emitted()));
    const expected = [{ code, message, ...(details === undefined ? {} : { details }) }];
    expect(artifact.call('f', 1).diagnostics).toMatchObject(expected);
    expect((await artifact.callAsync('f', 1)).diagnostics).toMatchObject(expected);
  });

  it('an emulator that cannot be started is a failure, too', async () => {
    vi.stubEnv('SCONV_LLVM', fakeTools(cache, 'echo program > "$last"'));
    const folder = fakeProgram(cache, name, '');
    writeFileSync(join(folder, name), '#!/no/such/shell\n');
    vi.stubEnv('SCONV_EMULATORS', folder);
    const artifact = unwrap(await nativeBackend.load(emitted()));
    const expected = [{ code: 'native/emulator', message: /ENOENT/ }];
    expect(artifact.call('f', 1).diagnostics).toMatchObject(expected);
    expect((await artifact.callAsync('f', 1)).diagnostics).toMatchObject(expected);
  });

  it('Bochs leaves no folder, also where the program stops', async () => {
    const folder = mkdtempSync(join(cache, 'temporary-'));
    vi.stubEnv('TMPDIR', folder);
    vi.stubEnv('SCONV_LLVM', fakeTools(cache, 'echo program > "$last"'));
    vi.stubEnv('SCONV_EMULATORS', cache);
    const missing = await emulatedBackend.load(emitted(avx512));
    expect(missing.diagnostics).toMatchObject([
      { code: 'native/processor', message: /^bochs, which would, .* install bochs;/ },
    ]);
    const log = String.raw`sed -n 's/^log: //p' "$3"`;
    vi.stubEnv(
      'SCONV_EMULATORS',
      fakeProgram(cache, 'bochs', `echo "00001e[CPU0 ] 3rd (13) exception" > "$(${log})"; exit 1`),
    );
    const artifact = unwrap(await emulatedBackend.load(emitted(avx512)));
    const expected = [
      {
        code: 'native/emulator',
        message: /^bochs with corei7_skylake_x fails on 'f' \(the program has stopped\)$/,
        details: /exception$/,
      },
    ];
    expect(artifact.call('f', 1).diagnostics).toMatchObject(expected);
    expect((await artifact.callAsync('f', 1)).diagnostics).toMatchObject(expected);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.skipIf(!machines[4]![2])(
    'Bochs has little memory, which a failure says',
    { timeout: 60_000 },
    async () => {
      const text = `func.func @f(%i: index, %j: index) -> f32 {
      %0 = memref.alloc() : memref<150000000xf32>
      %1 = arith.constant 1.0 : f32
      memref.store %1, %0[%i] : memref<150000000xf32>
      %2 = memref.load %0[%j] : memref<150000000xf32>
      return %2 : f32
    }`;
      const artifact = unwrap(await emulatedBackend.load(emit(text, avx512)));
      expect(artifact.call('f', 1n, 1n).diagnostics).toMatchObject([
        {
          code: 'native/emulator',
          message: /\(there is not enough memory, of which the machine has 512 MiB\)$/,
        },
      ]);
    },
  );

  it('disposing ends what runs', async () => {
    vi.stubEnv('SCONV_LLVM', fakeTools(cache, 'echo program > "$last"'));
    vi.stubEnv('SCONV_EMULATORS', fakeProgram(cache, name, 'exec sleep 60'));
    const artifact = unwrap(await nativeBackend.load(emitted()));
    const call = artifact.callAsync('f', 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    artifact.dispose();
    await expect(call).rejects.toThrow('disposed');
  });

  it('a program that cannot be linked says what that takes', async () => {
    vi.stubEnv(
      'SCONV_LLVM',
      fakeTools(cache, 'case "$0" in *clang) echo "no crt1.o" >&2; exit 1;; *) echo > "$last";; esac'),
    );
    vi.stubEnv('SCONV_EMULATORS', fakeProgram(cache, name, ''));
    const { diagnostics } = await nativeBackend.load(emitted(foreign, 'g'));
    expect(diagnostics).toMatchObject([
      {
        code: 'native/build',
        message: /^clang fails \(exit status 1\) \(static programs for .* tools\/setup-native\.sh\)$/,
        details: /^no crt1\.o/,
      },
    ]);
  });
});

it('the header of code for SME tells what length of vectors it takes', () => {
  const { header } = emit('func.func @f() { return }', sme);
  expect(header).toContain('right only where there are 64.\n */\nint64_t sconv_streaming_bytes(void);');
  expect(emit('func.func @f() { return }', neon).header).not.toContain('streaming');
});

describe('instructions of matrix units', () => {
  it.skipIf(!machines[0]![2])('of POWER10 are what runs', { timeout: 60_000 }, async () => {
    const emitted = { ...emit(microkernel(16, 8, 3), mma), emulator: ['qemu-ppc64le', '-cpu', 'power9'] };
    const artifact = unwrap(await emulatedBackend.load(emitted));
    const { diagnostics } = artifact.call(
      'tile',
      new Float32Array(48),
      new Float32Array(24),
      new Float32Array(128),
    );
    expect(diagnostics).toMatchObject([{ code: 'native/emulator', message: /\(SIGILL\)/ }]);
  });

  it.skipIf(!machines[1]![2])('of Arm have vectors of one length', { timeout: 60_000 }, async () => {
    const emitted = {
      ...emit(microkernel(16, 16, 3), sme),
      emulator: ['qemu-aarch64', '-cpu', 'max,sme=on,sme256=on'],
    };
    const artifact = unwrap(await emulatedBackend.load(emitted));
    const { diagnostics } = artifact.call(
      'tile',
      new Float32Array(48),
      new Float32Array(48),
      new Float32Array(256),
    );
    expect(diagnostics).toMatchObject([{ code: 'native/vector-length' }]);
  });
});
