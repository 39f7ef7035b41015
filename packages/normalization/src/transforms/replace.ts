/** `transform.structured.replace`: another op in place of the targets, for experiments. */
import type { Failed } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import type { DraftOperation, Operation } from '@sconv/ir';
import { hasTrait, printType, typeEquals } from '@sconv/ir';
import type { ApplyContext } from '@sconv/transform';
import { consumes, defineTransformOp, directives, produces } from '@sconv/transform';

/** Whether an op uses nothing from around it through its regions. */
const isClosed = ({ regions }: Operation, isIsolated: boolean): boolean => regions.length === 0 || isIsolated;

/** `transform.structured.replace`; its script is the only form, since the body is any op of the payload. */
export const replace = defineTransformOp({
  name: 'transform.structured.replace',
  summary: 'Replaces each target with a copy of the op in the body.',
  operands: { target: consumes('ops without operands, isolated from above if they have regions') },
  results: { replacement: produces('the copies') },
  regions: ['bodyRegion'],
  traits: ['graph-region', 'isolated-from-above', 'no-terminator', 'single-block'],
  failures: {
    'replace/operands': { mode: 'definite', when: 'a target has operands' },
    'replace/isolated': { mode: 'definite', when: 'a target has regions and is not isolated from above' },
    'replace/results': {
      mode: 'definite',
      when: 'a target has results of other types than the op in the body',
    },
  },
  assembly: {
    format:
      '$target attr-dict-with-keyword regions `:` custom<SemiFunctionType>(type($target), type($replacement))',
    directives,
  },
  *verify({ operation }, context) {
    const [held, ...more] = operation.regions[0]?.blocks.flatMap(({ operations }) => operations) ?? [];
    if (held === undefined || more.length > 0) yield 'expected one operation in block';
    else if (held.operands.length > 0) yield 'expected replacement without operands';
    else if (!isClosed(held, context.hasTrait(held, 'isolated-from-above')))
      yield 'expect op that is isolated from above';
  },
  apply: (context, { target }) => {
    const { rewriter, operation } = context;
    const model = operation.regions[0]!.blocks[0]!.operations[0]!;
    for (const each of target) {
      const failed = problemWith(context, each, model);
      if (failed !== undefined) return failed;
    }
    const replacement: DraftOperation[] = [];
    for (const each of target) {
      if (isInScript(context, each)) continue;
      rewriter.setInsertionPointBefore(each);
      const copy = rewriter.clone(model);
      rewriter.replaceOperation(each, copy.results);
      replacement.push(copy);
    }
    return success({ replacement });
  },
});

/** Why a target cannot be replaced; upstream makes invalid IR of results of other types. */
const problemWith = (
  { rewriter: { registry } }: ApplyContext,
  target: DraftOperation,
  model: Operation,
): Failed | undefined => {
  const { location } = target;
  if (target.operands.length > 0)
    return definite(error('replace/operands', 'expected target without operands', location));
  if (!isClosed(target, hasTrait(registry, target, 'isolated-from-above')))
    return definite(error('replace/isolated', 'expected target that is isolated from above', location));
  const fits =
    target.results.length === model.results.length &&
    target.results.every(({ type }, i) => typeEquals(type, model.results[i]!.type));
  if (fits) return undefined;
  const message = `expected target with results ${resultTypes(model)}, not ${resultTypes(target)}`;
  return definite(error('replace/results', message, location));
};

const resultTypes = ({ results }: Operation): string =>
  `(${results.map(({ type }) => printType(type)).join(', ')})`;

/** Whether a target is in the body of the transform op, which may itself be part of the payload. */
const isInScript = ({ rewriter, operation }: ApplyContext, target: DraftOperation): boolean => {
  const itself = rewriter.lookup(operation.id);
  // In another module this id may be a different operation.
  if (itself?.name !== operation.name || itself.location !== operation.location) return false;
  return rewriter.isWithin(target, itself);
};
