import { expect, it } from 'vitest';
import { firstDifference } from '@sconv/interpreter/testing';
import { exampleTester, executedNames } from '@sconv/transform/testing';
import { transforms } from '../src/transforms.ts';
import { examples } from './examples.ts';

const run = exampleTester(transforms, { difference: firstDifference });

it('show every transform of the package', () => {
  expect(Object.keys(examples).sort()).toEqual(executedNames(transforms));
});

it.each(Object.values(examples).flat())('as text and as code: $title', (example) => {
  const { asText, asCode } = run(example);
  expect(asText).toMatchObject({ status: 'success', diagnostics: '' });
  expect(asCode).toEqual(asText);
});
