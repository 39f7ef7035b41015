/** What a script's text and code have in common: its entry point, and the stages of its ops. */
import type { Operation } from '@sconv/ir';

/** The symbol that the interpreter starts from. */
export const entryPoint = '__transform_main';

/** The discardable attribute that labels an op with the stages that it belongs to. */
export const stageAttribute = 'stages';

/** The stages that an op of a script belongs to. */
export const stagesOf = (operation: Operation): readonly string[] => {
  const label = operation.attributes[stageAttribute];
  return label?.kind === 'array'
    ? label.elements.flatMap((element) => (element.kind === 'string' ? [element.value] : []))
    : [];
};
