import { patternNames } from '@sconv/transform/testing';
import { expect, it } from 'vitest';
import { patternSets } from '../src/transforms.ts';

it.each(patternSets.map((set) => [set.operation, set] as const))(
  'the patterns of %s have names of their own',
  (_, set) => {
    for (const value of [0, 1, 2, 3]) {
      const names = patternNames(set, value);
      expect(names.filter((name) => name.startsWith(' '))).toEqual([]);
      expect(names).toEqual([...new Set(names)]);
    }
  },
);
