/** symbol-dce keeps public symbols, and what they reference. */
import { unwrap } from '@sconv/diagnostics';
import { children, parseModule, symbolNameOf } from '@sconv/ir';
import { expect, it } from 'vitest';
import { symbolDce } from '../src/index.ts';
import { registry } from './support/table.ts';

it('erases private functions that only each other refer to', () => {
  const text = `
    func.func @main(%x: f32) -> f32 { %0 = call @used(%x) : (f32) -> f32 return %0 : f32 }
    func.func private @used(%x: f32) -> f32 { %0 = call @deep(%x) : (f32) -> f32 return %0 : f32 }
    func.func private @deep(%x: f32) -> f32 { return %x : f32 }
    func.func private @ping(%x: f32) -> f32 { %0 = call @pong(%x) : (f32) -> f32 return %0 : f32 }
    func.func private @pong(%x: f32) -> f32 { %0 = call @ping(%x) : (f32) -> f32 return %0 : f32 }
    memref.global "private" constant @table : memref<2xf32> = dense<0.0>`;
  const module = unwrap(parseModule(text, { registry }));
  const after = unwrap(symbolDce().run(module, { registry }));
  expect(children(after.root).map(symbolNameOf)).toEqual(['main', 'used', 'deep']);
});
