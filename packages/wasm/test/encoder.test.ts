import { describe, expect, it } from 'vitest';
import { createModuleBuilder, FunctionTooLargeError } from '../src/encoder.ts';
import { f32, f32x4, i32, select, v128 } from '../src/instructions.ts';
import { runFunction } from './run-function.ts';

describe('a module', () => {
  it('without functions is valid', () => {
    expect(WebAssembly.validate(createModuleBuilder().encode(0))).toBe(true);
  });

  it('imports its memory and exports the functions that have a name', () => {
    const module = createModuleBuilder();
    module.function({ parameters: [] }, () => undefined);
    module.function({ name: 'second', parameters: ['i32'] }, () => undefined);
    const compiled = new WebAssembly.Module(module.encode(3));
    expect(WebAssembly.Module.imports(compiled)).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }]);
    expect(WebAssembly.Module.exports(compiled)).toEqual([{ name: 'second', kind: 'function' }]);
    const small = new WebAssembly.Memory({ initial: 2 });
    expect(() => new WebAssembly.Instance(compiled, { env: { memory: small } })).toThrow(/memory/);
  });

  it('writes its data to the address in a global', () => {
    const { memory } = runFunction(
      [],
      [],
      () => undefined,
      (module) => {
        module.data(module.importGlobal('base'), Uint8Array.of(7, 8, 9));
      },
    );
    expect([...new Uint8Array(memory.buffer, 63, 5)]).toEqual([0, 7, 8, 9, 0]);
  });
});

describe('a function', () => {
  it('keeps operands in order', () => {
    const { f } = runFunction(['i32', 'i32'], ['i32'], (b, x, y) => {
      b.return(i32.sub(b.get(x), b.get(y)));
    });
    expect(f(10, 3)).toBe(7);
  });

  it('loops, branches and leaves blocks', () => {
    // The least power of 3 not below n.
    const { f } = runFunction(['i32'], ['i32'], (b, n) => {
      const power = b.let(i32.const(1));
      b.block((done) => {
        b.loop((again) => {
          b.branchIf(done, i32.geS(b.get(power), b.get(n)));
          b.set(power, i32.mul(b.get(power), i32.const(3)));
          b.branch(again);
        });
      });
      b.return(b.get(power));
    });
    expect([1, 2, 9, 10].map((n) => f(n))).toEqual([1, 3, 9, 27]);
  });

  it('chooses between branches', () => {
    const { f } = runFunction(['f32'], ['f32'], (b, x) => {
      const y = b.local('f32');
      b.if(
        f32.lt(b.get(x), f32.const(0)),
        () => {
          b.set(y, f32.neg(b.get(x)));
        },
        () => {
          b.set(y, f32.const(0.5));
        },
      );
      b.return(select(b.get(y), f32.const(9), f32.ne(b.get(y), f32.const(3))));
    });
    expect([f(-2), f(1), f(-3)]).toEqual([2, 0.5, 9]);
  });

  it('has vectors', () => {
    const { f, memory } = runFunction(['i32'], [], (b, address) => {
      const x = b.let(v128.load(b.get(address)));
      const y = b.let(v128.load32Splat(b.get(address), 4));
      const shuffled = f32x4.shuffle(b.get(x), b.get(y), [3, 0, 4, 1]);
      b.statement(v128.store(b.get(address), f32x4.add(f32x4.mul(b.get(x), b.get(y)), shuffled), 16));
    });
    const floats = new Float32Array(memory.buffer);
    floats.set([1, 2, 3, 4], 4);
    f(16);
    expect([...floats.subarray(8, 12)]).toEqual([1 * 2 + 4, 2 * 2 + 1, 3 * 2 + 2, 4 * 2 + 2]);
  });

  it('must branch to labels in scope and use its own locals', () => {
    const module = createModuleBuilder();
    expect(() =>
      module.function({ parameters: [] }, (b) => {
        b.block((inner) => {
          b.block(() => undefined);
          b.branch({ depth: inner.depth + 1 });
        });
      }),
    ).toThrow(/scope/);
    expect(() =>
      module.function({ parameters: ['i32'] }, (b) => {
        b.set({ type: 'f32', index: 0 }, f32.const(1));
      }),
    ).toThrow(/another function/);
  });

  it('may not be larger than engines take', () => {
    const module = createModuleBuilder();
    expect(() =>
      module.function({ parameters: [] }, (b) => {
        const all = Array.from({ length: 50_001 }, () => b.let(i32.const(1)));
        for (const each of all) b.statement([b.get(each).code, 0x1a]);
      }),
    ).toThrow(FunctionTooLargeError);
  });
});
