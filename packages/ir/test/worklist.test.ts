import { describe, expect, it } from 'vitest';
import { Worklist } from '../src/worklist.ts';

const drained = (list: Worklist<string>): string => {
  const items: string[] = [];
  for (let item = list.pop(); item !== undefined; item = list.pop()) items.push(item);
  return items.join('');
};

describe('Worklist', () => {
  it.each<[string, (list: Worklist<string>) => void, string]>([
    ['gives the last first', () => undefined, 'cba'],
    ['holds an item once, where it was first', (list) => list.push('a'), 'cba'],
    ['forgets what is removed', (list) => list.remove('b'), 'ca'],
    ['forgets the last', (list) => list.remove('c'), 'ba'],
    ['does not mind what is not there', (list) => list.remove('x'), 'cba'],
    [
      'takes up again what was removed or taken',
      (list) => {
        list.remove('a');
        list.pop();
        list.push('a');
        list.push('c');
      },
      'cab',
    ],
    ['is empty once cleared', (list) => list.clear(), ''],
  ])('%s', (_, change, expected) => {
    const list = new Worklist<string>();
    for (const item of 'abc') list.push(item);
    change(list);
    expect(drained(list)).toBe(expected);
  });
});
