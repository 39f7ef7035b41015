/** The transforms that erase dead code and dead stores. */
import { describe, expect, it } from 'vitest';
import { aliases } from './support/aliases.ts';
import { apply, applyUnchecked, found, one } from './support/apply-script.ts';

describe('transform.apply_dce', () => {
  it('erases producers of dead operations, in regions too, and keeps side effects', () => {
    const { text } = apply(
      `func.func @f(%x: i32, %m: memref<4xi32>, %i: index, %c: i1) -> i32 {
  %0 = arith.muli %x, %x : i32
  memref.store %0, %m[%i] : memref<4xi32>
  scf.if %c {
    %1 = arith.addi %0, %x : i32
    %2 = arith.addi %1, %x : i32
  }
  %3 = memref.load %m[%i] : memref<4xi32>
  return %x : i32
}`,
      `${found}\ntransform.apply_dce to %f : ${one}`,
    );
    expect(text).toContain('memref.store');
    expect(text).not.toMatch(/arith.addi|memref.load|scf.if/);
  });
});

describe('transform.memref.erase_dead_alloc_and_stores', () => {
  const script = `${found}\ntransform.memref.erase_dead_alloc_and_stores %f : (${one}) -> ()`;
  const transfers = (...lines: readonly string[]): string => `func.func @f(
  %m: memref<8xf32>, %x: vector<4xf32>, %y: vector<4xf32>, %mask: vector<4xi1>, %c: i1, %f: f32
) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  ${lines.join('\n')}
  return %r : vector<4xf32>
}`;
  const write = (value: string, at: string): string =>
    `vector.transfer_write ${value}, %m[${at}] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>`;
  const read = '%r = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>';
  const maybe = (line: string): string => `scf.if %c {\n${line}\n}`;
  const masked = (line: string): string => {
    const [start, op] = line.startsWith('%r = ') ? ['%r = ', line.slice(5)] : ['', line];
    return `${start}vector.mask %mask { ${op} } : vector<4xi1>${start === '' ? '' : ' -> vector<4xf32>'}`;
  };

  it.each([
    ['the written vector', [write('%x', '%c0'), read], 0, 1],
    ['the last written vector', [write('%x', '%c0'), write('%y', '%c0'), read], 0, 1],
    ['past a write to other elements', [write('%x', '%c0'), write('%y', '%c4'), read], 0, 2],
    ['not past an overlapping write', [write('%x', '%c0'), write('%y', '%c1'), read], 1, 2],
    ['not past a conditional write', [write('%x', '%c0'), maybe(write('%y', '%c0')), read], 1, 2],
    ['not past a store', [write('%x', '%c0'), 'memref.store %f, %m[%c0] : memref<8xf32>', read], 1, 1],
    ['not a masked write', [write('%x', '%c0').replace(']', '], %mask'), read], 1, 1],
    ['not under a mask', [write('%x', '%c0'), masked(read)], 1, 1],
    [
      'and keeps a write that is overwritten under a mask, or before one',
      [
        write('%x', '%c4'),
        masked(write('%y', '%c4')),
        masked(write('%x', '%c0')),
        write('%y', '%c0'),
        masked(read),
      ],
      1,
      4,
    ],
    [
      'and keeps a write that is read before it is overwritten',
      [write('%x', '%c1'), read, write('%y', '%c1')],
      1,
      2,
    ],
    [
      'and keeps a write that is overwritten on one path only',
      [write('%x', '%c4'), read, maybe(write('%y', '%c4'))],
      1,
      2,
    ],
    [
      'and drops a conditional write that is overwritten',
      [maybe(write('%x', '%c4')), read, write('%y', '%c4')],
      1,
      1,
    ],
  ] as const)('reads %s', (_, lines, reads, writes) => {
    const { text, diagnostics } = apply(transfers(...lines), script);
    expect(diagnostics).toBe('');
    expect(text.split('transfer_read').length - 1).toBe(reads);
    expect(text.split('transfer_write').length - 1).toBe(writes);
  });

  it.each([
    ['4, 1', 0],
    ['1, 4', 0],
    // The elements of the second row, but the last, are those of the first.
    ['1, 1', 2],
  ])('reads what was written to a row with strides [%s]', (strides, reads) => {
    const type = `memref<4x4xf32, strided<[${strides}]>>`;
    const payload = `func.func @f(
  %b: memref<16xf32>, %x: vector<1xf32>, %y: vector<1xf32>, %z: vector<2x2xf32>
) -> (vector<1xf32>, vector<2x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %m = memref.reinterpret_cast %b to offset: [0], sizes: [4, 4], strides: [${strides}] : memref<16xf32> to ${type}
  vector.transfer_write %x, %m[%c0, %c1] {in_bounds = [true]} : vector<1xf32>, ${type}
  vector.transfer_write %y, %m[%c1, %c0] {in_bounds = [true]} : vector<1xf32>, ${type}
  %r = vector.transfer_read %m[%c0, %c1], %pad {in_bounds = [true]} : ${type}, vector<1xf32>
  vector.transfer_write %z, %m[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, ${type}
  %s = vector.transfer_read %m[%c0, %c0], %pad {in_bounds = [true, true]} : ${type}, vector<2x2xf32>
  return %r, %s : vector<1xf32>, vector<2x2xf32>
}`;
    const { text, diagnostics } = apply(payload, script);
    expect(diagnostics).toBe('');
    expect(text.split('transfer_read').length - 1).toBe(reads);
  });

  const throughOther = (alias: string, attributes: string, ...lines: readonly string[]): string =>
    transfers(alias, ...lines).replace(
      '%m: memref<8xf32>',
      `%m: memref<8xf32>, %q: memref<8xf32> ${attributes}`,
    );
  const overwrite = [write('%x', '%c0'), write('%y', '%c0').replace('%m', '%e'), read];
  const readOther = [write('%x', '%c0'), read.replace('%m', '%e'), write('%y', '%c0')];

  it.each(aliases)('keeps what is written, or read, through %s', (_, alias) => {
    for (const lines of [overwrite, readOther]) {
      const { text, diagnostics } = apply(throughOther(alias, '', ...lines), script);
      expect(diagnostics).toBe('');
      expect(text.split('transfer_read').length - 1).toBe(1);
      expect(text.split('transfer_write').length - 1).toBe(2);
    }
  });

  it('passes accesses of another buffer', () => {
    const other = '%e = memref.cast %q : memref<8xf32> to memref<8xf32>';
    const forwarded = apply(throughOther(other, '{llvm.noalias}', ...overwrite), script).text;
    expect(forwarded).not.toContain('transfer_read');
    const overwritten = apply(throughOther(other, '{llvm.noalias}', ...readOther), script).text;
    expect(overwritten.split('transfer_write')).toHaveLength(2);
  });

  it('keeps what a called function may access', () => {
    const call = 'func.call @next() : () -> ()';
    const payload = `func.func private @next()\n${transfers(write('%x', '%c0'), call, read)}`;
    expect(apply(payload, script).text).toContain('transfer_read');
  });

  it.each([
    ['is only written', 'memref.store %f, %b[%i] : memref<4xf32>', true],
    [
      'is written through a view',
      '%v = memref.subview %b[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>\nmemref.store %f, %v[%i] : memref<2xf32, strided<[1], offset: 1>>',
      true,
    ],
    [
      'is read through a view',
      '%v = memref.subview %b[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>\n%0 = memref.load %v[%i] : memref<2xf32, strided<[1], offset: 1>>',
      false,
    ],
    ['is passed on', 'func.call @g(%b) : (memref<4xf32>) -> ()', false],
    ['is written by an op with a region', 'linalg.fill ins(%f : f32) outs(%b : memref<4xf32>)', false],
  ])('of a buffer that %s', (_, use, goes) => {
    const { text } = apply(
      `func.func private @g(memref<4xf32>)
func.func @f(%f: f32) {
  %i = arith.constant 1 : index
  %b = memref.alloc() : memref<4xf32>
  ${use}
  memref.dealloc %b : memref<4xf32>
  return
}`,
      script,
    );
    expect(text.includes('memref.alloc')).toBe(!goes);
  });

  it('keeps a buffer that is stored itself', () => {
    const payload = `func.func @f(%all: memref<4xmemref<4xf32>>, %i: index) {
  %b = memref.alloc() : memref<4xf32>
  memref.store %b, %all[%i] : memref<4xmemref<4xf32>>
  return
}`;
    expect(applyUnchecked(payload, script).text).toContain('memref.store');
  });

  it('keeps a buffer that is returned', () => {
    const payload = `func.func @f(%f: f32) -> memref<4xf32> {
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<4xf32>)
  return %b : memref<4xf32>
}`;
    expect(apply(payload, script).text).toContain('memref.alloc');
  });
});
