/** One node of the graph while it is imported: its attributes, its inputs, and where its ops go. */
import type { NameLocation } from '@sconv/diagnostics';
import { unknownLocation } from '@sconv/diagnostics';
import { decodeText } from '@sconv/ir';
import type { AttributeProto, NodeProto } from './generated/onnx_pb.ts';
import type { Constant } from './constant.ts';
import { countOf, numbersOf } from './constant.ts';
import type { ElementType } from './element-type.ts';
import type { Emitter } from './emitter.ts';
import type { Operand } from './operand.ts';
import { invalid, printSizes, unsupported } from './problem.ts';
import type { ExternalData } from './external-data.ts';
import { constantOfTensor } from './tensor-data.ts';

/** What conversions of nodes share. */
export interface NodeContext {
  /** Version of the ONNX operator set. */
  readonly opset: number;
  /** Creates ops at the node's location. */
  readonly emitter: Emitter;
  /** Whether a result of that many bytes may be computed at import: claims are not allocated without limit. */
  readonly mayFold: (bytes: number) => boolean;
  /** Whether batch normalizations are folded into the convolutions before them. */
  readonly foldBatchNormalization: boolean;
  /** The files beside the model that weights lie in. */
  readonly files: ExternalData;
  /** How many inputs of nodes, and outputs of the graph, are this output of a node. */
  readonly usesOf: (output: string) => number;
  /** Whether an output is used once, as the input of a batch normalization. */
  readonly isNormalized: (output: string) => boolean;
}

/** The location of a node: its name, or its first output, which is unique. */
export const locationOf = ({ name, output, opType }: NodeProto): NameLocation => ({
  kind: 'name',
  name: name !== '' ? name : `${opType}:${output.find((each) => each !== '') ?? ''}`,
  child: unknownLocation,
});

/** Longer lists of numbers as constants are no shapes, axes or pads. */
const longestList = 4096;

/** A node, its attributes and its inputs, read with checks: each throws a `NodeProblem`. */
export class OnnxNode {
  readonly op: string;
  readonly context: NodeContext;
  readonly inputs: readonly (Operand | undefined)[];
  /** Names of the outputs; empty for those that are left out. */
  readonly outputs: readonly string[];
  readonly #attributes: ReadonlyMap<string, AttributeProto>;

  constructor(proto: NodeProto, inputs: readonly (Operand | undefined)[], context: NodeContext) {
    this.op = proto.opType;
    this.context = context;
    this.inputs = inputs;
    this.outputs = proto.output;
    this.#attributes = new Map(proto.attribute.map((attribute) => [attribute.name, attribute]));
  }

  get emitter(): Emitter {
    return this.context.emitter;
  }

  get opset(): number {
    return this.context.opset;
  }

  /** An input that the node must have. */
  input(position: number): Operand {
    return this.inputs[position] ?? invalid(`lacks its input ${position}`);
  }

  /** An input that may be left out. */
  optional(position: number): Operand | undefined {
    return this.inputs[position];
  }

  /** The elements of an input that must be known at import; `what` says what it is for. */
  constant(position: number, what: string): Constant {
    return this.input(position).constant ?? unsupported(`its ${what} must be known at import`);
  }

  /** A list of integers in an input, which must be known at import; undefined if it is left out. */
  list(position: number, what: string): readonly number[] | undefined {
    if (this.optional(position) === undefined) return undefined;
    const constant = this.constant(position, what);
    if (constant.shape.length > 1 || countOf(constant.shape) > longestList)
      invalid(`has ${what} of sizes ${printSizes(constant.shape)}`);
    return checkedIntegers(what, numbersOf(constant));
  }

  /** The only element of an input that must be known at import; undefined if it is left out. */
  number(position: number, what: string): number | undefined {
    if (this.optional(position) === undefined) return undefined;
    const constant = this.constant(position, what);
    if (countOf(constant.shape) !== 1) invalid(`has ${what} of sizes ${printSizes(constant.shape)}`);
    return numbersOf(constant)[0];
  }

  has(name: string): boolean {
    return this.#attributes.has(name);
  }

  int(name: string, otherwise: number): number {
    const attribute = this.#attributes.get(name);
    return attribute === undefined ? otherwise : checkedIntegers(`'${name}'`, [Number(attribute.i)])[0]!;
  }

  flag(name: string, otherwise = false): boolean {
    return this.int(name, otherwise ? 1 : 0) !== 0;
  }

  float(name: string, otherwise: number): number {
    return this.#attributes.get(name)?.f ?? otherwise;
  }

  text(name: string, otherwise: string): string {
    const attribute = this.#attributes.get(name);
    return attribute === undefined ? otherwise : decodeText(attribute.s);
  }

  ints(name: string): readonly number[] | undefined {
    const attribute = this.#attributes.get(name);
    return attribute && checkedIntegers(`'${name}'`, attribute.ints.map(Number));
  }

  floats(name: string): readonly number[] | undefined {
    return this.#attributes.get(name)?.floats;
  }

  tensor(name: string): Constant | undefined {
    const tensor = this.#attributes.get(name)?.t;
    return tensor && constantOfTensor(`'${name}'`, tensor, this.context.files);
  }

  /** A list that is an attribute in older operator sets, and an input in newer ones. */
  intsOrInput(name: string, position: number): readonly number[] | undefined {
    return this.ints(name) ?? this.list(position, name);
  }

  /** Refuses the node if it is used for more than its first output. */
  expectOneOutput(): void {
    const [, ...others] = this.outputs;
    if (others.some((name) => this.context.usesOf(name) > 0)) unsupported('its outputs beyond the first');
  }

  /** All inputs, at least one, of one element type, which is given back. */
  commonType(operands: readonly Operand[]): ElementType {
    const type = operands[0]?.type ?? invalid('has no input');
    const other = operands.find((operand) => operand.type !== type);
    if (other !== undefined) invalid(`combines ${type.name} with ${other.type.name}`);
    return type;
  }

  /** An axis, which may count from the end, for tensors of this rank. */
  axis(axis: number, rank: number): number {
    if (!Number.isInteger(axis) || axis < -rank || axis >= rank)
      invalid(`has axis ${axis} for a tensor of ${rank} dimensions`);
    return axis < 0 ? axis + rank : axis;
  }

  /** Axes, each once, in increasing order. */
  axes(axes: readonly number[], rank: number): readonly number[] {
    const sorted = axes.map((axis) => this.axis(axis, rank)).sort((a, b) => a - b);
    if (new Set(sorted).size < sorted.length) invalid(`has axes ${axes.join(', ')}, one of them twice`);
    return sorted;
  }
}

const checkedIntegers = (what: string, values: readonly number[]): readonly number[] => {
  const odd = values.find((value) => !Number.isInteger(value));
  return odd === undefined ? values : invalid(`has ${odd} in ${what}`);
};
