/** Small models for tests of whole models. */
import { writeOnnx } from '@sconv/onnx';

const bytesOf = (values: readonly number[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Float32Array.from(values).buffer);

const weights = (name: string, dims: readonly number[], seed: number) => ({
  name,
  dims: dims.map(BigInt),
  dataType: 1,
  rawData: bytesOf(
    Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, i) => ((i * 7 + seed) % 11) - 5),
  ),
});

/**
 * `y`, of 10 classes, of an image: two convolutions, of which one is depthwise, a bias, an activation, a pooling and a
 * fully connected layer.
 */
export const smallModel = (seed = 0): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    writeOnnx({
      irVersion: 8n,
      opsetImport: [{ version: 17n }],
      graph: {
        node: [
          {
            opType: 'Conv',
            name: 'edges',
            input: ['image', 'filters', 'bias'],
            output: ['sums'],
            attribute: [{ name: 'pads', ints: [1n, 1n, 1n, 1n], type: 7 }],
          },
          { opType: 'Relu', name: 'rectifier', input: ['sums'], output: ['features'] },
          {
            opType: 'Conv',
            name: 'planes',
            input: ['features', 'plane_filters'],
            output: ['planes'],
            attribute: [{ name: 'group', i: 16n, type: 2 }],
          },
          { opType: 'GlobalAveragePool', name: 'pool', input: ['planes'], output: ['pooled'] },
          { opType: 'Flatten', name: 'flat', input: ['pooled'], output: ['vector'] },
          { opType: 'Gemm', name: 'classes', input: ['vector', 'matrix'], output: ['y'] },
        ],
        initializer: [
          weights('filters', [16, 3, 3, 3], seed),
          weights('bias', [16], seed + 1),
          weights('plane_filters', [16, 1, 3, 3], seed + 2),
          weights('matrix', [16, 10], seed + 3),
        ],
        input: [
          {
            name: 'image',
            type: {
              tensorType: {
                elemType: 1,
                shape: {
                  dim: [1n, 3n, 'height', 12n].map((value) => ({
                    value:
                      typeof value === 'string'
                        ? { case: 'dimParam' as const, value }
                        : { case: 'dimValue' as const, value },
                  })),
                },
              },
            },
          },
        ],
        output: [{ name: 'y' }],
      },
    }),
  );

/** Its sizes. */
export const smallSizes = { image: [1, 3, 10, 12] };

/** An input for it. */
export const smallImage = (): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length: 360 }, (_, i) => ((i * 5) % 13) - 6);
