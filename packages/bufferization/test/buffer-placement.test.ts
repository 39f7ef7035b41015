/** Passes that choose where buffers are: in which block, on the heap or on the stack. */
import { describe, expect, it } from 'vitest';
import { made } from './run-pass.ts';

describe('buffer-hoisting', () => {
  const lines = (text: string): readonly string[] =>
    made('buffer-hoisting', text)
      .split('\n')
      .map((line) => line.trim());

  it('moves allocations out of branches, as far as their sizes are known', () => {
    const text = `func.func @f(%c: i1, %n: index, %x: f32) {
  scf.if %c {
    %a = memref.alloc() : memref<4xf32>
    %k = arith.addi %n, %n : index
    %b = memref.alloc(%k) : memref<?xf32>
    %r = scf.if %c -> (memref<4xf32>) {
      linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
      %d = memref.alloc() : memref<4xf32>
      scf.yield %d : memref<4xf32>
    } else {
      scf.yield %a : memref<4xf32>
    }
    linalg.fill ins(%x : f32) outs(%r : memref<4xf32>)
  }
  return
}`;
    const found = lines(text);
    const at = (start: string): number => found.findIndex((line) => line.includes(start));
    expect(at('memref.alloc() : memref<4xf32>')).toBeGreaterThan(at('scf.if %arg0 {'));
    expect(at('memref.alloc(%')).toBeGreaterThan(at('arith.addi'));
    expect(found.lastIndexOf('%alloc_1 = memref.alloc() : memref<4xf32>')).toBeLessThan(
      at('-> (memref<4xf32>)'),
    );
  });

  it('leaves what is freed where it is', () => {
    const text = `func.func @f(%c: i1, %x: f32) {
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  linalg.fill ins(%x : f32) outs(%r : memref<4xf32>)
  memref.dealloc %r : memref<4xf32>
  return
}`;
    expect(lines(text)[1]).toContain('scf.if');
  });

  it('moves them to blocks that all uses follow', () => {
    const text = `func.func @f(%c: i1, %x: f32, %m: memref<4xf32>) {
  cf.cond_br %c, ^bb1, ^bb2(%m : memref<4xf32>)
^bb1:
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  cf.br ^bb2(%a : memref<4xf32>)
^bb2(%r: memref<4xf32>):
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
}`;
    expect(lines(text)[1]).toContain('memref.alloc()');
  });

  it('leaves them in loops', () => {
    const text = `func.func @f(%c: i1, %n: index, %x: f32) {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  }
  return
}`;
    expect(lines(text).findIndex((line) => line.includes('memref.alloc'))).toBe(3);
  });
});

describe('promote-buffers-to-stack', () => {
  it('keeps what a block hands to one that returns it', () => {
    const text = `func.func @f() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  cf.br ^bb1(%a : memref<4xf32>)
^bb1(%r: memref<4xf32>):
  return %r : memref<4xf32>
}`;
    expect(made('promote-buffers-to-stack', text)).toContain('memref.alloc()');
  });
});

describe('buffer-loop-hoisting', () => {
  const loop = (
    kind: string,
    body: string,
    results = '',
  ) => `func.func @f(%n: index, %x: f32, %all: memref<?xmemref<7xf32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = memref.alloc() : memref<4xf32>
  ${results}scf.${kind} {
    ${body}
  }
  return
}`;
  const before = (text: string, what: string): boolean => text.indexOf(what) < text.indexOf('scf.for');

  it.each([
    [
      'one for each iteration',
      'for %i = %c0 to %n step %c1',
      '%a = memref.alloc() : memref<5xf32>\nlinalg.fill ins(%x : f32) outs(%a : memref<5xf32>)',
      '',
      true,
    ],
    [
      'one of the size of an iteration',
      'for %i = %c0 to %n step %c1',
      '%a = memref.alloc(%i) : memref<?xf32>\nlinalg.fill ins(%x : f32) outs(%a : memref<?xf32>)',
      '',
      false,
    ],
    [
      'one of a size from outside',
      'for %i = %c0 to %n step %c1',
      '%a = memref.alloc(%n) : memref<?xf32>\nlinalg.fill ins(%x : f32) outs(%a : memref<?xf32>)',
      '',
      true,
    ],
    [
      'one that the next iteration gets',
      'for %i = %c0 to %n step %c1 iter_args(%m = %i0) -> (memref<4xf32>)',
      '%a = memref.alloc() : memref<4xf32>\nmemref.copy %m, %a : memref<4xf32> to memref<4xf32>\nscf.yield %a : memref<4xf32>',
      '%r = ',
      false,
    ],
    [
      'one that each iteration frees',
      'for %i = %c0 to %n step %c1',
      '%a = memref.alloc() : memref<5xf32>\nmemref.dealloc %a : memref<5xf32>',
      '',
      false,
    ],
    [
      'one that each iteration frees by another name',
      'for %i = %c0 to %n step %c1',
      `%a = memref.alloc() : memref<5xf32>
%c = arith.cmpi eq, %i, %n : index
%b = arith.select %c, %a, %a : memref<5xf32>
memref.dealloc %b : memref<5xf32>`,
      '',
      false,
    ],
    [
      'one that each iteration leaves in a table',
      'for %i = %c0 to %n step %c1',
      `%a = memref.alloc() : memref<7xf32>
memref.store %a, %all[%i] : memref<?xmemref<7xf32>>`,
      '',
      false,
    ],
  ])('moves %s', (_name, kind, body, results, isMoved) => {
    const text = made('buffer-loop-hoisting', loop(kind, body, results));
    const [, second] = text.split('memref.alloc(');
    expect(text.match(/memref\.alloc\(/g)).toHaveLength(2);
    expect(second!.includes('scf.for')).toBe(!isMoved);
  });

  it('leaves one to iterations that may overlap', () => {
    const text = made(
      'buffer-loop-hoisting',
      loop(
        'forall (%i) in (%n)',
        '%a = memref.alloc() : memref<5xf32>\nlinalg.fill ins(%x : f32) outs(%a : memref<5xf32>)',
      ),
    );
    expect(before(text.replaceAll('scf.forall', 'scf.for'), 'memref<5xf32>')).toBe(false);
  });
});

describe('promote-buffers-to-stack', () => {
  const alloc = (type: string, use = '') => `func.func @f(%x: f32, %n: index) {
  %0 = memref.alloc() {alignment = 64 : i64} : ${type}
  ${use}
  return
}`;
  it.each([
    ['a small one', alloc('memref<16x16xf32>'), true],
    ['a large one', alloc('memref<16x17xf32>'), false],
    ['one that is freed', alloc('memref<4xf32>', 'memref.dealloc %0 : memref<4xf32>'), false],
    [
      'one that is freed by another name',
      alloc(
        'memref<4xf32>',
        '%1 = memref.cast %0 : memref<4xf32> to memref<?xf32>\nmemref.dealloc %1 : memref<?xf32>',
      ),
      false,
    ],
    [
      'one that is kept elsewhere',
      alloc('memref<4xf32>', 'memref.store %0, %all[%n] : memref<?xmemref<4xf32>>').replace(
        '%n: index',
        '%n: index, %all: memref<?xmemref<4xf32>>',
      ),
      false,
    ],
    [
      'one that is returned',
      'func.func @f() -> memref<4xf32> {\n%0 = memref.alloc() : memref<4xf32>\nreturn %0 : memref<4xf32>\n}',
      false,
    ],
    [
      'one of a loop, which is a scope',
      `func.func @f(%n: index) {
        scf.for %i = %n to %n step %n {
          %0 = memref.alloc() : memref<4xf32>
        }
        return
      }`,
      true,
    ],
    [
      'one of a loop that is none',
      `func.func @f(%c: i1) {
        scf.while : () -> () {
          scf.condition(%c)
        } do {
          %0 = memref.alloc() : memref<4xf32>
          scf.yield
        }
        return
      }`,
      false,
    ],
    [
      'one of the size of a rank',
      'func.func @f(%m: memref<*xf32>) {\n%r = memref.rank %m : memref<*xf32>\n%0 = memref.alloc(%r) : memref<?xf32>\nreturn\n}',
      true,
    ],
    ['a small one of vectors', alloc('memref<8x8xvector<4xf32>>'), true],
    ['a large one of vectors', alloc('memref<8x8xvector<5xf32>>'), false],
    ['a small one of complex numbers', alloc('memref<16x8xcomplex<f32>>'), true],
    ['a large one of complex numbers', alloc('memref<16x9xcomplex<f32>>'), false],
    ['a small one of indices', alloc('memref<16x8xindex>'), true],
    ['a large one of indices', alloc('memref<16x9xindex>'), false],
    ['one of any size', 'func.func @f(%n: index) {\n%0 = memref.alloc(%n) : memref<?xf32>\nreturn\n}', false],
  ])('%s', (_name, text, isPromoted) => {
    expect(made('promote-buffers-to-stack', text).includes('memref.alloca(')).toBe(isPromoted);
  });

  it('takes other bounds', () => {
    const text = alloc('memref<4xf32>');
    expect(made('promote-buffers-to-stack', text, { 'max-alloc-size-in-bytes': '15' })).toContain(
      'memref.alloc(',
    );
    expect(made('promote-buffers-to-stack', text, { 'max-alloc-size-in-bytes': '16' })).toContain(
      'memref.alloca(',
    );
  });
});
