import { Buffer } from 'node:buffer';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, printModule, walk } from '@sconv/ir';
import { externalFilesOf, importOnnx, readOnnx, writeOnnx } from '@sconv/onnx';
import { describe, expect, it } from 'vitest';
import type { Model } from './models.ts';
import { counting, floats, ints, modelFile, problemsOf, run } from './models.ts';

const small: Model = {
  inputs: { x: [1, 1, 4, 4] },
  weights: {
    w: floats(
      [2, 1, 3, 3],
      Array.from({ length: 18 }, (_, i) => (i < 9 ? 1 : -1)),
    ),
    b: floats([2], [1, 2]),
  },
  nodes: [
    {
      op: 'Conv',
      name: 'edges',
      inputs: ['x', 'w', 'b'],
      outputs: ['c'],
      attributes: { pads: [1, 1, 1, 1], kernel_shape: [3, 3] },
    },
    { op: 'Relu', inputs: ['c'], outputs: ['r'] },
    { op: 'MaxPool', inputs: ['r'], attributes: { kernel_shape: [2, 2], strides: [2, 2] } },
  ],
};

const textOf = (model: Model): string =>
  printModule(unwrap(importOnnx(modelFile(model))).module, {
    registry: createRegistry(payloadDialects),
    debugInfo: true,
    localScope: true,
  });

describe('importOnnx', () => {
  it.each([1, 2, 3])('reads weights at any offset of a file: %i', (offset) => {
    const file = modelFile(small);
    // The `slice` of Node's Buffer does not copy.
    const whole = Buffer.concat([new Uint8Array(offset), file]);
    const moved = unwrap(importOnnx(whole.subarray(offset))).module;
    const registry = createRegistry(payloadDialects);
    const options = { registry, resources: 'hexadecimal' } as const;
    expect(printModule(moved, options)).toBe(printModule(unwrap(importOnnx(file)).module, options));
  });

  it('makes one function of the graph, with the name of its node at each op', () => {
    const last = { op: 'Relu', name: 'rectifier', inputs: ['c'] };
    expect(textOf({ ...small, nodes: [small.nodes[0]!, last] })).toMatchInlineSnapshot(`
      "module {
        func.func @main(%arg0: tensor<1x1x4x4xf32> loc(unknown)) -> tensor<1x2x4x4xf32> {
          %cst = arith.constant 0.000000e+00 : f32 loc("edges")
          %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
          ^bb0(%arg1: index loc(unknown), %arg2: index loc(unknown), %arg3: index loc(unknown), %arg4: index loc(unknown)):
            tensor.yield %cst : f32 loc("edges")
          } : tensor<1x1x4x4xf32> to tensor<1x1x6x6xf32> loc("edges")
          %cst_0 = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32> loc("b")
          %0 = tensor.empty() : tensor<1x2x4x4xf32> loc("edges")
          %broadcasted = linalg.broadcast ins(%cst_0 : tensor<2xf32>) outs(%0 : tensor<1x2x4x4xf32>) dimensions = [0, 2, 3]  loc("edges")
          %cst_1 = arith.constant dense_resource<w> : tensor<2x1x3x3xf32> loc("w")
          %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %cst_1 : tensor<1x1x6x6xf32>, tensor<2x1x3x3xf32>) outs(%broadcasted : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> loc("edges")
          %2 = tensor.empty() : tensor<1x2x4x4xf32> loc("rectifier")
          %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x2x4x4xf32>) outs(%2 : tensor<1x2x4x4xf32>) {
          ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
            %cst_2 = arith.constant 0.000000e+00 : f32 loc("rectifier")
            %4 = arith.maximumf %in, %cst_2 : f32 loc("rectifier")
            linalg.yield %4 : f32 loc("rectifier")
          } -> tensor<1x2x4x4xf32> loc("rectifier")
          return %3 : tensor<1x2x4x4xf32> loc(unknown)
        } loc(unknown)
      } loc(unknown)
      "
    `);
  });

  it('computes what the graph does', () => {
    const [y] = run(modelFile(small), [counting(1, 1, 4, 4)]);
    expect(y).toEqual({ shape: [1, 2, 2, 2], values: [46, 55, 82, 91, 0, 0, 0, 0] });
  });

  it('takes nodes in any order, and leaves out what no output needs', () => {
    const unknown = { op: 'Unheard', inputs: ['c'], outputs: ['unused'] };
    const file = modelFile({ ...small, nodes: [unknown, ...small.nodes.toReversed()] });
    expect(run(file, [counting(1, 1, 4, 4)])).toEqual(run(modelFile(small), [counting(1, 1, 4, 4)]));
  });

  it('names inputs and outputs, weights aside', () => {
    const file = modelFile({ ...small, inputs: { w: [2, 1, 3, 3], x: [1, 1, 4, 4] }, outputs: ['y', 'c'] });
    const { inputs, outputs, opset } = unwrap(importOnnx(file));
    expect(opset).toBe(17);
    expect(inputs.map(({ name, shape, type }) => [name, type.name, ...shape])).toEqual([
      ['x', 'float', 1, 1, 4, 4],
    ]);
    expect(outputs.map(({ name, shape }) => [name, ...shape])).toEqual([
      ['y', 1, 2, 2, 2],
      ['c', 1, 2, 4, 4],
    ]);
  });

  it('binds sizes that the model leaves open', () => {
    const open = { ...small, inputs: { x: ['batch', 1, 'h', 4] } };
    expect(run(modelFile(open), [counting(1, 1, 4, 4)], { inputs: { x: [1, 1, 4, 4] } })).toEqual(
      run(modelFile(small), [counting(1, 1, 4, 4)]),
    );
  });

  it('takes elements of inputs that are known', () => {
    const file = modelFile({
      inputs: { x: [2, 3], s: [2] },
      types: { s: 7 },
      nodes: [{ op: 'Reshape', inputs: ['x', 's'] }],
    });
    expect(problemsOf(file)).toEqual([
      'onnx/unsupported: Reshape:y: not imported: Reshape',
      '  Reshape: its shape must be known at import',
    ]);
    expect(run(file, [counting(2, 3)], { values: { s: [3, -1] } })[0]!.shape).toEqual([3, 2]);
    expect(problemsOf(file, { values: { s: [6] } }).join()).toContain("input 's' has sizes 2, but 1 values");
    expect(problemsOf(file, { values: { t: [6] } }).join()).toContain("the model has no input 't'");
  });

  it.each([
    ['bounds of Clip', 8, { op: 'Clip', inputs: ['x', 'one', 'two'] }, [1, 1, 2, 2]],
    [
      'those, as attributes',
      13,
      { op: 'Clip', attributes: { min: { float: 1 }, max: { float: 2 } } },
      [1, 1, 2, 2],
    ],
    ['steps of Slice', 9, { op: 'Slice', inputs: ['x', 'first', 'last', 'first', 'by'] }, [0, 2]],
    ['the value of Pad', 9, { op: 'Pad', inputs: ['x', 'around', 'two'] }, [2, 0, 1, 2, 3]],
  ])('ignores no part of a node that its operator set has elsewhere: %s', (_, opset, node, expected) => {
    const weights = {
      one: floats([], [1]),
      two: floats([], [2]),
      first: ints(0),
      last: ints(4),
      by: ints(2),
      around: ints(1, 0),
    };
    const file = modelFile({ opset, inputs: { x: [4] }, weights, nodes: [node] });
    expect(run(file, [counting(4)])[0]!.values).toEqual(expected);
  });

  it('takes bytes at any offset of a buffer', () => {
    const file = modelFile(small);
    for (let offset = 0; offset < 4; offset++) {
      const buffer = Buffer.alloc(file.length + 4);
      buffer.set(file, offset);
      const part = buffer.subarray(offset, offset + file.length);
      expect(run(part, [counting(1, 1, 4, 4)])).toEqual(run(file, [counting(1, 1, 4, 4)]));
    }
  });

  it('rejects what are no bytes', () => {
    expect(() => importOnnx('model.onnx' as never)).toThrow('importOnnx: expected the bytes of a model');
  });
});

describe('batch normalizations after convolutions', () => {
  const statistics = { s: floats([2], [2, 3]), m: floats([2], [1, -1]), v: floats([2], [4, 1]) };
  const normalization = {
    op: 'BatchNormalization',
    inputs: ['c', 's', 'b', 'm', 'v'],
    attributes: { epsilon: { float: 0 } },
  };
  const normalized: Model = {
    ...small,
    weights: { ...small.weights, ...statistics },
    nodes: [small.nodes[0]!, normalization],
  };
  const opsIn = (file: Uint8Array, fold: boolean): number => {
    const { module } = unwrap(importOnnx(file, { foldBatchNormalization: fold }));
    return [...walk(module.root)].filter(({ name }) => name === 'linalg.generic').length;
  };
  const file = modelFile(normalized);

  it('become a part of them, with the same results', () => {
    expect([opsIn(file, true), opsIn(file, false)]).toEqual([0, 1]);
    const inputs = [counting(1, 1, 4, 4)];
    expect(run(file, inputs)).toEqual(run(file, inputs, { foldBatchNormalization: false }));
  });

  it.each([
    ['the sums are an output, too', { ...normalized, outputs: ['y', 'c'] }],
    [
      'another node uses the sums',
      {
        ...normalized,
        nodes: [...normalized.nodes, { op: 'Relu', inputs: ['c'], outputs: ['r'] }],
        outputs: ['y', 'r'],
      },
    ],
  ])('stay where %s', (_, model) => {
    expect(opsIn(modelFile(model), true)).toBe(opsIn(modelFile(model), false));
  });

  it('leave filters of a few bytes, which stand for many', () => {
    const filters = {
      op: 'ConstantOfShape',
      inputs: ['shape'],
      outputs: ['w'],
      attributes: { value: floats([1], [2]) },
    };
    const weights = { b: small.weights!['b']!, ...statistics, shape: ints(2, 1, 3, 3) };
    const computed = modelFile({ ...normalized, weights, nodes: [filters, ...normalized.nodes] });
    expect(opsIn(computed, true)).toBe(1);
  });
});

describe('reads elements', () => {
  const withWeight = (fields: object, unknown: readonly object[] = []): Uint8Array => {
    const model = unwrap(
      readOnnx(
        modelFile({
          inputs: { x: [3] },
          nodes: [{ op: 'Add', inputs: ['x', 'w'] }],
          weights: { w: floats([3], []) },
        }),
      ),
    );
    const weight = model.graph!.initializer[0]!;
    Object.assign(weight, { $unknown: [...unknown] }, fields);
    return writeOnnx(model);
  };
  const bytes = new Uint8Array(Float32Array.of(1, 2, 4).buffer);
  const float = (value: number): Uint8Array => new Uint8Array(Float32Array.of(value).buffer);
  it.each([
    ['in bytes', withWeight({ rawData: bytes })],
    ['in one packed field', withWeight({}, [{ no: 4, wireType: 2, data: Uint8Array.of(12, ...bytes) }])],
    [
      'one by one',
      withWeight(
        {},
        [1, 2, 4].map((value) => ({ no: 4, wireType: 5, data: float(value) })),
      ),
    ],
  ])('%s', (_, file) => {
    expect(run(file, [floats([3], [10, 20, 30])])[0]!.values).toEqual([11, 22, 34]);
  });

  it.each([
    [
      'fewer bytes',
      withWeight({ rawData: bytes.subarray(1) }),
      "weight 'w', 3 of float, has 11 bytes, not 12",
    ],
    [
      'a claim of terabytes',
      withWeight({ dims: [2n ** 40n] }),
      'claims 1099511627776 elements, but has at most 0',
    ],
    ['negative sizes', withWeight({ dims: [-3n] }), "weight 'w' has sizes -3"],
    [
      'another file without a name',
      withWeight({ dataLocation: 1 }),
      "weight 'w' has its elements in a file that it does not name",
    ],
    ['texts', withWeight({ dataType: 8 }), "weight 'w' has elements of type 8"],
  ])('but not %s', (_, file, message) => {
    expect(problemsOf(file).join()).toContain(message);
  });
});

describe('reads elements of other files', () => {
  const place = (fields: Readonly<Record<string, string>>): Uint8Array => {
    const { irVersion, opsetImport, graph } = unwrap(
      readOnnx(
        modelFile({
          inputs: { x: [2] },
          nodes: [{ op: 'Add', inputs: ['x', 'w'] }],
          weights: { w: floats([2], []) },
        }),
      ),
    );
    const { node, input, output } = graph!;
    const externalData = Object.entries(fields).map(([key, value]) => ({ key, value }));
    const initializer = [{ name: 'w', dims: [2n], dataType: 1, dataLocation: 1, externalData }];
    return writeOnnx({ irVersion, opsetImport, graph: { node, input, output, initializer } });
  };
  const files = { 'parts/w.bin': new Uint8Array(Float32Array.of(9, 1, 2).buffer) };
  const location = 'parts/w.bin';

  it.each([
    ['at an offset', { location, offset: '4', length: '8' }, [11, 22]],
    ['from the start, as many as it has', { location }, [19, 21]],
  ])('%s', (_, fields, sums) => {
    const file = place(fields);
    expect(unwrap(externalFilesOf(file))).toEqual([location]);
    expect(run(file, [floats([2], [10, 20])], { externalData: files })[0]!.values).toEqual(sums);
  });

  it.each([
    ['a file that is not given', { location: 'v.bin' }, "weights are in 'v.bin', which 'externalData' lacks"],
    ['a folder above', { location: '../w.bin' }, "weights are in '../w.bin', which is not within the folder"],
    [
      'a path of the machine',
      { location: '/etc/passwd' },
      "weights are in '/etc/passwd', which is not within",
    ],
    [
      'more than there is',
      { location, offset: '8' },
      "weight 'w' is bytes 8 to 16 of 'parts/w.bin', which has 12",
    ],
    ['another length', { location, length: '12' }, "weight 'w' has 12 bytes in 'parts/w.bin', not 8"],
    ['no number', { location, offset: '-4' }, "weight 'w' has the offset '-4' in another file"],
  ])('but not %s', (_, fields, message) => {
    expect(problemsOf(place(fields), { externalData: files }).join()).toContain(message);
  });

  it('nor what are no bytes', () => {
    expect(() => importOnnx(place({ location }), { externalData: { [location]: 'text' as never } })).toThrow(
      "importOnnx: externalData 'parts/w.bin' is a Uint8Array, not 'text'",
    );
  });
});

describe('says what is wrong:', () => {
  const withNodes = (...nodes: Model['nodes']): Uint8Array => modelFile({ ...small, nodes });
  const relu = { op: 'Relu' };
  it.each([
    [
      'an empty file',
      new Uint8Array(),
      'onnx/malformed: this is no ONNX model: it has no graph with outputs',
    ],
    [
      'a part of a file',
      modelFile(small).subarray(0, 99),
      'onnx/malformed: this is no ONNX model, or only a part',
    ],
    [
      'an old operator set',
      modelFile({ ...small, opset: 0 }),
      'onnx/opset: the model is written for operator set 0',
    ],
    ['a future one', modelFile({ ...small, opset: 99 }), 'known are 1 to 25'],
    [
      'open sizes',
      modelFile({ ...small, inputs: { x: ['N', 1, 4, 4] } }),
      "onnx/dynamic-size: x: input 'x' has sizes Nx1x4x4; bind them: inputs: { 'x': [N, 1, 4, 4] } with numbers",
    ],
    [
      'a value that nothing gives',
      withNodes({ op: 'Relu', inputs: ['z'] }),
      'onnx/unknown-value: Relu:y: no input',
    ],
    [
      'an output that nothing gives',
      withNodes(),
      "onnx/unknown-value: no input, weight or node gives the output 'y'",
    ],
    ['a value defined twice', withNodes(relu, relu), "onnx/duplicate-value: Relu:y: 'y' is defined twice"],
    [
      'a cycle',
      withNodes({ op: 'Add', inputs: ['x', 'a'] }, { op: 'Relu', inputs: ['y'], outputs: ['a'] }),
      "onnx/cycle: Relu:a: the graph has a cycle: 'y' depends on itself",
    ],
    [
      'a contradiction',
      withNodes({ op: 'Conv', name: 'c1', inputs: ['x', 'w'], attributes: { group: 2 } }),
      'onnx/invalid-node: c1: Conv has 2 groups of 1 channels and 2 filters for 1 channels',
    ],
    [
      'a dimension to be dropped that is no 1',
      withNodes({ op: 'Squeeze', inputs: ['x'], attributes: { axes: [2] } }),
      'onnx/invalid-node: Squeeze:y: Squeeze squeezes dimension 2 of 1x1x4x4',
    ],
    [
      'a product of what is no matrix',
      withNodes({ op: 'Gemm', inputs: ['x', 'x'] }),
      'onnx/invalid-node: Gemm:y: Gemm multiplies 1x1x4x4 by 1x1x4x4',
    ],
    ['a missing input', withNodes({ op: 'Conv' }), 'onnx/invalid-node: Conv:y: Conv lacks its input 1'],
  ])('%s', (_, file, message) => {
    expect(problemsOf(file).join('\n')).toContain(message);
  });

  it.each([
    [{ z: [1] }, "onnx/unknown-input: z: the model has no input 'z'; there are x"],
    [{ x: [1, 1, 5, 4] }, "onnx/input-sizes: x: input 'x' has sizes 1x1x4x4, not 1x1x5x4"],
    [{ x: [1, 4] }, "onnx/input-sizes: x: input 'x' has sizes 1x1x4x4, not 1x4"],
  ])('sizes %j', (inputs, message) => {
    expect(problemsOf(modelFile(small), { inputs: inputs }).join()).toContain(message);
  });

  it.each([
    [[1, 4], 2, 'has 2 groups for 1x4'],
    [[1, 4, 2], 3, 'has 3 groups for 1x4x2'],
    [[1, 4, 2], 0, 'has 0 groups for 1x4x2'],
    [[1, 4, 2], 4, 'has a scale of 2, not of 4'],
  ])('groups of channels of %j: %d', (sizes, groups, message) => {
    const file = modelFile({
      opset: 18,
      inputs: { x: sizes },
      weights: { s: floats([2], [1, 2]), b: floats([2], [0, 1]) },
      nodes: [{ op: 'GroupNormalization', inputs: ['x', 's', 'b'], attributes: { num_groups: groups } }],
    });
    expect(problemsOf(file).join()).toContain(message);
  });

  it('integers between which there is nothing', () => {
    const file = modelFile({
      inputs: { x: [1] },
      weights: { k: ints(3, 4), s: floats([1], [2]) },
      nodes: [
        { op: 'Resize', inputs: ['k', '', 's'], attributes: { mode: 'linear' }, outputs: ['r'] },
        { op: 'Cast', inputs: ['r'], attributes: { to: 1 }, outputs: ['f'] },
        { op: 'Add', inputs: ['f', 'x'] },
      ],
    });
    expect(problemsOf(file).join()).toContain('Resize: elements of type int64');
  });

  it('lists all ops that are not imported', () => {
    const file = withNodes(
      { op: 'LSTM', name: 'memory', outputs: ['a'] },
      { op: 'Fancy', domain: 'org.example', outputs: ['d'] },
      {
        op: 'MaxPool',
        inputs: ['x'],
        outputs: ['c'],
        attributes: { kernel_shape: [2, 2], storage_order: 1 },
      },
      { op: 'Concat', inputs: ['a', 'd', 'c'], attributes: { axis: 0 } },
    );
    expect(problemsOf(file)).toEqual([
      'onnx/unsupported: memory: not imported: LSTM, Fancy, MaxPool',
      '  LSTM: this op is not imported',
      '  Fancy: this op of domain org.example is not imported',
      '  MaxPool: storage_order 1',
    ]);
  });
});
