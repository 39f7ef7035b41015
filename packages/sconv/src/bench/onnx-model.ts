/** ONNX models of one convolution: opset 13, IR version 7. */
import type { ConvolutionShape } from '@sconv/csa';
import { writeOnnx } from '@sconv/onnx';
import type { Sizes } from './workload.ts';
import { filterSizes, inputSizes, outputSizes } from './workload.ts';

/** Numbers of `TensorProto.DataType` and of `AttributeProto.AttributeType`. */
const [float, int, ints] = [1, 2, 7];

const tensorInfo = (name: string, sizes: Sizes) => ({
  name,
  type: {
    tensorType: {
      elemType: float,
      shape: { dim: sizes.map((size) => ({ value: { case: 'dimValue', value: BigInt(size) } as const })) },
    },
  },
});

const intsAttribute = (name: string, values: readonly number[]) => ({
  name,
  type: ints,
  ints: values.map(BigInt),
});

/**
 * `y = Conv(x, w)`, NCHW, f32. The filters `w`, if given, are an initializer, which the runtime may pack once;
 * otherwise an input of the graph.
 */
export const convolutionModel = (
  shape: ConvolutionShape,
  filters: Float32Array | undefined,
): ReturnType<typeof writeOnnx> => {
  const { strides, dilations, padding, groups } = shape;
  const sizes = filterSizes(shape);
  return writeOnnx({
    irVersion: 7n,
    opsetImport: [{ version: 13n }],
    graph: {
      name: 'convolution',
      node: [
        {
          opType: 'Conv',
          input: ['x', 'w'],
          output: ['y'],
          attribute: [
            intsAttribute('strides', [strides.h, strides.w]),
            intsAttribute('dilations', [dilations.h, dilations.w]),
            intsAttribute('pads', [padding.top, padding.left, padding.bottom, padding.right]),
            ...(groups === 1 ? [] : [{ name: 'group', type: int, i: BigInt(groups) }]),
          ],
        },
      ],
      initializer:
        filters === undefined
          ? []
          : [
              {
                name: 'w',
                dims: sizes.map(BigInt),
                dataType: float,
                rawData: new Uint8Array(filters.buffer, filters.byteOffset, filters.byteLength),
              },
            ],
      input: [tensorInfo('x', inputSizes(shape)), ...(filters === undefined ? [tensorInfo('w', sizes)] : [])],
      output: [tensorInfo('y', outputSizes(shape))],
    },
  });
};
