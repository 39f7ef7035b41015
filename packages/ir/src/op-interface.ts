/**
 * Interfaces: what operations of any dialect may be able to do, such as to say their effects on memory. An op implements
 * one in its definition, or a registry attaches an implementation to it, so that a package can add what it knows of the
 * ops of another.
 */

declare const modelType: unique symbol;

/** A thing to ask of an operation; `Model` is the answer. Made once, by `opInterface`, and passed around as a value. */
export interface OpInterface<Model> {
  /** Unique among interfaces; two interfaces of one name are the same. */
  readonly name: string;
  /** Holds the type only. */
  readonly [modelType]?: Model;
}

/** What an op's definition implements. */
export interface Implementation {
  readonly interface: OpInterface<unknown>;
  readonly model: unknown;
}

/** What a registry attaches to the op of this name. */
export interface Attachment extends Implementation {
  readonly operation: string;
}

export const opInterface = <Model>(name: string): OpInterface<Model> => Object.freeze({ name });

/** For `defineOp`: the op answers to `asked` with `model`. */
export const implement = <Model>(asked: OpInterface<Model>, model: Model): Implementation =>
  Object.freeze({ interface: asked, model });

/** For a registry: the op of this name, of whatever dialect, answers to `asked` with `model`. */
export const attach = <Model>(asked: OpInterface<Model>, operation: string, model: Model): Attachment =>
  Object.freeze({ interface: asked, operation, model });
