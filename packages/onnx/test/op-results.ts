/** Sizes and elements of the results of `opCases`, by their names; computed by onnxruntime 1.30, to seven digits. */
export const opResults: Readonly<Record<string, readonly [readonly number[], readonly number[]]>> = {
  'Conv of one dimension': [
    [1, 1, 2],
    [11.5, 19],
  ],
  'Conv of groups': [
    [1, 4, 2, 1],
    [0, 6, -11, 11, 130, 168, 183, 237],
  ],
  'Conv of each channel': [
    [1, 2, 2, 2],
    [-2.5, 1, 1.5, 0, 80.5, 44, 52, 26],
  ],
  'ConvTranspose with overlaps': [
    [1, 1, 4, 2],
    [-4, -5, -2, 4, 6, 17, 6, 19],
  ],
  'ConvTranspose of tiles': [
    [1, 1, 2, 4],
    [-3.5, -6.5, -1.5, -3.5, -9.5, -12.5, -5.5, -7.5],
  ],
  'ConvTranspose of one dimension, of groups': [
    [1, 2, 6],
    [0, -2, 0, 0, -1.5, 0, -2, -3, 0, -1, -1.5, 0],
  ],
  'ConvTranspose that cuts': [[1, 1, 1, 1], [2.5]],
  'MaxPool, rounded up': [
    [1, 1, 2, 2],
    [3, 3.5, 5, 5.5],
  ],
  'MaxPool of three dimensions': [
    [1, 1, 1, 1, 2],
    [3, 3.5],
  ],
  'AveragePool beside padding': [
    [1, 1, 2, 3],
    [-1.75, -1.25, -1, -1, -0.5, -0.25],
  ],
  'AveragePool of padding': [
    [1, 1, 2, 3],
    [-0.875, -0.625, -0.25, -1, -0.5, -0.125],
  ],
  GlobalMaxPool: [
    [1, 2, 1, 1],
    [-0.5, 1.5],
  ],
  LRN: [
    [1, 3, 1, 1],
    [-0.8798826, -0.621059, -0.5619515],
  ],
  'Gemm, transposed and scaled': [
    [2, 2],
    [-2, -19.5, 1, -7.5],
  ],
  'MatMul of batches that repeat': [
    [2, 3, 2, 1],
    [-1.5, -0.5, -8.5, -3.5, -15.5, -6.5, 0.5, 1.5, 1.5, 6.5, 2.5, 11.5],
  ],
  'MatMul by a vector': [
    [2, 2],
    [-1.5, -0.5, 0.5, 1.5],
  ],
  'Softmax of the rest': [
    [1, 2, 2],
    [0.1015363, 0.1674051, 0.2760043, 0.4550542],
  ],
  'Softmax along the last': [
    [1, 2, 2],
    [0.3775407, 0.6224594, 0.3775407, 0.6224594],
  ],
  LogSoftmax: [
    [2, 2],
    [-1.313262, -1.313262, -0.3132617, -0.3132617],
  ],
  BatchNormalization: [
    [1, 2, 1, 2],
    [-2, -1.5, -12, -10],
  ],
  InstanceNormalization: [
    [1, 2, 3],
    [-1.224708, 0, 1.224708, -1.449416, 1, 3.449416],
  ],
  LayerNormalization: [
    [2, 3],
    [-1.224708, 1, 3.674124, -1.224708, 1, 3.674124],
  ],
  'Clip with inputs': [[4], [-1, -1, -1, -0.75]],
  'Clip with attributes': [[4], [-1, -1, -1, -0.5]],
  PRelu: [
    [2, 2],
    [-1, -3, -0.5, -1],
  ],
  Gelu: [[4], [-0.04550028, -0.1002108, -0.1586553, -0.1542688]],
  'Gelu by tanh': [[4], [-0.04540235, -0.1004284, -0.158808, -0.154286]],
  HardSwish: [[6], [-0.3333333, -0.375, -0.3333333, -0.2083333, 0, 0.2916667]],
  'Mod of negatives': [[3], [-0.5, 0, -0.25]],
  Pow: [
    [2, 3],
    [-2, 2.25, -1, -0.5, 0, 0.125],
  ],
  Where: [
    [2, 2],
    [-2, 9, -1, 9],
  ],
  'ReduceL2 of all': [[], [2.783882]],
  'ReduceMax, axes counted from the end': [
    [1, 3],
    [-0.5, 0, 0.5],
  ],
  ReduceLogSumExp: [
    [2, 1],
    [-1.025923, -0.02592301],
  ],
  ArgMax: [
    [2, 1],
    [2, 2],
  ],
  'Resize by a half pixel': [
    [1, 1, 4, 3],
    [-2, -1.75, -1.5, -1.75, -1.5, -1.25, -1.25, -1, -0.75, -1, -0.75, -0.5],
  ],
  'Resize to repeat': [
    [1, 1, 4, 4],
    [-2, -2, -1.5, -1.5, -2, -2, -1.5, -1.5, -1, -1, -0.5, -0.5, -1, -1, -0.5, -0.5],
  ],
  'Resize to the nearest': [
    [1, 1, 1, 3],
    [-1.5, -1, 0],
  ],
  'Resize between corners': [
    [1, 1, 2, 5],
    [-2, -1.75, -1.5, -1.25, -1, 1, 1.25, 1.5, 1.75, 2],
  ],
  'Resize by cubics': [
    [1, 1, 1, 8],
    [-2.035156, -1.910156, -1.636719, -1.375, -1.125, -0.8632813, -0.5898438, -0.4648438],
  ],
  Upsample: [
    [1, 1, 2, 4],
    [-2, -2, -1.5, -1.5, -2, -2, -1.5, -1.5],
  ],
  'Pad with a value': [
    [1, 4],
    [7, -2, -1.5, 7],
  ],
  'Pad with edges': [
    [3, 5],
    [-2, -2, -2, -1.5, -1.5, -2, -2, -2, -1.5, -1.5, -1, -1, -1, -0.5, -0.5],
  ],
  'Pad with reflections': [
    [1, 6],
    [-1, -1.5, -2, -1.5, -1, -1.5],
  ],
  'Slice backwards': [
    [2, 2],
    [-0.5, -1.5, 1.5, 0.5],
  ],
  'Gather from the end': [
    [2, 2],
    [0, 0.5, -2, -1.5],
  ],
  'Gather of a scalar': [[2], [-1.5, 0]],
  GatherElements: [
    [2, 1],
    [-1.5, -1],
  ],
  Tile: [
    [4, 3],
    [-2, -2, -2, -1.5, -1.5, -1.5, -2, -2, -2, -1.5, -1.5, -1.5],
  ],
  Expand: [
    [2, 2, 3],
    [-2, -2, -2, -1.5, -1.5, -1.5, -2, -2, -2, -1.5, -1.5, -1.5],
  ],
  DepthToSpace: [
    [1, 1, 2, 4],
    [-2, -1, -1.5, -0.5, 0, 1, 0.5, 1.5],
  ],
  SpaceToDepth: [
    [1, 4, 1, 2],
    [-2, -1, -1.5, -0.5, 0, 1, 0.5, 1.5],
  ],
  Transpose: [
    [3, 2, 1],
    [-2, -0.5, -1.5, 0, -1, 0.5],
  ],
  'Reshape that keeps a size': [
    [2, 6],
    [-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5],
  ],
  Squeeze: [
    [1, 2],
    [-2, -1.5],
  ],
  QuantizeLinear: [[4], [0, 0, 2, 4]],
  'QuantizeLinear along an axis': [
    [2, 2],
    [1, 0, 5, 1],
  ],
  'ConvInteger of groups': [
    [1, 2, 1, 2],
    [12, 34, 16, 40],
  ],
  MatMulInteger: [
    [2, 2],
    [36, 20, 8, 8],
  ],
  'QLinearConv of filters of their own scales': [
    [1, 2, 2, 2],
    [24, 22, 10, 4, 0, 3, 13, 18],
  ],
  'filters that are dequantized': [
    [1, 2, 2, 2],
    [4, 3.25, 0.25, -1.25, -1.5, -0.375, 2.125, 3.375],
  ],
};
