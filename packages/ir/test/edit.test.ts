import { describe, expect, it } from 'vitest';
import { definite, error, success, unknownLocation } from '@sconv/diagnostics';
import {
  edit,
  findOperation,
  i64,
  memrefType,
  tensorType,
  tryEdit,
  unitAttribute,
  walk,
} from '../src/index.ts';
import type { Rewriter } from '../src/index.ts';
import { checkInvariants, named, sample } from './sample-module.ts';
import { registry } from './test-dialect.ts';

describe('edit', () => {
  it('returns the very module when nothing changes', () => {
    const module = sample();
    expect(edit(module, { registry }, (r) => r.walk(r.root).length).module).toBe(module);
  });

  it('shares the functions that it does not touch', () => {
    const module = sample(3);
    const [first, second, third] = named(module, 'func.func');
    const edited = edit(module, { registry }, (r) => {
      r.setAttribute(r.find(named(module, 'test.loop')[1]!), 'mark', unitAttribute);
    }).module;
    const [a, b, c] = named(edited, 'func.func');
    expect([a === first, b === second, c === third]).toEqual([true, false, true]);
    expect(b!.id).toBe(second!.id);
    expect(Object.keys(named(edited, 'test.loop')[1]!.attributes)).toEqual(['mark']);
    checkInvariants(edited);
  });

  it('leaves the old module as it was', () => {
    const module = sample();
    const before = JSON.stringify(module);
    edit(module, { registry }, (r) => {
      for (const op of named(module, 'test.use')) r.eraseOperation(r.find(op));
    });
    expect(JSON.stringify(module)).toBe(before);
  });

  it('branches from one module twice', () => {
    const module = sample();
    const [target] = named(module, 'test.loop');
    const left = edit(module, { registry }, (r) =>
      r.setAttribute(r.find(target!), 'left', unitAttribute),
    ).module;
    const right = edit(module, { registry }, (r) =>
      r.setAttribute(r.find(target!), 'right', unitAttribute),
    ).module;
    expect(Object.keys(named(left, 'test.loop')[0]!.attributes)).toEqual(['left']);
    expect(Object.keys(named(right, 'test.loop')[0]!.attributes)).toEqual(['right']);
  });
});

describe('findOperation', () => {
  it('finds operations of the newest module, of an older one, and none that is gone', () => {
    const module = sample(2);
    const [target] = named(module, 'test.loop');
    const after = edit(module, { registry }, (r) => r.eraseOperation(r.find(target!))).module;
    expect(findOperation(module, target!.id, registry)).toBe(target);
    expect(findOperation(after, target!.id, registry)).toBeUndefined();
    for (const op of walk(after.root)) expect(findOperation(after, op.id, registry)).toBe(op);
    expect(findOperation(after, 10_000, registry)).toBeUndefined();
  });
});

describe('a rewriter', () => {
  it('does not change operations of another edit', () => {
    const module = sample();
    const target = named(module, 'test.use')[0]!;
    const first = edit(module, { registry }, (r) => {
      r.setAttribute(r.find(target), 'mark', unitAttribute);
      return r.find(target);
    });
    const stale = first.results;
    const late = (change: (r: Rewriter) => void) => () => edit(module, { registry }, change);
    expect(late((r) => r.setAttribute(stale, 'late', unitAttribute))).toThrow(
      "'test.use' is not in the module",
    );
    const insertion = late((r) => {
      r.setInsertionPointBefore(stale);
      r.clone(target);
    });
    expect(insertion).toThrow("' is not in the module: it was erased, or is of another edit");
    expect(() => edit(module, { registry }, (r) => r.find(undefined as never))).toThrow('no operation with');
  });

  it('cannot be used after its edit', () => {
    let kept: Rewriter | undefined;
    const module = sample();
    edit(module, { registry }, (r) => {
      kept = r;
    });
    expect(() => kept!.find(named(module, 'test.loop')[0]!)).toThrow('this edit is over');
  });
});

describe('tryEdit', () => {
  it('wants a function that says whether it failed', () => {
    for (const given of [5, undefined, Promise.resolve(success(1))])
      expect(() => tryEdit(sample(), { registry }, () => given as never)).toThrow(
        /^tryEdit expects the result/,
      );
  });

  it('fails where a number passes 2^53, and drops what it did', () => {
    const module = sample();
    const failed = tryEdit(module, { registry }, (r) => {
      r.eraseOperation(r.find(named(module, 'test.loop')[0]!));
      return success(tensorType([2 ** 53], i64));
    });
    expect(failed).toMatchObject({ status: 'silenceable', diagnostics: [{ code: 'edit/arithmetic' }] });
    expect(edit(module, { registry }, (r) => r.root).module).toBe(module);
    expect(() => edit(module, { registry }, () => memrefType([NaN], i64))).toThrow('not NaN');
  });

  it('drops what a failed edit did', () => {
    const module = sample();
    const failed = tryEdit(module, { registry }, (r) => {
      r.eraseOperation(r.find(named(module, 'test.loop')[0]!));
      return definite(error('test/fails', 'no', unknownLocation));
    });
    expect(failed.status).toBe('definite');
    const again = edit(
      module,
      { registry },
      (r) => r.walk(r.root).filter((op) => op.name === 'test.loop').length,
    );
    expect(again.results).toBe(1);
  });
});
