/** Builds payloads in code: functions whose bodies a builder fills. */
import type { Diagnosed } from '@sconv/diagnostics';
import type { Builder, BuildModuleOptions, Module, Registry, Rewriter, Type, Value } from '@sconv/ir';
import { builder, buildModule, functionType, typeAttribute } from '@sconv/ir';
import { funcOp, returnOp } from './func.ts';

/** The arguments of a function, one per type. */
export type ArgumentsOf<I extends readonly Type[]> = { readonly [K in keyof I]: Value<I[K]> };

/** Builds the functions of a payload. */
export interface PayloadBuilder {
  /**
   * Builds a function with arguments of types `inputs` that returns what `body` returns: one value, several, or none.
   */
  readonly func: <const I extends readonly Type[]>(
    name: string,
    inputs: I,
    body: (b: Builder, ...inputs: ArgumentsOf<I>) => Value | readonly Value[] | undefined,
  ) => void;
}

/**
 * Builds a module of functions from the definitions in `registry`. Fails definitely with the verifier's diagnostics.
 */
export const buildPayload = (
  registry: Registry,
  build: (payload: PayloadBuilder) => void,
  options?: BuildModuleOptions,
): Diagnosed<Module> =>
  buildModule(
    registry,
    (_, rewriter) =>
      build({
        func: (name, inputs, body) =>
          buildFunction(rewriter, name, inputs, (b, values) =>
            // One argument per type.
            body(b, ...(values as unknown as ArgumentsOf<typeof inputs>)),
          ),
      }),
    options,
  );

const buildFunction = (
  rewriter: Rewriter,
  name: string,
  inputs: readonly Type[],
  body: (b: Builder, values: readonly Value[]) => Value | readonly Value[] | undefined,
): void => {
  let results: readonly Type[] = [];
  const operation = rewriter.create(
    funcOp.state<Rewriter>({
      attributes: { symName: name, functionType: functionType(inputs, []) },
      bodies: [
        {
          argumentTypes: inputs,
          build: (inner, ...values) => {
            const b = builder(inner);
            const returned = body(b, values) ?? [];
            const operands = 'id' in returned ? [returned] : returned;
            b(returnOp, { operands });
            results = operands.map(({ type }) => type);
          },
        },
      ],
    }),
  );
  rewriter.setAttribute(operation, 'function_type', typeAttribute(functionType(inputs, results)));
};
