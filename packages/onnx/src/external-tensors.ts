/** Tensors whose elements lie in other files than the model: `external_data` of onnx.proto. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, error, success, unknownLocation } from '@sconv/diagnostics';
import type { ExternalData } from './external-data.ts';
import type { GraphProto, TensorProto } from './generated/onnx_pb.ts';
import { invalid } from './problem.ts';

/** `TensorProto.DataLocation.EXTERNAL`. */
const external = 1;

/** Whether the elements of a tensor lie in another file. */
export const isElsewhere = ({ dataLocation, externalData }: TensorProto): boolean =>
  dataLocation === external || externalData.length > 0;

/** The `count` bytes of a tensor that lie in another file: a view of it. Throws a `NodeProblem`. */
export const bytesElsewhere = (
  what: string,
  tensor: TensorProto,
  count: number,
  files: ExternalData,
): Uint8Array => {
  const name =
    entry(tensor, 'location') ?? invalid(`${what} has its elements in a file that it does not name`);
  const [offset, length] = [numberOf(what, tensor, 'offset', 0), numberOf(what, tensor, 'length', count)];
  if (length !== count) invalid(`${what} has ${length} bytes in '${name}', not ${count}`);
  const bytes = files[name]!;
  if (offset + length > bytes.length)
    invalid(`${what} is bytes ${offset} to ${offset + length} of '${name}', which has ${bytes.length}`);
  return bytes.subarray(offset, offset + length);
};

const entry = ({ externalData }: TensorProto, key: string): string | undefined =>
  externalData.find((each) => each.key === key)?.value;

const numberOf = (what: string, tensor: TensorProto, key: string, otherwise: number): number => {
  const text = entry(tensor, key);
  if (text === undefined) return otherwise;
  const number = /^\d+$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : invalid(`${what} has the ${key} '${text}' in another file`);
};

/** Names of files within the folder of the model. */
const isWithin = (name: string): boolean =>
  !/^\/|^[A-Za-z]:|\\|\0/.test(name) && !name.split('/').includes('..') && name !== '';

/** Their names. Fails with `onnx/external-data` for one that leads out of the model's folder. */
export const externalNames = ({ initializer, node }: GraphProto): Diagnosed<readonly string[]> => {
  const attributes = node.flatMap(({ attribute }) => attribute.flatMap(({ t }) => t ?? []));
  const names = [...initializer, ...attributes]
    .filter(isElsewhere)
    .flatMap((tensor) => entry(tensor, 'location') ?? []);
  const outside = names.find((name) => !isWithin(name));
  if (outside === undefined) return success([...new Set(names)]);
  const message = `weights are in '${outside}', which is not within the folder of the model`;
  return refused(message);
};

const refused = (message: string): Diagnosed<never> =>
  definite(error('onnx/external-data', message, unknownLocation));

/**
 * The number of bytes in the files that weights of a graph lie in. Fails with `onnx/external-data` for files that are
 * not given, and for names that lead out of the model's folder.
 */
export const externalBytes = (graph: GraphProto, files: ExternalData): Diagnosed<number> =>
  andThen(externalNames(graph), (names) => {
    const missing = names.filter((name) => !Object.hasOwn(files, name)).map((name) => `'${name}'`);
    if (missing.length === 0) return success(names.reduce((sum, name) => sum + files[name]!.length, 0));
    const message = `weights are in ${missing.join(', ')}, which 'externalData' lacks`;
    return refused(message);
  });
