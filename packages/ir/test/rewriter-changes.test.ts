/** Each method of the rewriter as the only change of an edit. */
import { describe, expect, it } from 'vitest';
import { edit, i32, printModule, unitAttribute } from '../src/index.ts';
import type { DraftOperation, Rewriter } from '../src/index.ts';
import { checkInvariants, named } from './sample-module.ts';
import { parse, registry } from './test-dialect.ts';

describe('every single change reaches the new module', () => {
  // Two operations with regions: an unmarked change would be lost, since unchanged parts are taken from the old module.
  const text = `
    "t.first"() ({
    ^a(%x: i8, %y: i8):
      %u = "t.u"(%x) : (i8) -> i8
      "t.v"(%u) : (i8) -> ()
    }) : () -> ()
    "t.second"() ({
    ^a(%z: i8):
      "t.w"(%z) : (i8) -> ()
    }) : () -> ()`;
  const first = `"t.first"() ({
^bb0(%arg0: i8, %arg1: i8):
  %0 = "t.u"(%arg0) : (i8) -> i8
  "t.v"(%0) : (i8) -> ()
}) : () -> ()
`;
  const second = `"t.second"() ({
^bb0(%arg0: i8):
  "t.w"(%arg0) : (i8) -> ()
}) : () -> ()
`;

  type Change = (r: Rewriter, find: (name: string) => DraftOperation) => void;
  const blockIn = (operation: DraftOperation) => operation.regions[0]!.blocks[0]!;
  const state = (name: string) => ({
    ...{ name, operands: [], resultTypes: [], attributes: {}, bodies: [], successors: [] },
    location: undefined,
  });

  it.each<[string, Change, string]>([
    [
      'create',
      (r, find) => {
        r.setInsertionPointBefore(find('t.v'));
        r.create(state('t.new'));
      },
      first.replace('  "t.v"', '  "t.new"() : () -> ()\n  "t.v"') + second,
    ],
    [
      'createBlock',
      (r, find) => void r.createBlock(find('t.second').regions[0]!, [i32]),
      first + second.replace('})', '^bb1(%0: i32):  // no predecessors\n})'),
    ],
    [
      'createRegion',
      (r, find) => void r.createRegion(find('t.second')),
      first + second.replace('})', '}, {\n})'),
    ],
    [
      'clone',
      (r, find) => {
        r.setInsertionPointToEnd(blockIn(find('t.second')));
        r.clone(
          find('t.u'),
          new Map([[blockIn(find('t.first')).arguments[0]!.id, blockIn(find('t.second')).arguments[0]!]]),
        );
      },
      first + second.replace('})', '  %0 = "t.u"(%arg0) : (i8) -> i8\n})'),
    ],
    [
      'cloneRegion',
      (r, find) => {
        r.cloneRegion(find('t.second').regions[0]!, find('t.first').regions[0]!);
      },
      first.replace('})', '^bb1(%1: i8):  // no predecessors\n  "t.w"(%1) : (i8) -> ()\n})') + second,
    ],
    [
      'setAttribute',
      (r, find) => {
        r.setAttribute(find('t.v'), 'mark', unitAttribute);
      },
      first.replace('(%0) :', '(%0) {mark} :') + second,
    ],
    [
      'setOperand',
      (r, find) => {
        r.setOperand(find('t.v'), 0, blockIn(find('t.first')).arguments[1]!);
      },
      first.replace('(%0)', '(%arg1)') + second,
    ],
    [
      'replaceAllUsesWith',
      (r, find) => {
        r.replaceAllUsesWith(find('t.u').results[0]!, blockIn(find('t.first')).arguments[1]!);
      },
      first.replace('(%0)', '(%arg1)') + second,
    ],
    [
      'eraseOperation',
      (r, find) => {
        r.eraseOperation(find('t.w'));
      },
      first + second.replace(/ {2}"t.w".*\n/, ''),
    ],
    [
      'moveBefore',
      (r, find) => {
        r.moveBefore(find('t.v'), find('t.first'));
      },
      `"t.v"(%0) : (i8) -> ()\n${first.replace(/ {2}"t.v".*\n/, '')}${second}`,
    ],
    [
      'inlineBlock',
      (r, find) => {
        r.setInsertionPointToEnd(blockIn(find('t.first')));
        r.inlineBlock(blockIn(find('t.second')), [blockIn(find('t.first')).arguments[1]!]);
      },
      first.replace('})', '  "t.w"(%arg1) : (i8) -> ()\n})') + second.replace(/ {2}"t.w".*\n/, ''),
    ],
    [
      'moveRegion',
      (r, find) => {
        r.moveRegion(find('t.second').regions[0]!, find('t.first').regions[0]!);
      },
      `${first.replace('})', '^bb1(%1: i8):  // no predecessors\n  "t.w"(%1) : (i8) -> ()\n})')}"t.second"() ({\n}) : () -> ()\n`,
    ],
    [
      'changeArgumentType',
      (r, find) => void r.changeArgumentType(blockIn(find('t.second')), 0, i32),
      first + second.replaceAll('i8', 'i32'),
    ],
    [
      'addArgument',
      (r, find) => void r.addArgument(blockIn(find('t.second')), i32),
      first + second.replace('%arg0: i8', '%arg0: i8, %arg1: i32'),
    ],
    [
      'eraseArgument',
      (r, find) => {
        r.eraseArgument(blockIn(find('t.first')), 1);
      },
      first.replace(', %arg1: i8', '') + second,
    ],
  ])('%s', (_, change, expected) => {
    const module = parse(text);
    const edited = edit(module, { registry }, (r) => {
      change(r, (name) => r.find(named(module, name)[0]!));
    }).module;
    const printed = printModule(edited, { registry }).split('\n').slice(1, -2);
    expect(printed.map((line) => `${line.slice(2)}\n`).join('')).toBe(expected);
    checkInvariants(edited);
  });
});
