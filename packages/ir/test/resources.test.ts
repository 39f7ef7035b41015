import { describe, expect, it } from 'vitest';
import { edit, parseModule, printModule, symbolRefAttribute } from '../src/index.ts';
import { errorOf, parse, registry, reprint } from './test-dialect.ts';

const blob = '0x08000000010000000000000002000000';
const module = `module attributes {x.a = dense_resource<used> : tensor<1xi64>} {
}
`;
const external = `  external_resources: {
    tool: {
      flag: true,
      "odd key": "0x00",
      text: "a \\22 b"
    },
    other: {
      off: false
    }
  }`;

describe('the resources of a text', () => {
  const text = `${module}
{-#
  dialect_resources: {
    builtin: {
      used: "${blob}"
    }
  },
${external}
#-}
`;

  it('are printed as they are read', () => {
    expect(reprint(text, { resources: 'hexadecimal' })).toBe(text);
    expect(reprint(`module {\n}\n\n{-#\n${external}\n#-}\n`)).toContain(external);
  });

  it('are left out where nothing refers to them, and blobs unless they are asked for', () => {
    const unused = text.replace('dense_resource<used>', 'dense_resource<other>');
    expect(reprint(unused, { resources: 'hexadecimal' })).not.toContain('dialect_resources');
    expect(reprint(text)).not.toContain('dialect_resources');
    expect(reprint(`module {\n}\n{-# #-}`)).toBe('module {\n}\n');
  });

  it('stay when the module is edited', () => {
    const { module: edited } = edit(parse(text), { registry }, (rewriter) => {
      rewriter.setAttributes(rewriter.root, { 'x.b': symbolRefAttribute('s') });
    });
    expect(printModule(edited, { registry })).toContain(external);
  });

  it.each([
    ['{-# key #-}', "expected ':'"],
    ['{-# 1 #-}', 'expected identifier key in file metadata dictionary'],
    ['{-# key: {} #-}', "unknown key 'key' in file metadata dictionary"],
    ['{-# dialect_resources: "value" #-}', "expected '{'"],
    [
      '{-# dialect_resources: { test: { a: "0x00" } } #-}',
      "unexpected 'resource' section for dialect 'test'",
    ],
    ['{-# dialect_resources: { builtin: { a: "b" } } #-}', "expected hex string blob for key 'a'"],
    ['{-# dialect_resources: { builtin: { a: true } } #-}', "expected hex string blob for key 'a'"],
    ...['"00"', '"0x0400000000f"', '"0x04000000fg"'].map((blob) => [
      `{-# dialect_resources: { builtin: { a: ${blob} } } #-}`,
      "expected hex string blob for key 'a'",
    ]),
    ...['"0x"', '"0x040000"'].map((blob) => [
      `{-# dialect_resources: { builtin: { a: ${blob} } } #-}`,
      "blob for key 'a' to encode alignment in first 4 bytes",
    ]),
    [
      '{-# dialect_resources: { builtin: { a: "0x0300000001" } } #-}',
      'in first 4 bytes, but got non-power-of-2 value: 3',
    ],
    ['{-# external_resources: { 10 } #-}', "expected identifier key for 'resource' entry"],
    ['{-# external_resources: { entry "value" } #-}', "expected ':'"],
    ['{-# external_resources: { a: {} } dialect_resources: {} #-}', "expected ',' or '#-}'"],
  ])('are refused: %s', (resources, message) => {
    expect(errorOf(`module {}\n${resources}`)).toContain(message);
  });
});

it('knows the dialects that have resources', () => {
  const text = 'module {}\n{-# dialect_resources: { nobody: { a: "0x00" } } #-}';
  expect(parseModule(text, { registry }).diagnostics).toMatchObject([
    { message: "dialect 'nobody' is unknown" },
  ]);
  expect(parseModule(text, { registry, allowUnregisteredDialects: true }).status).toBe('success');
});

it('keeps what is said of fused locations', () => {
  const text = '"a.b"() : () -> () loc(fused<"pass">["f":1:2, "g"])';
  expect(reprint(text, { debugInfo: true, localScope: true })).toContain('loc(fused<"pass">["f":1:2, "g"])');
});
