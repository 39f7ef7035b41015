/** From the bytes of an ONNX model to a module of one function. */
import { isAffineError } from '@sconv/affine';
import type { Diagnosed, Diagnostic, Failed, Location, Note } from '@sconv/diagnostics';
import {
  andThen,
  definite,
  describeValue,
  error,
  fileLocation,
  mapSuccess,
  unknownLocation,
} from '@sconv/diagnostics';
import {
  arithDialect,
  builtinDialect,
  buildPayload,
  eraseUnused,
  funcDialect,
  linalgDialect,
  mathDialect,
  tensorDialect,
} from '@sconv/dialects';
import type { Builder, Module, Value } from '@sconv/ir';
import { createRegistry, edit } from '@sconv/ir';
import type { GraphProto, NodeProto, ModelProto } from './generated/onnx_pb.ts';
import { unknownAttribute } from './attributes.ts';
import { Emitter } from './emitter.ts';
import type { InputSizes, OnnxTensor } from './onnx-tensor.ts';
import type { ExternalData } from './external-data.ts';
import { externalBytes } from './external-tensors.ts';
import { boundInputs, knownInputs } from './graph-inputs.ts';
import { orderedNodes } from './graph.ts';
import { decodeModel } from './model.ts';
import { locationOf, OnnxNode } from './node.ts';
import type { Operand } from './operand.ts';
import { irType, operandOf } from './operand.ts';
import type { Constant } from './constant.ts';
import { constantOperand } from './operations.ts';
import { conversions } from './ops.ts';
import { NodeProblem } from './problem.ts';
import { constantOfTensor } from './tensor-data.ts';

/** How a model is imported. */
export interface ImportOptions {
  /** What diagnostics that are of no node call the file. */
  readonly fileName?: string;
  /** Sizes of inputs that the model leaves open, by name. */
  readonly inputs?: InputSizes;
  /**
   * Elements of inputs that are known already, by name: as many as the input has, of its type. They are weights then,
   * and no inputs, so that shapes, pads and the like that are inputs of the graph can be imported.
   */
  readonly values?: Readonly<Record<string, ArrayLike<number | bigint>>>;
  /**
   * The bytes of the files beside the model that its weights lie in, by the names that it has for them
   * (`externalFilesOf`). They are read where they lie.
   */
  readonly externalData?: ExternalData;
  /** Whether batch normalizations become part of the convolutions before them, computed in f64; true if omitted. */
  readonly foldBatchNormalization?: boolean;
}

/** An imported model. */
export interface ImportedModel {
  /** One function, `@main`, of the inputs, that returns the outputs: tensors of static shape. */
  readonly module: Module;
  /** In the order of the function's arguments. */
  readonly inputs: readonly OnnxTensor[];
  /** In the order of the function's results. */
  readonly outputs: readonly OnnxTensor[];
  /** The version of the operator set that the model is written for. */
  readonly opset: number;
}

/** The operator sets that are known. */
const [oldestOpset, newestOpset] = [1, 25];

/**
 * The inference of a model as linalg on tensors: `@main` takes the inputs of the graph, those that are weights aside,
 * and returns its outputs. Each op has the name of its node as location.
 *
 * Fails with `onnx/malformed`, `onnx/opset`, `onnx/external-data` for files that `externalData` lacks,
 * `onnx/dynamic-size` and others for inputs, `onnx/cycle` and others for the graph, `onnx/invalid-node` for each node
 * that contradicts itself, and `onnx/unsupported`, which lists all nodes that are in order, but not imported.
 *
 * @deviation A weight that is an input of the graph, too, cannot be replaced by the caller.
 */
export const importOnnx = (file: Uint8Array, options: ImportOptions = {}): Diagnosed<ImportedModel> => {
  if (!(file instanceof Uint8Array))
    throw new TypeError(
      `importOnnx: expected the bytes of a model, a Uint8Array, not ${describeValue(file)}`,
    );
  for (const [name, bytes] of Object.entries(options.externalData ?? {}))
    if (!(bytes instanceof Uint8Array))
      throw new TypeError(`importOnnx: externalData '${name}' is a Uint8Array, not ${describeValue(bytes)}`);
  const imported = andThen(decodeModel(file), (model) => importModel(model, file.length, options));
  return options.fileName === undefined ? imported : inFile(imported, fileLocation(options.fileName, 1, 1));
};

/** Failures of no node are those of the file. */
const inFile = <T>(imported: Diagnosed<T>, location: Location): Diagnosed<T> => ({
  ...imported,
  diagnostics: imported.diagnostics.map((each) =>
    each.location.kind === 'unknown' ? { ...each, location } : each,
  ),
});

const importModel = (model: ModelProto, bytes: number, options: ImportOptions): Diagnosed<ImportedModel> => {
  const { graph } = model;
  if (graph === undefined || graph.output.length === 0)
    return definite(
      error('onnx/malformed', 'this is no ONNX model: it has no graph with outputs', unknownLocation),
    );
  const opset = opsetOf(model);
  if (!(opset >= oldestOpset && opset <= newestOpset)) {
    const message = `the model is written for operator set ${opset}; known are ${oldestOpset} to ${newestOpset}`;
    return definite(error('onnx/opset', message, unknownLocation));
  }
  const external = externalBytes(graph, options.externalData ?? {});
  if (external.status !== 'success') return external;
  const weights = new Set(graph.initializer.map(({ name }) => name));
  const free = graph.input.filter(({ name }) => !weights.has(name));
  return andThen(boundInputs(free, options.inputs ?? {}), (inputs) =>
    andThen(orderedNodes(graph, new Set([...weights, ...free.map(({ name }) => name)])), (nodes) =>
      andThen(knownInputs(inputs, options.values ?? {}), (values) =>
        buildModel({
          graph,
          nodes,
          inputs: inputs.filter(({ name }) => !values.has(name)),
          values,
          opset,
          bytes: bytes + external.value,
          options,
        }),
      ),
    ),
  );
};

const isDefaultDomain = (domain: string): boolean => domain === '' || domain === 'ai.onnx';

const opsetOf = ({ opsetImport }: ModelProto): number =>
  Number(opsetImport.find(({ domain }) => isDefaultDomain(domain))?.version ?? 1n);

/** What a module is built of. */
interface Import {
  readonly graph: GraphProto;
  /** In an order of execution. */
  readonly nodes: readonly NodeProto[];
  readonly inputs: readonly OnnxTensor[];
  readonly values: ReadonlyMap<string, Constant>;
  readonly opset: number;
  /** The length of the file, and of those beside it. */
  readonly bytes: number;
  readonly options: ImportOptions;
}

const buildModel = (given: Import): Diagnosed<ImportedModel> => {
  const { graph, inputs, opset } = given;
  const problems: Problem[] = [];
  let outputs: readonly OnnxTensor[] = [];
  const built = buildPayload(registry, ({ func }) => {
    func('main', inputs.map(irType), (b, ...values) => {
      const results = convertGraph(b, given, values, problems);
      if (problems.length > 0) return [];
      outputs = results.map(({ shape, type }, i) => ({ name: graph.output[i]!.name, shape, type }));
      return results.map((result) => result.value());
    });
  });
  if (problems.length > 0) return failureOf(problems);
  return mapSuccess(built, (module) => ({ module: withoutUnused(module), inputs, outputs, opset }));
};

const registry = createRegistry([
  builtinDialect,
  funcDialect,
  arithDialect,
  mathDialect,
  tensorDialect,
  linalgDialect,
]);

/** Of values whose shape alone was asked for, nothing is left. */
const withoutUnused = (module: Module): Module =>
  edit(module, { registry }, (rewriter) => {
    const [main] = rewriter.root.regions[0]!.blocks[0]!.operations;
    for (const operation of [...main!.regions[0]!.blocks[0]!.operations].reverse())
      for (const result of operation.results) eraseUnused(rewriter, result);
  }).module;

/** Why a node is not imported. */
interface Problem {
  readonly node: NodeProto;
  readonly kind: NodeProblem['kind'];
  readonly message: string;
}

/** What computations at import may take: this, and in proportion to the file, whose integers may become floats. */
const [leastFolded, foldedShare] = [2 ** 20, 6];

const convertGraph = (
  b: Builder,
  {
    graph,
    nodes,
    inputs,
    values,
    opset,
    bytes,
    options: { foldBatchNormalization = true, externalData = {} },
  }: Import,
  inputValues: readonly Value[],
  problems: Problem[],
): readonly Operand[] => {
  const known = new Map<string, Operand>(
    inputs.map(({ name, type }, i) => [name, operandOf(type, inputValues[i]!)]),
  );
  const initializers = new Map(graph.initializer.map((tensor) => [tensor.name, tensor]));
  const uses = countUses(graph, nodes);
  const normalized = new Set(
    nodes.filter(({ opType }) => opType === 'BatchNormalization').map(({ input }) => input[0]),
  );
  let foldable = leastFolded + foldedShare * bytes;

  const operand = (name: string): Operand | undefined => {
    const found = known.get(name);
    const tensor = initializers.get(name);
    const constant =
      values.get(name) ?? (tensor && constantOfTensor(`weight '${name}'`, tensor, externalData));
    if (found !== undefined || constant === undefined) return found;
    const weight = constantOperand(new Emitter(b, { kind: 'name', name, child: unknownLocation }), constant);
    known.set(name, weight);
    return weight;
  };

  /** The outputs of a node; nothing where an input is missing because of a problem that is known. */
  const convert = (proto: NodeProto): readonly Operand[] => {
    const conversion = isDefaultDomain(proto.domain) ? conversions.get(proto.opType) : undefined;
    if (conversion === undefined) {
      const domain = isDefaultDomain(proto.domain) ? '' : ` of domain ${proto.domain}`;
      throw new NodeProblem('unsupported', `this op${domain} is not imported`);
    }
    if (opset < 7 && hasOldMeaning(proto))
      throw new NodeProblem('unsupported', `what this op means in operator set ${opset}`);
    const unknown = unknownAttribute(
      proto.opType,
      opset,
      proto.attribute.map(({ name }) => name),
    );
    if (unknown !== undefined) throw new NodeProblem('invalid', `has no attribute '${unknown}'`);
    const operands = proto.input.map((name) => (name === '' ? undefined : operand(name)));
    if (operands.some((each, i) => each === undefined && proto.input[i] !== '')) return [];
    const node = new OnnxNode(proto, operands, {
      opset,
      emitter: new Emitter(b, locationOf(proto)),
      foldBatchNormalization,
      files: externalData,
      usesOf: (name) => uses.get(name) ?? 0,
      isNormalized: (name) => uses.get(name) === 1 && normalized.has(name),
      mayFold: (size) => {
        if (!(size <= foldable)) return false;
        foldable -= size;
        return true;
      },
    });
    const results = [conversion(node)].flat() as readonly Operand[];
    // In this order, not when the last result is asked for: chains are long, and calls are not.
    for (const result of results)
      if (result.constant === undefined && result.scaled === undefined && problems.length === 0)
        result.value();
    return results;
  };

  for (const proto of nodes) {
    const problem = caught(() => {
      const results = convert(proto);
      proto.output.forEach((name, i) => {
        const result = results[i];
        if (name !== '' && result !== undefined) known.set(name, result);
      });
      if (results.length > 0 && proto.output.some((name, i) => uses.has(name) && i >= results.length))
        throw new NodeProblem('unsupported', 'only its first outputs are imported');
    });
    if (problem !== undefined) problems.push({ node: proto, ...problem });
  }
  return graph.output.flatMap(({ name }) => operand(name) ?? []);
};

/** Ops that meant something else before operator set 7, and attributes that no longer exist. */
const [changedOps, oldAttributes] = [
  new Set(['BatchNormalization', 'Concat', 'Dropout', 'Gemm', 'Pad', 'Pow', 'PRelu', 'Split', 'Upsample']),
  new Set(['broadcast', 'is_test']),
];
const hasOldMeaning = ({ opType, attribute }: NodeProto): boolean =>
  changedOps.has(opType) || attribute.some(({ name }) => oldAttributes.has(name));

/** The problem that a conversion throws. */
const caught = (convert: () => void): Pick<NodeProblem, 'kind' | 'message'> | undefined => {
  try {
    convert();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof NodeProblem) return { kind: thrown.kind, message: thrown.message };
    if (isAffineError(thrown)) return { kind: 'invalid', message: 'its sizes exceed 2^53' };
    throw thrown;
  }
};

/** How often each value is used, outputs of the graph included. */
const countUses = (graph: GraphProto, nodes: readonly NodeProto[]): ReadonlyMap<string, number> => {
  const uses = new Map<string, number>();
  const names = [...nodes.flatMap(({ input }) => input), ...graph.output.map(({ name }) => name)];
  for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1);
  return uses;
};

/** More problems than these say nothing new. */
const mostProblems = 100;

const failureOf = (problems: readonly Problem[]): Failed => {
  const invalid = problems.filter(({ kind }) => kind === 'invalid');
  const errors: Diagnostic[] = invalid
    .slice(0, mostProblems)
    .map(({ node, message }) => error('onnx/invalid-node', `${node.opType} ${message}`, locationOf(node)));
  const unsupported = problems.filter(({ kind }) => kind === 'unsupported');
  const [first] = unsupported;
  if (first !== undefined) {
    const names = [...new Set(unsupported.map(({ node }) => node.opType))];
    const notes = unsupported.slice(0, mostProblems).map(({ node, message }): Note => ({
      message: `${node.opType}: ${message}`,
      location: locationOf(node),
    }));
    errors.push(
      error('onnx/unsupported', `not imported: ${names.join(', ')}`, locationOf(first.node), notes),
    );
  }
  return definite(...errors);
};
