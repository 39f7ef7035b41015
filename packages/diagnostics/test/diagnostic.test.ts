import { describe, expect, it } from 'vitest';
import { error, fileLocation, printLocation, render, unknownLocation } from '../src/index.ts';

describe('render', () => {
  const source = 'func.func @f() {\n  linalg.conv\n}';

  it('shows the line with a caret, and the notes', () => {
    const diagnostic = error('test/operand', 'wrong operand', fileLocation('a.mlir', 2, 3), [
      { message: 'defined here', location: unknownLocation },
    ]);
    expect(render(diagnostic, new Map([['a.mlir', source]]))).toMatchInlineSnapshot(`
      "a.mlir:2:3: error: wrong operand [test/operand]
        linalg.conv
        ^
      <unknown>: note: defined here"
    `);
  });

  it('leaves the excerpt out for a line too long to read, and for an unknown file', () => {
    const diagnostic = error('parse/token', 'odd', fileLocation('a.mlir', 1, 5000));
    expect(render(diagnostic, new Map([['a.mlir', '('.repeat(10_000)]]))).not.toContain('(((');
    expect(render(diagnostic)).toBe('a.mlir:1:5000: error: odd [parse/token]');
  });
});

describe('printLocation', () => {
  it('follows names, calls and fusions to a file position', () => {
    const file = fileLocation('m.mlir', 4, 2);
    expect(printLocation({ kind: 'name', name: 'conv1', child: file })).toBe('m.mlir:4:2');
    expect(printLocation({ kind: 'call', callee: file, caller: unknownLocation })).toBe('m.mlir:4:2');
    expect(printLocation({ kind: 'fused', locations: [unknownLocation, file] })).toBe('m.mlir:4:2');
    expect(printLocation({ kind: 'name', name: 'conv1', child: unknownLocation })).toBe('conv1');
  });
});
