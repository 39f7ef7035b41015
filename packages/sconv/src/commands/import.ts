/** `sconv import`: an ONNX model as MLIR. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess, success } from '@sconv/diagnostics';
import { tryPrintModule } from '@sconv/ir';
import type { ImportedModel, InputSizes, OnnxTensor } from '@sconv/onnx';
import { importOnnx } from '@sconv/onnx';
import { Command } from 'commander';
import type { Console } from '../console.ts';
import { failed, reportAll } from '../console.ts';
import { defaultRegistry } from '../default-registry.ts';
import { jsonDocument } from '../json-document.ts';
import { readModelFiles } from '../model/read-model-files.ts';
import { writeFile } from '../write-file.ts';
import { parseSizes } from './sizes-option.ts';

interface ImportCommandOptions {
  readonly input?: InputSizes;
  readonly fold: boolean;
  readonly weights: boolean;
  readonly output?: string;
  readonly json?: true;
}

const textOf = ({ module }: ImportedModel, weights: boolean): Diagnosed<string> =>
  tryPrintModule(module, {
    registry: defaultRegistry,
    debugInfo: true,
    resources: weights ? 'hexadecimal' : 'elided',
  });

const tensorDocument = ({ name, shape, type }: OnnxTensor) => ({ name, shape, type: type.name });

/** Writes the module; returns the exit code. */
const execute = (path: string, options: ImportCommandOptions, output: Console): number => {
  const { input = {}, fold, weights, output: target, json } = options;
  const result = andThen(readModelFiles(path), ({ bytes, externalData }) => {
    const importing = { inputs: input, foldBatchNormalization: fold, fileName: path, externalData };
    const imported = importOnnx(bytes, importing);
    return andThen(imported, (model) => {
      if (json === true && target === undefined) return success(documentOf(model));
      return andThen(textOf(model, weights), (text) => {
        if (target === undefined) return success(text);
        return mapSuccess(writeFile(target, text), () => (json === true ? documentOf(model) : ''));
      });
    });
  });
  reportAll(output, result.diagnostics, []);
  if (result.status !== 'success') return failed;
  output.out(result.value);
  return 0;
};

const documentOf = ({ inputs, outputs, opset }: ImportedModel): string =>
  jsonDocument({
    opset,
    inputs: inputs.map(tensorDocument),
    outputs: outputs.map(tensorDocument),
    diagnostics: [],
  });

/** The command `import MODEL`; reports its exit code to `onExit`. */
export const importCommand = (onExit: (code: number) => void, output: Console): Command =>
  new Command('import')
    .description('print an ONNX model as MLIR: one function, linalg on tensors')
    .argument('<model>', 'a file')
    .option(
      '--input <sizes>',
      'sizes of an input, as in x=1x3x224x224, where the model leaves them open',
      parseSizes,
    )
    .option('--no-fold', 'leave batch normalizations beside the convolutions before them')
    .option('--no-weights', 'leave the bytes of weights out of the text, which cannot be run then')
    .option('-o, --output <file>', 'write the text to a file')
    .option('--json', 'write inputs and outputs as a JSON document; the module only to a file')
    .action((model: string, options: ImportCommandOptions) => {
      onExit(execute(model, options, output));
    });
