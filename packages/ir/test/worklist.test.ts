import { describe, expect, it } from 'vitest';
import { Worklist } from '../src/worklist.ts';

interface Item {
  readonly id: number;
  readonly name: string;
}

const a: Item = { id: 0, name: 'a' };
const b: Item = { id: 1, name: 'b' };
const c: Item = { id: 2, name: 'c' };
const x: Item = { id: 3, name: 'x' };

const drained = (list: Worklist<Item>): string => {
  const items: string[] = [];
  for (let item = list.pop(); item !== undefined; item = list.pop()) items.push(item.name);
  return items.join('');
};

describe('Worklist', () => {
  it.each<[string, (list: Worklist<Item>) => void, string]>([
    ['gives the last first', () => undefined, 'cba'],
    ['holds an item once, where it was first', (list) => list.push(a), 'cba'],
    ['forgets what is removed', (list) => list.remove(b), 'ca'],
    ['forgets the last', (list) => list.remove(c), 'ba'],
    ['does not mind what is not there', (list) => list.remove(x), 'cba'],
    [
      'takes up again what was removed or taken',
      (list) => {
        list.remove(a);
        list.pop();
        list.push(a);
        list.push(c);
      },
      'cab',
    ],
    ['is empty once cleared', (list) => list.clear(), ''],
  ])('%s', (_, change, expected) => {
    const list = new Worklist<Item>();
    for (const item of [a, b, c]) list.push(item);
    change(list);
    expect(drained(list)).toBe(expected);
  });
});
