import { expect, it } from 'vitest';
import { FieldError, fieldChecks } from '../src/index.ts';

class OwnError extends FieldError {
  override readonly name = 'OwnError';
}

const { expectRecord, expectList } = fieldChecks(OwnError, { record: 'test/record', list: 'test/list' });

it.each([
  [() => expectRecord('shape', 3), 'test/record', 'shape', 'shape: expected an object, not 3'],
  [() => expectRecord('shape', {}, 'tile'), 'test/record', 'shape.tile', /expected an object, not undefined/],
  [() => expectList('sizes', 'all'), 'test/list', 'sizes', "sizes: expected a list, not 'all'"],
])('what is refused is named, with the code of the package: %#', (check, code, field, message) => {
  expect(check).toThrow(expect.objectContaining({ name: 'OwnError', code, field }));
  expect(check).toThrow(message);
});

it('what is expected passes', () => {
  expect(() => {
    expectRecord('shape', { tile: {} }, 'tile');
    expectList('sizes', []);
  }).not.toThrow();
});
