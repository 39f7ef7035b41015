/** The pass `convert-linalg-to-std`: structured ops on buffers become library calls. */
import { definite, error, mapSuccess, success } from '@sconv/diagnostics';
import { moduleOp } from '@sconv/dialects/builtin';
import { call, funcOp } from '@sconv/dialects/func';
import { generic, structured } from '@sconv/dialects/linalg';
import { cast } from '@sconv/dialects/memref';
import type { DraftOperation, Rewriter, Type, Value } from '@sconv/ir';
import {
  closestParent,
  definePass,
  DYNAMIC,
  functionType,
  printType,
  symbolNameOf,
  tryEdit,
  unitAttribute,
} from '@sconv/ir';
import { dynamicBuffer } from '../options.ts';

/** The mangled name of a type: `memref<4x?xf32, 3>` is `view4xsxf32as3`. Undefined if it has none. */
const mangled = (type: Type): string | undefined => {
  if (type.kind === 'memref') {
    const element = mangled(type.elementType);
    const sizes = type.shape.map((size) => `${size === DYNAMIC ? 's' : size}x`).join('');
    const space = type.memorySpace;
    if (element === undefined || (space !== undefined && space.kind !== 'integer')) return undefined;
    return `view${sizes}${element}${space === undefined ? '' : `as${space.value}`}`;
  }
  if (type.kind === 'vector') {
    const element = mangled(type.elementType);
    return element === undefined ? undefined : `vector${type.shape.join('x')}${element}`;
  }
  const isScalar =
    type.kind === 'index' ||
    type.kind === 'float' ||
    (type.kind === 'integer' && type.signedness === 'signless');
  return isScalar ? printType(type) : undefined;
};

/** The name of the library function for an operation; undefined if there is none. */
const libraryName = ({ name, attributes, operands }: DraftOperation): string | undefined => {
  if (name === generic.name) {
    const { library_call: given } = attributes;
    return given?.kind === 'string' && given.value !== '' ? given.value : undefined;
  }
  const functions = Object.values(attributes).flatMap((attribute) => {
    const word = attribute.kind === 'dialect' ? /^(?:unary|binary)_fn<(\w+)>$/.exec(attribute.body) : null;
    return word === null ? [] : [`${word[1]!}_`];
  });
  const types = operands.map(({ type }) => mangled(type));
  if (types.includes(undefined)) return undefined;
  return `${name.replaceAll('.', '_')}_${functions.at(-1) ?? ''}${types.join('_')}`;
};

const passedType = (type: Type): Type =>
  type.kind === 'memref' ? { ...dynamicBuffer(type), ...spaceOf(type) } : type;

const spaceOf = (type: Extract<Type, { kind: 'memref' }>) =>
  type.memorySpace === undefined ? {} : { memorySpace: type.memorySpace };

/** Declares a function at the end of a module, unless it exists. */
const declare = (rewriter: Rewriter, module: DraftOperation, name: string, inputs: readonly Type[]): void => {
  const [body] = module.regions[0]!.blocks;
  if (body === undefined || body.operations.some((each) => symbolNameOf(each) === name)) return;
  rewriter.setInsertionPointBefore(body.last!);
  const state = funcOp.state<Rewriter>({
    attributes: { symName: name, functionType: functionType(inputs, []), symVisibility: 'private' },
    extra: { 'llvm.emit_c_interface': unitAttribute },
    bodies: [undefined],
  });
  rewriter.create(state);
};

const replaceByCall = (rewriter: Rewriter, operation: DraftOperation, name: string): void => {
  const module = closestParent(operation, (parent) => moduleOp.is(parent));
  if (module === undefined) throw new Error('an operation is in a module');
  const types = operation.operands.map(({ type }) => passedType(type));
  declare(rewriter, module, name, types);
  rewriter.setInsertionPointBefore(operation);
  const operands = operation.operands.map((source, i): Value =>
    source.type.kind === 'memref'
      ? rewriter.createValue(cast.state({ operands: { source }, resultTypes: [types[i]!] }))
      : source,
  );
  const created = rewriter.create(
    call.state({ operands: { operands }, attributes: { callee: name }, resultTypes: [] }),
  );
  rewriter.replaceOperation(operation, [], [created]);
};

export const convertLinalgToStdPass = definePass({
  name: 'convert-linalg-to-std',
  title: 'ConvertLinalgToStandard',
  summary: 'lower structured ops on buffers to library calls',
  run: (module, _options, { registry }) =>
    mapSuccess(
      tryEdit(module, { registry }, (rewriter) => {
        for (const operation of rewriter.walk(rewriter.root)) {
          if (structured(registry, operation) === undefined) continue;
          const name = operation.results.length > 0 ? undefined : libraryName(operation);
          if (name === undefined) {
            return definite(
              error(
                'bufferize/no-library-call',
                `failed to legalize operation '${operation.name}'`,
                operation.location,
              ),
            );
          }
          replaceByCall(rewriter, operation, name);
        }
        return success(undefined);
      }),
      (edit) => edit.module,
    ),
});
