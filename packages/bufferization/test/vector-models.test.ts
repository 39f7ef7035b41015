import { describe, expect, it } from 'vitest';
import { bufferized } from './support.ts';

const read = '%v = vector.transfer_read %t[%i], %z : tensor<4xf32>, vector<4xf32>';

describe('transfers between vectors and tensors', () => {
  it('read and write buffers', () => {
    const { text, diagnostics } =
      bufferized(`func.func @f(%t: tensor<4xf32>, %i: index, %z: f32, %m: vector<4xi1>) -> tensor<4xf32> {
  ${read}
  %0 = vector.transfer_write %v, %t[%i], %m : vector<4xf32>, tensor<4xf32>
  return %0 : tensor<4xf32>
}`);
    expect(diagnostics).toBe('');
    expect(text).toBe(`func.func @f(%arg0: memref<4xf32>, %arg1: index, %arg2: f32, %arg3: vector<4xi1>) {
  %0 = vector.transfer_read %arg0[%arg1], %arg2 : memref<4xf32>, vector<4xf32>
  vector.transfer_write %0, %arg0[%arg1], %arg3 : vector<4xf32>, memref<4xf32>
  return
}`);
  });

  it('copy what is still read', () => {
    const { copies, allocations, diagnostics } =
      bufferized(`func.func @f(%t: tensor<4xf32>, %x: vector<4xf32>, %i: index, %z: f32) -> (tensor<4xf32>, vector<4xf32>) {
  %0 = vector.transfer_write %x, %t[%i] : vector<4xf32>, tensor<4xf32>
  ${read}
  return %0, %v : tensor<4xf32>, vector<4xf32>
}`);
    expect({ copies, allocations, diagnostics }).toEqual({ copies: 1, allocations: 1, diagnostics: '' });
  });

  it('keep nothing of what they overwrite as a whole', () => {
    const { copies, allocations, diagnostics } =
      bufferized(`func.func @f(%t: tensor<4xf32>, %x: vector<4xf32>, %z: f32) -> (tensor<4xf32>, vector<4xf32>) {
  %i = arith.constant 0 : index
  %0 = vector.transfer_write %x, %t[%i] : vector<4xf32>, tensor<4xf32>
  ${read}
  return %0, %v : tensor<4xf32>, vector<4xf32>
}`);
    expect({ copies, allocations, diagnostics }).toEqual({ copies: 0, allocations: 1, diagnostics: '' });
  });
});

describe('transfers under a mask', () => {
  const types = 'vector<4xf32>, tensor<4xf32>';
  const masked = (op: string, result: string) => `vector.mask %m { ${op} } : vector<4xi1> -> ${result}`;
  const written = `%0 = ${masked(`vector.transfer_write %x, %t[%i] : ${types}`, 'tensor<4xf32>')}`;
  const given = '%t: tensor<4xf32>, %x: vector<4xf32>, %i: index, %z: f32, %m: vector<4xi1>';
  const programs = {
    write: `func.func @f(${given}) -> tensor<4xf32> {
  ${written}
  return %0 : tensor<4xf32>
}`,
    read: `func.func @f(${given}) -> vector<4xf32> {
  %0 = ${masked('vector.transfer_read %t[%i], %z : tensor<4xf32>, vector<4xf32>', 'vector<4xf32>')}
  return %0 : vector<4xf32>
}`,
    copy: `func.func @f(${given}) -> (tensor<4xf32>, vector<4xf32>) {
  ${written}
  %v = vector.transfer_read %t[%i], %z : tensor<4xf32>, vector<4xf32>
  return %0, %v : tensor<4xf32>, vector<4xf32>
}`,
  };

  it('write the buffer of the tensor, which the mask does not give', () => {
    const { text, diagnostics } = bufferized(programs.write);
    expect(diagnostics).toBe('');
    expect(text).toContain(`{
  vector.mask %arg4 { vector.transfer_write %arg1, %arg0[%arg2] : vector<4xf32>, memref<4xf32> } : vector<4xi1>
  return
}`);
  });

  it('read it', () => {
    const { text, diagnostics } = bufferized(programs.read);
    expect(diagnostics).toBe('');
    expect(text).toContain('vector.transfer_read %arg0[%arg2], %arg3 : memref<4xf32>, vector<4xf32>');
  });

  it('copy what is still read, all of it, before the mask', () => {
    const { text, copies, allocations, diagnostics } = bufferized(programs.copy);
    expect({ copies, allocations, diagnostics }).toEqual({ copies: 1, allocations: 1, diagnostics: '' });
    expect(text.indexOf('memref.copy')).toBeLessThan(text.indexOf('vector.mask'));
  });

  it.each(Object.entries(programs))('do so with the decisions of upstream: %s', (name, program) => {
    const { text, copies, diagnostics } = bufferized(program, {
      decisions: 'upstream',
      bufferizeFunctionBoundaries: true,
    });
    expect({ copies, diagnostics }).toEqual({ copies: name === 'copy' ? 1 : 0, diagnostics: '' });
    expect(text).not.toMatch(/tensor|-> memref<4xf32> *$/);
  });

  it.each([
    ['sound', 'bufferize/unsupported-op', "'vector.mask' cannot be bufferized"],
    ['upstream', 'bufferize/not-bufferized', 'op was not bufferized'],
  ] as const)('that make a tensor are refused: %s', (decisions, code, message) => {
    const made = `%0 = ${masked('tensor.empty() : tensor<4xf32>', 'tensor<4xf32>')}`;
    const { diagnostics } = bufferized(programs.write.replace(written, made), {
      decisions,
      bufferizeFunctionBoundaries: true,
    });
    expect(diagnostics).toContain(message);
    expect(diagnostics).toContain(`[${code}]`);
  });
});
