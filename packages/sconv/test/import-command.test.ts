import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import { writeOnnx } from '@sconv/onnx';
import { expect, it } from 'vitest';
import { defaultRegistry as registry } from '../src/default-registry.ts';
import { main } from '../src/sconv.ts';
import { capture, fileWith, temporaryFolder } from './support/capture.ts';
import { withOnnxruntime } from './support/onnxruntime.ts';

const importing = (...words: readonly string[]) => capture(main, 'import', ...words);

/** `y = Relu(x)`, of a batch that is left open. */
const model = (op: string): string =>
  fileWith(
    writeOnnx({
      opsetImport: [{ version: 17n }],
      graph: {
        input: [
          {
            name: 'x',
            type: {
              tensorType: {
                elemType: 1,
                shape: {
                  dim: [
                    { value: { case: 'dimParam', value: 'N' } },
                    { value: { case: 'dimValue', value: 3n } },
                  ],
                },
              },
            },
          },
        ],
        node: [{ opType: op, name: 'last', input: ['x'], output: ['y'] }],
        output: [{ name: 'y' }],
      },
    }),
  );

it('prints a module that is read again', async () => {
  const { code, out, err } = await importing(model('Relu'), '--input', 'x=2x3');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('func.func @main(%arg0: tensor<2x3xf32>');
  expect(out).toContain('loc("last")');
  expect(parseModule(out, { registry }).status).toBe('success');
});

it('writes it to a file, and tells of inputs and outputs', async () => {
  const file = join(temporaryFolder(), 'model.mlir');
  const { code, out } = await importing(model('Relu'), '--input', 'x=2x3', '-o', file, '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    version: 1,
    opset: 17,
    inputs: [{ name: 'x', shape: [2, 3], type: 'float' }],
    outputs: [{ name: 'y', shape: [2, 3], type: 'float' }],
    diagnostics: [],
  });
  expect(unwrap(parseModule(readFileSync(file, 'utf8'), { registry })).root.name).toBe('builtin.module');
});

it.each([
  ['open sizes', ['Relu'], 'bind them'],
  [
    'what is not imported',
    ['LSTM', '--input', 'x=2x3'],
    'last: error: not imported: LSTM [onnx/unsupported]',
  ],
  ['sizes of another form', ['Relu', '--input', 'x=2,3'], 'expected a name and sizes, as in x=1x3x224x224'],
])('refuses %s', async (_, [op, ...words], message) => {
  const { code, err } = await importing(model(op!), ...words);
  expect(code).toBe(message.startsWith('expected') ? 2 : 1);
  expect(err).toContain(message);
});

it('names the node in a document of failures', async () => {
  const { out } = await importing(model('LSTM'), '--input', 'x=2x3', '--json');
  expect(JSON.parse(out)).toMatchObject({
    diagnostics: [
      { code: 'onnx/unsupported', location: { name: 'last' }, notes: [{ location: { name: 'last' } }] },
    ],
  });
});

it('reads weights in another file next to the model', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'model.onnx');
  const shape = { dim: [{ value: { case: 'dimValue' as const, value: 2n } }] };
  const externalData = [{ key: 'location', value: 'w.bin' }];
  writeFileSync(
    path,
    writeOnnx({
      opsetImport: [{ version: 17n }],
      graph: {
        input: [{ name: 'x', type: { tensorType: { elemType: 1, shape } } }],
        initializer: [{ name: 'w', dims: [2n], dataType: 1, dataLocation: 1, externalData }],
        node: [{ opType: 'Add', name: 'last', input: ['x', 'w'], output: ['y'] }],
        output: [{ name: 'y' }],
      },
    }),
  );
  const missing = await importing(path);
  expect(missing.code).toBe(1);
  expect(missing.err).toContain(`${join(folder, 'w.bin')}:1:1: error: cannot read: `);
  writeFileSync(join(folder, 'w.bin'), new Uint8Array(Float32Array.of(5, 7).buffer));
  const { code, out } = await importing(path);
  expect(code).toBe(0);
  expect(out).toContain('dense<[5.000000e+00, 7.000000e+00]>');
  expect((await capture(main, 'run', path)).code).toBe(0);
  const peer = ['--compare', 'onnxruntime-web', '--peers-from', withOnnxruntime()];
  expect(await capture(main, 'run', path, ...peer)).toMatchObject({
    code: 1,
    err: expect.stringContaining('it is given the model alone, which has weights in other files') as string,
  });
});
