import { describe, expect, it } from 'vitest';
import {
  andThen,
  collect,
  definite,
  DiagnosticError,
  error,
  fileLocation,
  mapSuccess,
  silenceable,
  silenceableError,
  success,
  unknownLocation,
  unwrap,
  warning,
  wrongOpKind,
} from '../src/index.ts';

const at = fileLocation('payload.mlir', 3, 5);

describe('Diagnosed', () => {
  it('unwraps a success to its value', () => {
    expect(unwrap(success(7))).toBe(7);
  });

  it.each([{ status: 'success' }, { diagnostics: [] }, null, 7])('is not %j', (given) => {
    expect(() => unwrap(given as never)).toThrow(
      'unwrap expects the result of a function that may fail, not ',
    );
  });

  it.each([
    silenceable(error('test/overflow', 'no dimension 9', at)),
    silenceableError('test/overflow', 'no dimension 9', { location: at }),
    definite(error('test/overflow', 'no dimension 9', at)),
  ])('throws a rendered DiagnosticError for $status', (failed) => {
    expect(() => unwrap(failed)).toThrow('payload.mlir:3:5: error: no dimension 9 [test/overflow]');
    expect(() => unwrap(failed)).toThrow(DiagnosticError);
  });
  it('is recoverable or not', () => {
    const problem = error('test/overflow', 'no dimension 9', at);
    expect(silenceable(problem)).toEqual({ status: 'silenceable', diagnostics: [problem] });
    expect(definite(problem)).toEqual({ status: 'definite', diagnostics: [problem] });
  });
  it('names an operation that has no location', () => {
    const built = { name: 'linalg.matmul', location: unknownLocation };
    const failed = silenceableError('test/overflow', 'no dimension 9', built);
    expect(() => unwrap(failed)).toThrow('linalg.matmul: error: no dimension 9 [test/overflow]');
    const parsed = silenceableError('test/overflow', 'no dimension 9', { ...built, location: at });
    expect(() => unwrap(parsed)).toThrow('payload.mlir:3:5: error');
  });
  it('says at which operation a transform cannot be applied', () => {
    const failed = wrongOpKind('test/kind', { location: at });
    expect(() => unwrap(failed)).toThrow(
      'payload.mlir:3:5: error: transform applied to the wrong op kind [test/kind]\n' +
        'payload.mlir:3:5: note: when applied to this op',
    );
  });
  it('shows the lines of the sources that it is given', () => {
    const failed = definite(error('test/overflow', 'no dimension 9', at));
    const sources = new Map([['payload.mlir', 'a\nb\nthe line']]);
    expect(() => unwrap(failed, sources)).toThrow(/\[test\/overflow\]\nthe line\n {4}\^$/);
  });

  it('keeps the warnings of both steps of a chain', () => {
    const first = success(1, [warning('test/first', 'one', at)]);
    const both = andThen(first, (value) => success(value + 1, [warning('test/second', 'two', at)]));
    expect(both).toMatchObject({
      status: 'success',
      value: 2,
      diagnostics: [{ code: 'test/first' }, { code: 'test/second' }],
    });
  });

  it('collects up to the first failure', () => {
    const step = (n: number) => (n < 3 ? success(n * 2) : silenceable(error('test/b', `not ${n}`, at)));
    expect(collect([1, 2], step)).toMatchObject({ status: 'success', value: [2, 4] });
    expect(collect([1, 3, 5], step)).toMatchObject({
      status: 'silenceable',
      diagnostics: [{ message: 'not 3' }],
    });
    expect(mapSuccess(collect([1], step), (values) => values.length)).toMatchObject({ value: 1 });
  });

  it('collects the warnings in their order', () => {
    const step = (n: number) =>
      success(n, [warning('test/first', `${n}a`, at), warning('test/second', `${n}b`, at)]);
    const messages = collect([1, 2], step).diagnostics.map(({ message }) => message);
    expect(messages).toEqual(['1a', '1b', '2a', '2b']);
  });

  it('does not run the next step after a failure', () => {
    const failed = definite(error('test/b', 'broken', unknownLocation));
    expect(
      andThen(failed, () => {
        throw new Error('must not run');
      }),
    ).toBe(failed);
  });
});
