import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import {
  anyType,
  bodyOf,
  defineOp,
  edit,
  extendRegistry,
  i64,
  one,
  parseModule,
  printModule,
  printOperation,
  walk,
} from '../src/index.ts';
import { parse, registry, reprint } from './test-dialect.ts';

describe('names of values', () => {
  it('are numbers, but for what operations suggest, made unique', () => {
    expect(
      reprint(`test.func @f(%x: index) {
  %a = test.constant 1 : index
  %b = test.constant 1 : index
  %c = test.constant 1 : index
  %d = "a.b"() : () -> i32
  %e:2 = "a.b"() : () -> (i32, i32)
  "a.c"(%e#1, %b) : (i32, index) -> ()
  return
}`),
    ).toBe(`module {
  test.func @f(%arg0: index) {
    %c1 = constant 1 : index
    %c1_0 = constant 1 : index
    %c1_1 = constant 1 : index
    %0 = "a.b"() : () -> i32
    %1:2 = "a.b"() : () -> (i32, i32)
    "a.c"(%1#1, %c1_0) : (i32, index) -> ()
    return
  }
}
`);
  });

  it('of several results may each be their own', () => {
    expect(
      reprint('%a:5 = test.pair : index, index, index "a.b"(%a#0, %a#1, %a#3) : (index, index, index) -> ()'),
    ).toBe(`module {
  %low, %high, %0:3 = test.pair : index, index, index
  "a.b"(%low, %high, %0#1) : (index, index, index) -> ()
}
`);
  });

  it.each([
    ['a', '%a, %a_0'],
    ['a b', '%a_b, %a_b_0'],
    ['a+b', '%a2Bb, %a2Bb_0'],
    ['1a', '%_1a, %_1a_0'],
    ['$.-_', '%$.-_, %$.-__0'],
  ])('suggested as %j are %s', (name, names) => {
    const odd = defineOp({
      name: 'x.odd',
      summary: '',
      results: { result: one(anyType) },
      resultName: () => name,
    });
    const known = extendRegistry(registry, [{ name: 'x', operations: [odd] }]);
    const module = parse(
      '%a = "x.odd"() : () -> i1 %b = "x.odd"() : () -> i1 "a.b"(%a, %b) : (i1, i1) -> ()',
      known,
    );
    expect(/"a\.b"\((.*?)\)/.exec(printModule(module, { registry: known }))?.[1]).toBe(names);
  });

  const nested = `%o = "a.o"() : () -> i32
test.func @f(%x: i32) { %a = "a.b"() : () -> i32 return }
test.func @g(%x: i32) { test.loop { ^bb0(%i: index): %b = "a.b"() : () -> i32 } test.loop { ^bb0(%i: index): } return }`;

  it('are shared by sibling regions, after those of the region around them', () => {
    expect(reprint(nested)).toBe(`module {
  %0 = "a.o"() : () -> i32
  test.func @f(%arg0: i32) {
    %1 = "a.b"() : () -> i32
    return
  }
  test.func @g(%arg0: i32) {
    loop {
    ^bb0(%iv: index):
      %1 = "a.b"() : () -> i32
    }
    loop {
    ^bb0(%iv: index):
    }
    return
  }
}
`);
  });

  it('are unique numbers in the generic form', () => {
    expect(reprint(nested, { generic: true })).toBe(`"builtin.module"() ({
  %0 = "a.o"() : () -> i32
  "test.func"() <{sym_name = "f"}> ({
  ^bb0(%arg3: i32):
    %2 = "a.b"() : () -> i32
    "test.return"() : () -> ()
  }) : () -> ()
  "test.func"() <{sym_name = "g"}> ({
  ^bb0(%arg0: i32):
    "test.loop"() ({
    ^bb0(%arg2: index):
      %1 = "a.b"() : () -> i32
      "test.yield"() : () -> ()
    }) : () -> ()
    "test.loop"() ({
    ^bb0(%arg1: index):
      "test.yield"() : () -> ()
    }) : () -> ()
    "test.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
`);
  });
});

describe('aliases', () => {
  const text = `"a.b"() ({
  "a.c"() {s = affine_set<(d0) : (d0 >= 0)>, m = affine_map<(d0) -> (d0)>} : () -> ()
}) {m = affine_map<() -> (1)>} : () -> memref<4xf32, affine_map<(d0) -> (d0 * 2)>>`;

  it('stand before the operations, in the order in which these are printed, maps first', () => {
    expect(reprint(text)).toBe(`#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 * 2)>
#map2 = affine_map<() -> (1)>
#set = affine_set<(d0) : (d0 >= 0)>
module {
  %0 = "a.b"() ({
    "a.c"() {m = #map, s = #set} : () -> ()
  }) {m = #map2} : () -> memref<4xf32, #map1>
}
`);
  });

  it('are not used in local scope', () => {
    expect(reprint(text, { localScope: true })).toBe(`module {
  %0 = "a.b"() ({
    "a.c"() {m = affine_map<(d0) -> (d0)>, s = affine_set<(d0) : (d0 >= 0)>} : () -> ()
  }) {m = affine_map<() -> (1)>} : () -> memref<4xf32, affine_map<(d0) -> (d0 * 2)>>
}
`);
  });

  it('of locations in attributes stand with the others, inner ones first', () => {
    expect(
      reprint(
        '"a.b"() {m = affine_map<(d0) -> (d0)>, l = loc(fused["a":1:2, "b"("c":3:4)]), k = loc("z")} : () -> ()',
      ),
    ).toBe(`#loc = loc("z")
#loc1 = loc("a":1:2)
#loc2 = loc("c":3:4)
#map = affine_map<(d0) -> (d0)>
#loc3 = loc("b"(#loc2))
#loc4 = loc(fused[#loc1, #loc3])
module {
  "a.b"() {k = #loc, l = #loc4, m = #map} : () -> ()
}
`);
  });

  it('name locations behind the operations, inner ones first', () => {
    const located = '"a.b"() : () -> () loc(fused["f":1:2, "g":3:4])\n"a.c"() : () -> () loc("g":3:4)';
    const printed = reprint(`module { ${located} } loc(unknown)`, { debugInfo: true });
    expect(printed).toBe(`module {
  "a.b"() : () -> () loc(#loc3)
  "a.c"() : () -> () loc(#loc2)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("f":1:2)
#loc2 = loc("g":3:4)
#loc3 = loc(fused[#loc1, #loc2])
`);
    expect(reprint(printed, { debugInfo: true })).toBe(printed);
  });
});

describe('arguments of blocks have locations', () => {
  const region = (header: string) =>
    `"a.b"() ({\n${header}:\n  "a.c"(%x) : (i32) -> () loc("c")\n}) : () -> () loc("b")`;
  const located = (text: string, options: { localScope?: boolean } = {}): string =>
    reprint(`module { ${text} } loc(unknown)`, { debugInfo: true, ...options });

  it.each([
    ['their own', '^bb0(%x: i32 loc("x":1:2))', 'loc("x":1:2)'],
    ['those of their names', '^bb0(%x: i32)', 'loc("in.mlir":2:6)'],
    ['unknown ones', '^bb0(%x: i32 loc(unknown))', 'loc(unknown)'],
    ['of an alias', '^bb0(%x: i32 loc(#later))', 'loc("y":3:4)'],
    ['of others', '^bb0(%x: i32 loc(fused["x", "y":3:4]))', 'loc(fused["x", "y":3:4])'],
  ])('%s', (_, header, location) => {
    const text = `${region(header)}\n#later = loc("y":3:4)`;
    const printed = reprint(text, { debugInfo: true, localScope: true });
    expect(printed).toContain(`^bb0(%arg0: i32 ${location}):`);
    expect(reprint(text)).toContain('^bb0(%arg0: i32):');
  });

  it('that are written out, where operations have aliases', () => {
    const printed = located(region('^bb0(%x: i32 loc(fused["x", "y":3:4]))'));
    expect(printed).toBe(`#loc2 = loc("x")
#loc3 = loc("y":3:4)
#loc5 = loc(fused[#loc2, #loc3])
module {
  "a.b"() ({
  ^bb0(%arg0: i32 loc(fused[#loc2, #loc3])):
    "a.c"(%arg0) : (i32) -> () loc(#loc4)
  }) : () -> () loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("b")
#loc4 = loc("c")
`);
    expect(reprint(printed, { debugInfo: true })).toBe(printed);
  });

  it('that a use further up does not lose', () => {
    const text = `"a.b"() ({
      "a.d"()[^bb2] : () -> ()
    ^bb1:
      "a.c"(%x) : (i32) -> ()
    ^bb2(%x: i32 loc("x")):
      "a.d"()[^bb1] : () -> ()
    }) : () -> ()`;
    expect(located(text, { localScope: true })).toContain('^bb2(%0: i32 loc("x")):');
  });

  it('that copies and arguments of other types keep', () => {
    const module = parse(region('^bb0(%x: i32 loc("x":1:2))'));
    const edited = edit(module, { registry }, (rewriter) => {
      const [original] = rewriter.walk(rewriter.root).filter(({ name }) => name === 'a.b');
      rewriter.setInsertionPointBefore(original!);
      const copy = rewriter.clone(original!);
      rewriter.changeArgumentType(copy.regions[0]!.blocks[0]!, 0, i64);
      rewriter.addArgument(copy.regions[0]!.blocks[0]!, i64);
      rewriter.clone(original!);
    }).module;
    const printed = printModule(edited, { registry, debugInfo: true, localScope: true });
    expect(printed.match(/\^bb0.*/g)).toEqual([
      '^bb0(%arg0: i64 loc("x":1:2), %arg1: i64 loc(unknown)):',
      '^bb0(%arg0: i32 loc("x":1:2)):',
      '^bb0(%arg0: i32 loc("x":1:2)):',
    ]);
  });
});

describe('forms', () => {
  it('an operation that does not fit its declaration is printed in the generic form', () => {
    const module = parse('"a.b"() : () -> ()');
    const broken = { ...module.root.regions[0]!.blocks[0]!.operations[0]!, name: 'test.add' };
    expect(printOperation(broken, { registry })).toBe('"test.add"() <{wraps = true}> : () -> ()');
  });

  it.each([
    ['test.loop', [], '"test.loop"() : () -> ()'],
    ['test.loop', [{ blocks: [] }, { blocks: [] }], '"test.loop"() ({ }, { }) : () -> ()'],
    ['test.region', [{ blocks: [] }, { blocks: [] }], 'test.region { }, { }'],
    ['test.constant', [{ blocks: [] }], '"test.constant"() ({ }) : () -> ()'],
  ])('%s with regions %j', (name, regions, text) => {
    const module = parse('"a.b"() : () -> ()');
    const broken = { ...bodyOf(module.root).operations[0]!, name, regions };
    expect(printOperation(broken, { registry }).replaceAll(/\s+/g, ' ')).toBe(text);
  });

  it.each([
    ['test.func @f() { }', '"test.func"() <{sym_name = "f"}> ({ }) : () -> ()'],
    [
      'test.func @f(%x: i1) { test.return }',
      '"test.func"() <{sym_name = "f"}> ({ ^bb0(%arg0: i1): "test.return"() : () -> () }) : () -> ()',
    ],
    ['test.func @f() { ^a: }', '"test.func"() <{sym_name = "f"}> ({ ^bb0: }) : () -> ()'],
    ['test.func @f(%x: i1) { }', '"test.func"() <{sym_name = "f"}> ({ ^bb0(%arg0: i1): }) : () -> ()'],
  ])('%s has these blocks', (text, generic) => {
    const { root, nextId } = unwrap(parseModule(text, { registry, verify: false }));
    const printed = printModule({ root, nextId }, { registry, generic: true });
    expect(printed.replaceAll(/\s+/g, ' ')).toContain(generic);
  });

  it('printOperation names values as in the operation around it', () => {
    const module = parse('%a = "a.b"() : () -> i32 "a.c"(%a) {m = affine_map<() -> (1)>} : (i32) -> ()');
    const [, , user] = [...walk(module.root)];
    expect(printOperation(user!, { registry }, module.root)).toBe(
      '"a.c"(%0) {m = affine_map<() -> (1)>} : (i32) -> ()',
    );
  });
});
