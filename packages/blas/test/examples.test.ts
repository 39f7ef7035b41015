import { expect, it } from 'vitest';
import { exampleTester, executedNames } from '@sconv/transform/testing';
import { transforms } from '../src/transforms.ts';
import { examples } from './examples.ts';

// Library calls are executed by `tools/integration`, where the library is installed.
const run = exampleTester(transforms);

it('show every transform of the package', () => {
  expect(Object.keys(examples).sort()).toEqual(executedNames(transforms));
});

it.each(Object.values(examples).flat())('as text and as code: $title', (example) => {
  const { asText, asCode } = run(example);
  expect(asText).toMatchObject({ status: 'success', diagnostics: '' });
  expect(asCode).toEqual(asText);
});
