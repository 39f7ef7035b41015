/** `transform.foreach`: a body for each payload operation. */
import { andThen, silenceableError } from '@sconv/diagnostics';
import type { OpAsmParser, OpAsmPrinter, Operation, ParsedOperation } from '@sconv/ir';
import { bodyOf, unitAttribute, unitAttributeKind } from '@sconv/ir';
import { sameKind, yieldedTypes } from './body-problem.ts';
import { defineTransformOp } from './define-transform-op.ts';
import { producesAny, readsAny } from './handle-specs.ts';
import type { ScriptValue } from './handle.ts';
import { recorderOf } from './handle.ts';
import { joinPayloads, singlesOf, sizeOf } from './payload.ts';
import type { TrackedPayload } from './run-state.ts';
import type { RecordBody, Yields } from './yields.ts';
import { inForm, itemsOf } from './yields.ts';

/** `%a, %b with_zip_shortest : type, type -> type { … } {attributes}`. */
const parseForeach = (parser: OpAsmParser): ParsedOperation => {
  const targets = parser.commaSeparated(() => parser.operand());
  const zipShortest = parser.accept('with_zip_shortest') ? { with_zip_shortest: unitAttribute } : {};
  const types = parser.colonTypeList();
  const resultTypes = parser.accept('->') ? parser.commaSeparated(() => parser.type()) : [];
  const region = parser.region();
  const attributes = parser.optionalAttrDict();
  return {
    operands: parser.resolveAll(targets, types, parser.here()),
    resultTypes,
    attributes: { ...attributes, ...zipShortest },
    regions: [parser.ensureTerminator(region, 'transform.yield')],
  };
};

const printForeach = (printer: OpAsmPrinter, operation: Operation): void => {
  printer.text(' ');
  printer.operands(operation.operands);
  if (operation.attributes['with_zip_shortest'] !== undefined) printer.text(' with_zip_shortest');
  printer.text(' : ');
  printer.types(operation.operands.map((operand) => operand.type));
  if (operation.results.length > 0) {
    printer.text(' -> ');
    printer.types(operation.results.map((result) => result.type));
  }
  printer.text(' ');
  printer.region(operation.regions[0]!, { printTerminator: operation.results.length > 0 });
  printer.optionalAttrDict(operation, ['with_zip_shortest']);
};

const foreachOp = defineTransformOp({
  name: 'transform.foreach',
  summary: 'Executes the body for each element of the payload.',
  operands: { targets: readsAny('handles or parameters, iterated together') },
  attributes: { withZipShortest: unitAttributeKind },
  results: { results: producesAny('what the body yields, concatenated over the iterations') },
  regions: ['body'],
  traits: ['single-block'],
  failures: {
    'transform/foreach-sizes': {
      mode: 'silenceable',
      when: 'the targets have different numbers of payload ops, and `with_zip_shortest` is not set',
    },
  },
  assembly: { parse: parseForeach, print: printForeach },
  *verify({ operation }) {
    const { operands, results } = operation;
    const body = operation.regions[0]?.blocks[0];
    const yielded = yieldedTypes(body);
    if (body === undefined) yield 'expects a body';
    else if (operands.length === 0) yield 'expects at least one target';
    else if (body.arguments.length !== operands.length) {
      yield 'expects the same number of targets as the body has block arguments';
    } else if (yielded.length !== results.length) {
      yield 'expects the same number of results as the yield terminator has operands';
    } else if (!operands.every(({ type }, i) => sameKind(type, body.arguments[i]!.type))) {
      yield "expects co-indexed targets and the body's block arguments to have the same op/value/param type";
    } else if (!results.every(({ type }, i) => sameKind(type, yielded[i]!))) {
      yield 'expects co-indexed results and yield operands to have the same op/value/param type';
    }
  },
  interpret: (run, operation, { withZipShortest }) => {
    const body = bodyOf(operation);
    const iterate = () => {
      const targets = operation.operands.map((operand) => singlesOf(run.payloadOf(operand)));
      const sizes = targets.map((singles) => singles.length);
      const other = sizes.findIndex((size) => size !== sizes[0]);
      if (other >= 0 && !withZipShortest) {
        const message =
          `prior targets' payload size (${sizes[0]!}) differs from payload size (${sizes[other]!}) of ` +
          `target #${other}`;
        return silenceableError('transform/foreach-sizes', message, operation);
      }
      const iterations = Array.from({ length: Math.min(...sizes) }, (_, i) => i);
      return run.tracking((track) => {
        const tuples = iterations.map((i) => targets.map((singles) => track(singles[i]!)));
        const joined = operation.results.map((): TrackedPayload[] => []);
        for (const [i, tuple] of tuples.entries()) {
          if (tuple.some(({ payload }) => sizeOf(payload) === 0)) {
            run.warn(operation, 'transform/foreach-erased', `target ${i} was erased by an earlier iteration`);
            continue;
          }
          const result = run.group({ role: 'iteration', name: String(i) }, () =>
            andThen(
              run.bindAll(
                operation,
                body.arguments,
                tuple.map(({ payload }) => payload),
              ),
              () => run.runBlock(body),
            ),
          );
          if (result.status !== 'success') return result;
          result.value.forEach((payload, k) => joined[k]!.push(track(payload)));
        }
        return run.bindResults(
          operation,
          operation.results.map(({ type }, k) =>
            joinPayloads(
              type,
              joined[k]!.map(({ payload }) => payload),
            ),
          ),
        );
      });
    };
    return run.nested(operation, iterate, body);
  },
});

/**
 * Records a `transform.foreach`: `body` records what is done with each element of the payload; with several targets,
 * with each tuple of them. What it yields is joined over the iterations. An iteration may change the targets of later
 * ones: one that was erased is skipped with a warning, one that became several is bound as several.
 *
 *     foreach($.match('linalg.generic'), (generic) => {
 *       splitOp({ target: generic }, …);
 *     });
 */
export const foreach: RecordBody<{ readonly zipShortest?: boolean }> & {
  readonly definition: typeof foreachOp.definition;
} = Object.assign(
  <R extends Yields>(
    targets: ScriptValue | readonly ScriptValue[],
    body: (...items: never) => R,
    { zipShortest = false }: { readonly zipShortest?: boolean } = {},
  ): R => {
    const operands = itemsOf(targets);
    const { form, values } = recorderOf(operands).recordBodies(
      foreachOp.definition,
      foreachOp.definition.state({
        operands: { targets: operands.map(({ value }) => value) },
        attributes: { withZipShortest: zipShortest },
        resultTypes: [],
      }),
      { bodies: [body], isolated: false },
    );
    return inForm(form, values) as R;
  },
  { definition: foreachOp.definition },
);
