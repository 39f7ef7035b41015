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

  it.each([
    [
      'all of a line that is not too long',
      `${'a'.repeat(100)}X${'b'.repeat(59)}`,
      101,
      `${'a'.repeat(100)}X${'b'.repeat(59)}`,
      100,
    ],
    ['the start of a longer one', `aX${'b'.repeat(159)}`, 2, `aX${'b'.repeat(158)}…`, 1],
    [
      'the place, with what stands before',
      `${'a'.repeat(100)}X${'b'.repeat(200)}`,
      101,
      `…${'a'.repeat(40)}X${'b'.repeat(119)}…`,
      41,
    ],
    [
      'all but the first letter before the place',
      `z${'a'.repeat(40)}X${'b'.repeat(200)}`,
      42,
      `…${'a'.repeat(40)}X${'b'.repeat(119)}…`,
      41,
    ],
    ['the end of a longer one', `${'a'.repeat(200)}Xbb`, 201, `…${'a'.repeat(40)}Xbb`, 41],
    ['a place behind the end', 'abc', 9, 'abc', 3],
    ['a line with a carriage return', 'abc\r', 2, 'abc', 1],
  ])('shows %s', (_, line, column, shown, indent) => {
    const diagnostic = error('parse/token', 'odd', fileLocation('a.mlir', 2, column));
    const text = render(diagnostic, new Map([['a.mlir', `first\n${line}\nlast`]]));
    expect(text).toBe(`a.mlir:2:${column}: error: odd [parse/token]\n${shown}\n${' '.repeat(indent)}^`);
  });
  it('shows control characters as symbols', () => {
    const diagnostic = error('parse/token', 'odd \u001b[2J', fileLocation('a.mlir', 1, 3));
    const text = render(diagnostic, new Map([['a.mlir', 'a\0\u001b[31mb\u009b2J\u007f']]));
    expect(text).toBe('a.mlir:1:3: error: odd ␛[2J [parse/token]\na␀␛[31mb\ufffd2J\ufffd\n  ^');
  });
  it('shortens the lines of a message', () => {
    const diagnostic = error('parse/token', `${'x'.repeat(1_000_000)}\nnext`, fileLocation('a.mlir', 1, 3));
    expect(render(diagnostic)).toMatch(/^a\.mlir:1:3: error: x{3981}…\nnext \[parse\/token\]$/);
  });
  it('keeps tabs in front of the caret', () => {
    const diagnostic = error('parse/token', 'odd', fileLocation('a.mlir', 1, 5));
    expect(render(diagnostic, new Map([['a.mlir', '\ta\tbc']]))).toMatch(/\n\ta\tbc\n\t \t \^$/);
  });
  it.each([
    ['without sources', undefined],
    ['for another file', new Map([['b.mlir', 'text']])],
    ['for a line that the file has not', new Map([['a.mlir', 'only one']])],
  ])('shows no line %s', (_, sources) => {
    const diagnostic = error('parse/token', 'odd', fileLocation('a.mlir', 2, 3));
    expect(render(diagnostic, sources)).toBe('a.mlir:2:3: error: odd [parse/token]');
  });
  it('shows a line once where notes stand at the same place', () => {
    const [here, there] = [fileLocation('a.mlir', 1, 1), fileLocation('a.mlir', 2, 1)];
    const diagnostic = error('test/b', 'wrong', here, [
      { message: 'cause', location: here },
      { message: 'payload', location: there },
      { message: 'as it is now', location: there },
      { message: 'back', location: here },
    ]);
    expect(render(diagnostic, new Map([['a.mlir', 'one\ntwo']]))).toMatchInlineSnapshot(`
      "a.mlir:1:1: error: wrong [test/b]
      one
      ^
      a.mlir:1:1: note: cause
      a.mlir:2:1: note: payload
      two
      ^
      a.mlir:2:1: note: as it is now
      a.mlir:1:1: note: back
      one
      ^"
    `);
  });
});

it('an unknown location has a kind of its own', () => {
  expect(unknownLocation).toEqual({ kind: 'unknown' });
  expect(printLocation(unknownLocation)).toBe('<unknown>');
});

describe('printLocation', () => {
  it('follows names, calls and fusions to a file position', () => {
    const file = fileLocation('m.mlir', 4, 2);
    expect(printLocation({ kind: 'name', name: 'conv1', child: file })).toBe('m.mlir:4:2');
    expect(printLocation({ kind: 'call', callee: file, caller: unknownLocation })).toBe('m.mlir:4:2');
    expect(printLocation({ kind: 'fused', locations: [unknownLocation, file] })).toBe('m.mlir:4:2');
    expect(printLocation({ kind: 'name', name: 'conv1', child: unknownLocation })).toBe('conv1');
  });

  it('names the file alone where it is about all of it', () => {
    expect(printLocation(fileLocation('m.mlir', 0, 0))).toBe('m.mlir');
  });
});
