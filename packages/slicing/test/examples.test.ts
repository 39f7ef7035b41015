import { expect, it } from 'vitest';
import { firstDifference } from '@sconv/interpreter/testing';
import { exampleTester } from '@sconv/transform/testing';
import { transforms } from '../src/index.ts';
import { allTransforms } from './payloads.ts';

const run = exampleTester(allTransforms, { difference: firstDifference });

const examples = transforms.flatMap(({ definition }) => {
  const own = definition.transform.examples();
  expect(own.length, definition.name).toBeGreaterThan(0);
  return own;
});

it.each(examples)('as text and as code: $title', (example) => {
  const { asText, asCode } = run(example);
  expect(asText).toMatchObject({ status: 'success', diagnostics: '' });
  expect(asCode).toEqual(asText);
});
