/**
 * Runs the node cases of the ONNX standard on a backend: `node tools/models/check-node-cases.mjs [--target NAME]
 * [--case NAME…] [--only FILE] [--verbose]`
 *
 * `tools/setup-models.sh` installs the cases; `ONNX_TEST_DATA` is their folder where it is another one. Each case is
 * right or refused by name, or the exit code 1. `--only` is a file with a name of a case in each line, for figures of
 * a part.
 */
import { Buffer } from 'node:buffer';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { importOnnx, readOnnx } from '@sconv/onnx';
import { findTarget, render, unwrap } from 'sconv';
import { compileModel } from 'sconv/model';
import { nodeBackends } from 'sconv/node';

const { values: options } = parseArgs({
  options: {
    target: { type: 'string', default: 'wasm' },
    case: { type: 'string', multiple: true },
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const folder = `${process.env['ONNX_TEST_DATA'] ?? '/usr/share/libonnx-testdata'}/data/node`;
const target = findTarget(options.target);
if (target === undefined || !existsSync(folder)) {
  process.stderr.write(`no such target, or no cases in ${folder}: tools/setup-models.sh installs them\n`);
  process.exit(2);
}

/** Bytes of a field of a message, `wire type 2`. */
const field = (/** @type {number} */ number, /** @type {Uint8Array} */ bytes) => {
  const head = [number * 8 + 2];
  let rest = bytes.length;
  for (; rest >= 128; rest = Math.floor(rest / 128)) head.push((rest % 128) + 128);
  return Buffer.concat([Uint8Array.of(...head, rest), bytes]);
};

/** A file of a tensor, as the weight of a model; undefined for what is no tensor. */
const readTensor = (/** @type {string} */ path) => {
  const model = readOnnx(field(7, field(5, readFileSync(path))));
  return model.status === 'success' ? model.value.graph?.initializer[0] : undefined;
};

/** How the elements of a data type of `onnx.proto` lie in a file. */
const arrays = {
  1: Float32Array,
  2: Uint8Array,
  3: Int8Array,
  4: Uint16Array,
  5: Int16Array,
  6: Int32Array,
  7: BigInt64Array,
  9: Uint8Array,
  10: Uint16Array,
  11: Float64Array,
  12: Uint32Array,
  13: BigUint64Array,
  16: Uint16Array,
};

/** The elements of a tensor of a file, in the array of a data type: of the model's, where the file has another. */
const elementsOf = (
  /** @type {import('@sconv/onnx').OnnxTensorFields} */ { rawData },
  /** @type {number} */ code,
) => {
  const bytes = Uint8Array.from(rawData);
  return new arrays[code](bytes.buffer);
};

/** An element as a number. */
const numberOf = (/** @type {number | bigint} */ element, /** @type {number} */ code) => {
  if (code === 16) return new Float32Array(Uint32Array.of(Number(element) << 16).buffer)[0];
  if (code !== 10) return Number(element);
  const [sign, exponent, fraction] = [element >> 15, (element >> 10) & 31, element & 1023];
  const size =
    exponent === 31
      ? fraction === 0
        ? Infinity
        : NaN
      : exponent === 0
        ? fraction * 2 ** -24
        : (1024 + fraction) * 2 ** (exponent - 25);
  return sign === 1 ? -size : size;
};

const tolerances = { 10: 2e-3, 16: 1e-2 };
// Windows are expanded with a circle number of four digits.
const toleranceOf = (/** @type {string} */ name, /** @type {number} */ code) =>
  /window.*_expanded/.test(name) ? 1e-3 : (tolerances[code] ?? 1e-5);

const isClose = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ tolerance) =>
  a === b || (Number.isNaN(a) && Number.isNaN(b)) || Math.abs(a - b) <= tolerance * (1 + Math.abs(b));

/** The import of a case, with the values of inputs where it needs them. */
const importOptions = (/** @type {Uint8Array} */ file, /** @type {ReadonlyMap<string, any>} */ data) => {
  const names = [...data.keys()];
  const withValues = (/** @type {readonly string[]} */ known) => ({
    values: Object.fromEntries(
      known
        .filter((name) => arrays[data.get(name)?.dataType] !== undefined)
        .map((name) => {
          const { dataType } = data.get(name);
          return [name, Array.from(elementsOf(data.get(name), dataType), (each) => numberOf(each, dataType))];
        }),
    ),
  });
  const tried = [{}, withValues(names.slice(1)), withValues(names)];
  return tried.find((each) => importOnnx(file, each).status === 'success') ?? {};
};

/** @returns {Promise<{ kind: 'right' | 'wrong' | 'refused', why: string }>} */
const outcome = async (/** @type {string} */ name) => {
  const path = `${folder}/${name}`;
  const file = new Uint8Array(readFileSync(`${path}/model.onnx`));
  const { input } = unwrap(readOnnx(file)).graph;
  const set = (/** @type {string} */ kind, /** @type {number} */ i) =>
    readTensor(`${path}/test_data_set_0/${kind}_${i}.pb`);
  const data = new Map(input.map((each, i) => [each.name, set('input', i)]));
  const compiled = await compileModel(file, { ...importOptions(file, data), target, backends: nodeBackends });
  if (compiled.status !== 'success') {
    const [first] = compiled.diagnostics;
    const why = render({ ...first, notes: [] }).trim();
    const isSaid = first.code === 'onnx/unsupported' || first.code.startsWith('onnx/');
    return { kind: isSaid ? 'refused' : 'wrong', why };
  }
  const model = compiled.value;
  try {
    const given = Object.fromEntries(
      model.inputs.map(({ name: each, type }) => [each, elementsOf(data.get(each), type.code)]),
    );
    const results = await model.run(given);
    for (const [i, { name: each, type, shape }] of model.outputs.entries()) {
      const wanted = set('output', i);
      if (wanted.dims.join() !== shape.join())
        return { kind: 'wrong', why: `${shape.join('x')} instead of ${wanted.dims.join('x')}` };
      const expected = elementsOf(wanted, type.code);
      const tolerance = toleranceOf(name, type.code);
      const at = expected.findIndex(
        (element, k) =>
          !isClose(numberOf(results[each][k], type.code), numberOf(element, type.code), tolerance),
      );
      if (at >= 0)
        return { kind: 'wrong', why: `${each}: ${results[each][at]} instead of ${expected[at]} at ${at}` };
    }
    return { kind: 'right', why: '' };
  } catch (thrown) {
    return {
      kind: thrown instanceof RangeError || thrown instanceof TypeError ? 'refused' : 'wrong',
      why: String(thrown),
    };
  } finally {
    model.dispose();
  }
};

const names = options.case ?? readdirSync(folder).sort();
const chosen =
  options.only === undefined ? undefined : new Set(readFileSync(options.only, 'utf8').split('\n'));
const counts = { right: 0, wrong: 0, refused: 0 };
for (const name of names) {
  if (chosen !== undefined && !chosen.has(name)) continue;
  const { kind, why } = await outcome(name);
  counts[kind] += 1;
  if (kind === 'wrong' || (kind === 'refused' && options.verbose)) console.log(`${kind}  ${name}: ${why}`);
}
console.log(
  `${options.target}: ${counts.right} right, ${counts.refused} refused by name, ${counts.wrong} wrong`,
);
process.exitCode = counts.wrong === 0 ? 0 : 1;
