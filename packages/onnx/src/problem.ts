/** Why a node cannot be imported. */

/** Thrown where a node is converted, and caught where nodes are taken one by one. */
export class NodeProblem extends Error {
  /** `unsupported`: nothing is wrong with the model. */
  readonly kind: 'invalid' | 'unsupported';

  constructor(kind: 'invalid' | 'unsupported', message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The model contradicts itself, or the format. */
export const invalid = (message: string): never => {
  throw new NodeProblem('invalid', message);
};

/** The model is in order, but has a form that is not imported. */
export const unsupported = (message: string): never => {
  throw new NodeProblem('unsupported', message);
};

/** `1x3x224x224`; `scalar` without dimensions. */
export const printSizes = (shape: readonly (number | string)[]): string =>
  shape.length === 0 ? 'scalar' : shape.join('x');
