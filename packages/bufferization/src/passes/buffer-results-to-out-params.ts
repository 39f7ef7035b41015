/** The pass `buffer-results-to-out-params`: functions write to the caller's buffers instead of returning buffers. */
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess, success } from '@sconv/diagnostics';
import { call } from '@sconv/dialects/func';
import { alloc, cast, copy } from '@sconv/dialects/memref';
import type { Attribute, DraftOperation, MemRefType, Rewriter, Type, Value } from '@sconv/ir';
import {
  arrayAttribute,
  definePass,
  DYNAMIC,
  flagOption,
  functionType,
  isStaticShape,
  memrefType,
  stridedLayoutAttribute,
  tryEdit,
  typeAttribute,
  typeEquals,
  unitAttribute,
} from '@sconv/ir';
import { diagnosed, fail } from '../failure.ts';
import type { KnownFunctions } from './copied-aliases.ts';
import { knownFunctions, noticedCopy } from './copied-aliases.ts';
import { calleeOf, functionsOf, returnsOf, setArgumentAttributes, signatureOf } from '../function-facts.ts';

export interface OutParamOptions {
  /** Whether the new arguments get the attribute `bufferize.result`. */
  readonly addResultAttr?: boolean;
  /** Whether a returned allocation of static size is replaced by the argument, instead of copied to it. */
  readonly hoistStaticAllocs?: boolean;
}

const isBuffer = (type: Type): type is MemRefType => type.kind === 'memref';

/** The row-major buffer type with this shape, element type and memory space. */
const contiguous = ({ shape, elementType, memorySpace }: MemRefType): MemRefType =>
  memrefType(shape, elementType, undefined, memorySpace);

const hasDynamicLayout = (type: MemRefType): boolean => {
  const { shape, elementType, memorySpace } = type;
  const layout = stridedLayoutAttribute(
    DYNAMIC,
    shape.map(() => DYNAMIC),
  );
  return typeEquals(type, memrefType(shape, elementType, layout, memorySpace));
};

/** Turns the buffer results of a module's functions into arguments; fails for layouts that cannot be allocated. */
export const bufferResultsToOutParams = (
  rewriter: Rewriter,
  module: DraftOperation,
  options: OutParamOptions = {},
): Diagnosed<undefined> =>
  diagnosed(() => {
    const functions = functionsOf(rewriter, module);
    const calls = rewriter.walk(module).filter((each) => call.is(each) && functions.has(calleeOf(each)));
    const returning = calls
      .filter(({ results }) =>
        results.some((value) => isBuffer(value.type) && rewriter.users(value).length > 0),
      )
      .filter((each) => returnsOf(functions.get(calleeOf(each))!).length > 0);
    if (returning.length > 0) {
      const known = knownFunctions(rewriter, module);
      for (const each of returning) checkCall(known, each);
    }
    for (const operation of functions.values()) changeFunction(rewriter, operation, options);
    for (const each of calls) changeCall(rewriter, each);
    return success(undefined);
  });

/**
 * Fails where a caller would notice that the buffers which it gets are copies.
 *
 * @deviation Upstream copies them: of a buffer that is returned twice, the caller writes to one and reads the other.
 */
const checkCall = (known: KnownFunctions, operation: DraftOperation): void => {
  const noticed = noticedCopy(known, operation);
  if (noticed === undefined) return;
  fail(
    'out-params/aliased',
    `'func.call' op cannot get a copy as result #${noticed.result}: it is also ${noticed.other}, ` +
      'and one of them may be written after the call',
    operation,
  );
};

const changeFunction = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { addResultAttr = false, hoistStaticAllocs = false }: OutParamOptions,
): void => {
  const { inputs, results } = signatureOf(operation);
  const added = results.filter(isBuffer);
  if (added.length === 0) return;
  if (added.some((type) => !typeEquals(type, contiguous(type)) && !hasDynamicLayout(type)))
    fail('out-params/layout', 'cannot create out param for result with unsupported layout', operation);
  // 1. The signature; result attributes move to the argument.
  const said = operation.attributes['res_attrs'];
  const resultAttributes = said?.kind === 'array' ? said.elements : [];
  const kept = results.filter((type) => !isBuffer(type));
  rewriter.setAttribute(operation, 'function_type', typeAttribute(functionType([...inputs, ...added], kept)));
  const ofBuffers = resultAttributes.filter((_, i) => isBuffer(results[i]!));
  const entriesOf = (attribute: Attribute | undefined): Readonly<Record<string, Attribute>> =>
    attribute?.kind === 'dictionary' ? attribute.entries : {};
  setArgumentAttributes(rewriter, operation, (entries, i) =>
    i < inputs.length
      ? entries
      : {
          ...entriesOf(ofBuffers[i - inputs.length]),
          ...(addResultAttr ? { 'bufferize.result': unitAttribute } : {}),
        },
  );
  const left = resultAttributes.filter((_, i) => !isBuffer(results[i]!));
  if (said !== undefined)
    rewriter.setAttribute(operation, 'res_attrs', left.length === 0 ? undefined : arrayAttribute(left));
  // 2. The body.
  const body = operation.regions[0]?.blocks[0];
  if (body === undefined) return;
  const params = added.map((type) => rewriter.addArgument(body, type));
  for (const end of returnsOf(operation)) {
    let next = 0;
    for (const position of end.operands.keys()) {
      const source = end.operands[position]!;
      if (!isBuffer(source.type)) continue;
      const target = params[next++]!;
      const definition = rewriter.definingOperation(source);
      if (
        hoistStaticAllocs &&
        definition !== undefined &&
        alloc.is(definition) &&
        isStaticShape(source.type)
      ) {
        rewriter.replaceOperation(definition, [target]);
      } else {
        rewriter.setInsertionPointBefore(end);
        rewriter.create(copy.state({ operands: { source, target }, location: end.location }));
      }
    }
    rewriter.setOperands(
      end,
      end.operands.filter(({ type }) => !isBuffer(type)),
    );
  }
};

const changeCall = (rewriter: Rewriter, operation: DraftOperation): void => {
  const buffers = operation.results.filter(({ type }) => isBuffer(type));
  if (buffers.length === 0) return;
  rewriter.setInsertionPointBefore(operation);
  const params = new Map<number, Value>();
  for (const { id, type } of buffers as readonly Value<MemRefType>[]) {
    if (!isStaticShape(type))
      fail(
        'out-params/dynamic',
        "'func.call' op cannot create out param for dynamically shaped result",
        operation,
      );
    const own = contiguous(type);
    const buffer = rewriter.createValue(alloc.state({ operands: {}, resultTypes: [own] }));
    params.set(
      id,
      typeEquals(own, type)
        ? buffer
        : rewriter.createValue(cast.state({ operands: { source: buffer }, resultTypes: [type] })),
    );
  }
  const created = rewriter.create(
    call.state({
      operands: { operands: [...operation.operands, ...params.values()] },
      attributes: call.attributes(operation),
      resultTypes: operation.results.flatMap(({ id, type }) => (params.has(id) ? [] : [type])),
      location: operation.location,
    }),
  );
  const remaining = created.results.values();
  const values = operation.results.map(({ id }) => params.get(id) ?? remaining.next().value!);
  rewriter.replaceOperation(operation, values, [created]);
};

export const bufferResultsToOutParamsPass = definePass({
  name: 'buffer-results-to-out-params',
  title: 'BufferResultsToOutParams',
  summary: 'turn returned buffers into arguments that the caller allocates',
  options: {
    addResultAttr: flagOption('give the new arguments the attribute `bufferize.result`'),
    hoistStaticAllocs: flagOption('replace a returned allocation of static size by the argument, not a copy'),
  },
  run: (module, options, { registry }) =>
    mapSuccess(
      tryEdit(module, { registry }, (rewriter) => bufferResultsToOutParams(rewriter, rewriter.root, options)),
      (edit) => edit.module,
    ),
});
