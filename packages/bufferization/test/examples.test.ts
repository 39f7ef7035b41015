import { expect, it } from 'vitest';
import { exampleTester, executedNames } from '@sconv/transform/testing';
import { bufferizationInterfaces } from '../src/index.ts';
import { transforms } from '../src/transforms.ts';
import { examples } from './examples.ts';

const run = exampleTester(transforms, { attachments: bufferizationInterfaces });

it('show every transform of the package', () => {
  expect(Object.keys(examples)).toEqual(executedNames(transforms));
});

it.each(Object.values(examples).flat())('as text and as code: $title', (example) => {
  const { asText, asCode } = run(example);
  expect(asText).toMatchObject({ status: 'success', diagnostics: '' });
  expect(asCode).toEqual(asText);
});
