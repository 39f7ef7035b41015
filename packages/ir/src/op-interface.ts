/**
 * Interfaces: capabilities of operations of any dialect, such as declaring memory effects. An op implements one in
 * its definition, or a registry attaches an implementation to it, so that a package can describe the ops of another.
 */

declare const modelType: unique symbol;

/**
 * A query on operations; `Model` is the type of its implementations. Created once by `opInterface`, passed as a
 * value.
 */
export interface OpInterface<Model> {
  /** Unique among interfaces; interfaces with the same name are identical. */
  readonly name: string;
  /** Type-level only. */
  readonly [modelType]?: Model;
}

/** An interface implementation in an op's definition. */
export interface Implementation {
  readonly interface: OpInterface<unknown>;
  readonly model: unknown;
}

/** An interface implementation that a registry attaches to the op with this name. */
export interface Attachment extends Implementation {
  readonly operation: string;
}

/** A new interface: `implement` it in a definition, `attach` it in a registry, query it with `modelOf`. */
export const opInterface = <Model>(name: string): OpInterface<Model> => Object.freeze({ name });

/** For `defineOp`: the op implements `asked` with `model`. */
export const implement = <Model>(asked: OpInterface<Model>, model: Model): Implementation =>
  Object.freeze({ interface: asked, model });

/** For a registry: the op with this name, of any dialect, implements `asked` with `model`. */
export const attach = <Model>(asked: OpInterface<Model>, operation: string, model: Model): Attachment =>
  Object.freeze({ interface: asked, operation, model });
