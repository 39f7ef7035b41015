/** Builds: without tools, disk space or time, and what is kept of them. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadSignal } from '@sconv/backend';
import { error, unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule } from '@sconv/ir';
import type { Target } from '@sconv/targets';
import { avx2, mma, neon } from '@sconv/targets';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildNative, emulatedBackend, nativeBackend } from '../src/index.ts';
import { fakeTools } from './support.ts';

const registry = createRegistry(payloadDialects);
const cache = mkdtempSync(join(tmpdir(), 'sconv-native-'));
afterAll(() => {
  rmSync(cache, { recursive: true, force: true });
});
beforeEach(() => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
  return () => vi.unstubAllEnvs();
});

const target: Target = process.arch === 'arm64' ? neon : avx2;
const isHost = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);

const emit = (text: string, given = target) =>
  nativeBackend.emit(unwrap(parseModule(text, { registry })), { target: given, registry });

it.skipIf(!isHost).each([
  [63, 'native/no-toolchain'],
  [64, 'native/no-toolchain'],
])('loads functions of any number of arguments, as of %i', async (count, expected) => {
  vi.stubEnv('SCONV_LLVM', cache);
  const names = Array.from({ length: count }, (_, i) => `%a${i}: memref<2xf32>`);
  const loaded = await nativeBackend.load(unwrap(emit(`func.func @f(${names.join()}) { return }`)));
  expect(loaded.diagnostics[0]?.code).toBe(expected);
});

describe('without what it takes', () => {
  const emitted = () => unwrap(emit('func.func @f() { return }'));

  it.skipIf(!isHost).each([
    [
      'no LLVM',
      () => cache,
      'native/no-toolchain',
      /^native code takes LLVM 19, of which mlir-opt, mlir-translate, clang are missing in the folder of SCONV_LLVM/,
    ],
    [
      'another LLVM',
      () => fakeTools(cache, '', 18),
      'native/no-toolchain',
      /or not of that release: name another/,
    ],
    [
      'a tool that fails',
      () => fakeTools(cache, 'echo "no such op" >&2; exit 3'),
      'native/build',
      /^mlir-opt fails \(exit status 3\)$/,
    ],
    [
      'a tool that finds the disk full',
      () => fakeTools(cache, 'printf "cannot write\\nNo space left on device\\nfailed\\n" >&2; exit 1'),
      'native/load',
      /^the library cannot be loaded: there is no space left for it in [^\n]*native$/,
    ],
    [
      'a tool that is killed',
      () => fakeTools(cache, 'kill -9 $$'),
      'native/build',
      /^mlir-opt fails \(signal SIGKILL\)$/,
    ],
    [
      'a library that is none',
      () => fakeTools(cache, 'echo nothing > "$last"'),
      'native/load',
      /^the library cannot be loaded: this system's loader refuses it$/,
    ],
  ])('%s is a failure that says why', async (_, folder, code, message) => {
    vi.stubEnv('SCONV_LLVM', folder());
    const result = await nativeBackend.load(emitted(), { threads: 2 });
    expect(result.diagnostics).toMatchObject([{ code, message }]);
  });

  it.skipIf(!isHost)(
    'a tool that names an operation is a failure there, with what it said apart',
    async () => {
      const said = '/a/folder/in.mlir:2:5: error: it is odd';
      vi.stubEnv('SCONV_LLVM', fakeTools(cache, `echo "${said}" >&2; exit 1`));
      const two = unwrap(emit('func.func @f() { return }\nfunc.func @g() { return }'));
      const [f, g] = two.functions;
      const mlir = (line: number): string =>
        ['func.func @sconv.f() {', '    %0 = "memref.load"() : () -> ()', 'func.func @sconv.g() {', 'return']
          .slice(line)
          .join('\n');
      const at = async (line: number) => (await nativeBackend.load({ ...two, mlir: mlir(line) })).diagnostics;
      expect(await at(0)).toEqual([
        {
          ...error('native/build', "mlir-opt fails on 'memref.load' (exit status 1)", f!.location),
          details: `${said}\n`,
        },
      ]);
      expect(await at(1)).toMatchObject([
        { message: "mlir-opt fails on 'func.func' (exit status 1)", location: g!.location },
      ]);
      const leaves = `case "$last" in
        */llvm.mlir) printf 'llvm.func @sconv.g() {\\n  %%0 = vector.contract\\n' > "$last";;
        *) echo "llvm.mlir:2:3: error: it is none of llvm" >&2; exit 1;;
      esac`;
      vi.stubEnv('SCONV_LLVM', fakeTools(cache, leaves));
      expect(await at(0)).toMatchObject([
        { message: "mlir-translate fails on 'vector.contract' (exit status 1)", location: g!.location },
      ]);
    },
  );

  it.skipIf(!isHost)('a cache that cannot be written is named, whatever is built', async () => {
    vi.stubEnv('SCONV_LLVM', fakeTools(cache, 'exit 0'));
    const file = join(cache, 'file');
    writeFileSync(file, '');
    vi.stubEnv('XDG_CACHE_HOME', file);
    expect((await nativeBackend.load(emitted())).diagnostics).toMatchObject([
      { code: 'native/load', message: /ENOTDIR/ },
    ]);
    const message =
      `the file cannot be built: ${join(file, 'sconv', 'native')} cannot be written (ENOTDIR): ` +
      'set XDG_CACHE_HOME to a folder that can be';
    expect((await buildNative(emitted(), 'obj')).diagnostics).toMatchObject([
      { code: 'native/build', message },
    ]);
  });

  it.skipIf(!isHost)('a cache in /proc is refused', async () => {
    vi.stubEnv('SCONV_LLVM', fakeTools(cache, 'exit 0'));
    vi.stubEnv('XDG_CACHE_HOME', '/proc/none');
    expect((await nativeBackend.load(emitted())).diagnostics).toMatchObject([
      { code: 'native/load', message: /: \/proc\/none\/sconv\/native cannot be written \(ENOENT\)/ },
    ]);
  });

  it.skipIf(!isHost).each([
    [
      'belongs to another user',
      () => vi.spyOn(process, 'getuid').mockReturnValue(process.getuid!() + 1),
      /native belongs to another user: set XDG_CACHE_HOME to a folder of your own$/,
    ],
    [
      'can be written by others',
      (folder: string) => {
        chmodSync(folder, 0o722);
      },
      /native can be written by other users: take that away \(chmod go-w\), or set XDG_CACHE_HOME$/,
    ],
  ])('a cache that %s is refused, also for what it holds', async (_, change, message) => {
    const home = mkdtempSync(join(cache, 'home-'));
    vi.stubEnv('SCONV_LLVM', fakeTools(cache, 'echo built > "$last"'));
    vi.stubEnv('XDG_CACHE_HOME', home);
    expect((await buildNative(emitted(), 'obj')).status).toBe('success');
    change(join(home, 'sconv', 'native'));
    const { diagnostics } = await buildNative(emitted(), 'obj');
    vi.restoreAllMocks();
    expect(diagnostics).toMatchObject([{ code: 'native/build', message }]);
  });

  it.skipIf(!isHost)('a build makes room in the cache, and using a file keeps it', async () => {
    const home = mkdtempSync(join(cache, 'home-'));
    vi.stubEnv('SCONV_LLVM', fakeTools(cache, 'echo built > "$last"'));
    vi.stubEnv('XDG_CACHE_HOME', home);
    const built = async (name: string): Promise<string> =>
      unwrap(await buildNative(unwrap(emit(`func.func @${name}() { return }`)), 'obj'));
    vi.stubEnv('SCONV_CACHE_MIB', '0');
    const old = [await built('f'), await built('g')];
    const hour = new Date(Date.now() - 3_600_000);
    for (const path of old) for (const each of [path, `${path}.sha256`]) utimesSync(each, hour, hour);
    await built('g');
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    const latest = await built('h');
    vi.restoreAllMocks();
    expect([...old, latest].map(existsSync)).toEqual([false, true, true]);
  });

  it.skipIf(!isHost)('a cached file that was damaged is built again', async () => {
    const home = mkdtempSync(join(cache, 'home-'));
    vi.stubEnv('SCONV_LLVM', fakeTools(cache, 'echo built > "$last"'));
    vi.stubEnv('XDG_CACHE_HOME', home);
    const folder = join(home, 'sconv', 'native');
    const kept = unwrap(await buildNative(emitted(), 'obj'));
    writeFileSync(kept, 'buil');
    expect(unwrap(await buildNative(emitted(), 'obj'))).toBe(kept);
    expect(readFileSync(kept, 'utf8')).toBe('built\n');
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it.skipIf(!isHost).each([
    ['buildNative', (signal: LoadSignal) => buildNative(emitted(), 'obj', { signal })],
    ['load', (signal: LoadSignal) => nativeBackend.load(emitted(), { signal })],
  ])('%s builds nothing if the signal is aborted before', async (_, work) => {
    const home = mkdtempSync(join(cache, 'home-'));
    vi.stubEnv('XDG_CACHE_HOME', home);
    vi.stubEnv('SCONV_LLVM', fakeTools(cache, 'echo built > "$last"'));
    expect((await work(AbortSignal.abort())).diagnostics).toMatchObject([{ code: 'native/aborted' }]);
    // While the tools are looked for.
    const controller = new AbortController();
    const working = work(controller.signal);
    controller.abort();
    expect((await working).diagnostics).toMatchObject([{ code: 'native/aborted' }]);
    expect(readdirSync(home)).toEqual([]);
  });

  it('nothing listens to a signal after the build', async () => {
    const listeners = new Set<unknown>();
    let most = 0;
    const signal = {
      aborted: false,
      addEventListener: (name: string, listener: unknown) => {
        listeners.add([name, listener].join());
        most = Math.max(most, listeners.size);
      },
      removeEventListener: (name: string, listener: unknown) => {
        listeners.delete([name, listener].join());
      },
    };
    vi.stubEnv('SCONV_LLVM', join(cache, 'nowhere'));
    await buildNative(emitted(), 'obj', { signal });
    expect([most, listeners.size]).toEqual([1, 0]);
  });

  it.skipIf(!isHost)('a signal that is only a flag stops between two tools', async () => {
    const folder = mkdtempSync(join(cache, 'home-'));
    const log = join(folder, 'log');
    vi.stubEnv('SCONV_LLVM', fakeTools(cache, `echo built > "$last"; basename $0 >> ${log}`));
    vi.stubEnv('XDG_CACHE_HOME', folder);
    const signal = {
      get aborted() {
        return existsSync(log);
      },
    };
    const { diagnostics } = await buildNative(emitted(), 'obj', { signal });
    expect(diagnostics).toMatchObject([{ code: 'native/aborted' }]);
    expect(readFileSync(log, 'utf8')).toBe('mlir-opt\n');
  });

  it.skipIf(!isHost)('a load that is stopped stops the tools', async () => {
    vi.stubEnv('SCONV_LLVM', fakeTools(cache, 'exec sleep 60'));
    const controller = new AbortController();
    const loading = nativeBackend.load(unwrap(emit('func.func @slow() { return }')), {
      signal: controller.signal,
    });
    setTimeout(() => {
      controller.abort();
    }, 300);
    expect((await loading).diagnostics).toMatchObject([{ code: 'native/aborted' }]);
  });
});

describe('on another system than Linux', () => {
  beforeEach(() => {
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    return () => {
      Object.defineProperty(process, 'platform', { value: platform });
    };
  });
  const emitted = (given = target) => unwrap(emit('func.func @f() { return }', given));

  it.each([
    ['of this processor', target],
    ['of another one', mma],
  ])('code %s is not loaded, whatever is installed', async (_, given) => {
    vi.stubEnv('SCONV_LLVM', cache);
    vi.stubEnv('SCONV_EMULATORS', cache);
    for (const backend of [nativeBackend, emulatedBackend])
      expect((await backend.load(emitted(given))).diagnostics).toMatchObject([
        { code: 'native/platform', message: 'native code is loaded on Linux only, and this is darwin' },
      ]);
  });

  it('LLVM IR is built, and a linker that fails is explained', async () => {
    const home = mkdtempSync(join(cache, 'home-'));
    vi.stubEnv('XDG_CACHE_HOME', home);
    vi.stubEnv(
      'SCONV_LLVM',
      fakeTools(cache, 'case "$0" in *clang) echo "no linker" >&2; exit 1;; *) echo built > "$last";; esac'),
    );
    expect(readFileSync(unwrap(await buildNative(emitted(), 'llvm-ir')), 'utf8')).toBe('built\n');
    expect((await buildNative(emitted(), 'obj')).diagnostics).toMatchObject([
      {
        code: 'native/build',
        message: /^clang fails \(exit status 1\) \(the code is for Linux: on darwin, build LLVM IR/,
      },
    ]);
  });
});
