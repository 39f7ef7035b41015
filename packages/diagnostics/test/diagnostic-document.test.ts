import { expect, it } from 'vitest';
import {
  diagnosticDocument,
  fileLocation,
  locationDocument,
  unknownLocation,
  warning,
} from '../src/index.ts';

it('is a diagnostic as JSON, its notes included', () => {
  const note = { message: 'the cause', location: unknownLocation };
  const diagnostic = warning('test/example', 'what is wrong', fileLocation('a.mlir', 3, 7), [note]);
  expect(JSON.parse(JSON.stringify(diagnosticDocument(diagnostic)))).toEqual({
    severity: 'warning',
    code: 'test/example',
    message: 'what is wrong',
    location: { file: 'a.mlir', line: 3, column: 7 },
    notes: [{ message: 'the cause', location: null }],
  });
});

it.each([
  [{ kind: 'name', name: 'conv1', child: unknownLocation }, { name: 'conv1' }],
  [
    { kind: 'name', name: 'conv1', child: fileLocation('a.mlir', 1, 2) },
    { file: 'a.mlir', line: 1, column: 2 },
  ],
  [unknownLocation, null],
] as const)('is the place of %j', (location, place) => {
  expect(locationDocument(location)).toEqual(place);
});
