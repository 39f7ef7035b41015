/** The tensors that a model takes and returns. */
import type { ElementType } from './element-type.ts';

/** An input or output of an imported model. */
export interface OnnxTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly type: ElementType;
}

/** Sizes by the names of inputs. */
export type InputSizes = Readonly<Record<string, readonly number[]>>;
