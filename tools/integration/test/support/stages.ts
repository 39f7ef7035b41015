/** Runs a schedule and keeps the payload after every stage. */
import { unwrap } from '@sconv/diagnostics';
import { interpret, referenceConvolution, integerData, tensor, elementsOf } from '@sconv/interpreter';
import type { Module } from '@sconv/ir';
import { parseModule } from '@sconv/ir';
import { runSchedule } from '@sconv/transform';
import { sequenceText } from '@sconv/transform/testing';
import { registry } from './registry.ts';
import type { Case, ConvolutionShape } from './convolutions.ts';
import { outputOf, payloadText, scheduleText } from './convolutions.ts';

export interface Stage {
  readonly name: string;
  readonly module: Module;
}

export const parse = (text: string, fileName: string): Module =>
  unwrap(parseModule(text, { registry, fileName }));

/** A script whose entry point has this body, with the payload as `%root`. */
export const sequence = sequenceText;

/** The payload before the schedule and after each non-empty stage. */
export const stagesOf = (payload: Module, script: Module): readonly Stage[] => {
  const stages: Stage[] = [{ name: 'payload', module: payload }];
  unwrap(
    runSchedule(script, payload, {
      registry,
      trace: {
        leave: (node, module) => {
          if (node.kind === 'group' && node.role === 'stage') stages.push({ name: node.name, module });
        },
      },
    }),
  );
  return stages;
};

/** The stages of a case. */
export const stagesOfCase = (each: Case): readonly Stage[] =>
  stagesOf(parse(payloadText(each), 'payload.mlir'), parse(scheduleText(each), 'schedule.mlir'));

/** Small integers for the operands of a convolution, and the exact result. */
export interface Data {
  readonly input: Float32Array;
  readonly filters: Float32Array;
  /** The output's initial contents. */
  readonly initial: Float32Array;
  readonly expected: Float32Array;
}

/** Tests of several files ask for the data of one shape, in one thread: the plain loops take up to seconds. */
const known = new Map<string, Data>();

/** The data of a shape, which tests do not change. */
export const dataOf = (shape: ConvolutionShape): Data => {
  const key = JSON.stringify(shape);
  const data = known.get(key) ?? newData(shape);
  known.set(key, data);
  return data;
};

const newData = (shape: ConvolutionShape): Data => {
  const [outputHeight, outputWidth] = outputOf(shape);
  const input = integerData(shape.batch * shape.inputChannels * shape.inputHeight * shape.inputWidth, 1);
  const filters = integerData(
    shape.filters * shape.inputChannels * shape.filterHeight * shape.filterWidth,
    2,
  );
  const initial = integerData(shape.batch * shape.filters * outputHeight * outputWidth, 3);
  return { input, filters, initial, expected: referenceConvolution(shape, input, filters, initial) };
};

/** The interpreter's result for the function of a tensor-level module. */
export const interpretConvolution = (module: Module, shape: ConvolutionShape, data: Data): Float32Array => {
  const { batch, inputChannels, inputHeight, inputWidth, filters, filterHeight, filterWidth } = shape;
  const results = unwrap(
    interpret(module, 'conv', [
      tensor([batch, inputChannels, inputHeight, inputWidth], data.input),
      tensor([filters, inputChannels, filterHeight, filterWidth], data.filters),
      tensor([batch, filters, ...outputOf(shape)], data.initial),
    ]),
  );
  const [result] = results;
  if (typeof result !== 'object' || result.kind !== 'tensor')
    throw new Error('the function does not return a tensor');
  return elementsOf(result) as Float32Array;
};

/** The first differing element, as text; undefined if all are equal. */
export const firstMismatch = (actual: Float32Array, expected: Float32Array): string | undefined => {
  if (actual.length !== expected.length) return `${actual.length} elements instead of ${expected.length}`;
  const index = actual.findIndex((value, i) => value !== expected[i]);
  return index < 0 ? undefined : `element ${index} is ${actual[index]!}, not ${expected[index]!}`;
};
