/** Prints locations as MLIR does, without `loc(…)`. */
import type { Location } from '@sconv/diagnostics';
import type { Attribute } from './attribute.ts';
import { printAttribute } from './attribute-printer.ts';
import { quoteString } from './string-literal.ts';

/** The text of a location; `inner` prints nested locations. */
export const printLocationInstance = (
  location: Location,
  inner: (part: Location) => string = (part): string => printLocationInstance(part),
): string => {
  switch (location.kind) {
    case 'unknown':
      return 'unknown';
    case 'file':
      return `${quoteString(location.file)}:${location.line}:${location.column}`;
    case 'name':
      return location.child.kind === 'unknown'
        ? quoteString(location.name)
        : `${quoteString(location.name)}(${inner(location.child)})`;
    case 'call':
      return `callsite(${inner(location.callee)} at ${inner(location.caller)})`;
    case 'fused':
      return `fused${metadataText(location.metadata)}[${location.locations.map((part) => inner(part)).join(', ')}]`;
  }
};

/** Metadata only comes from parsed text, where it is an attribute. */
const metadataText = (metadata: object | undefined): string =>
  metadata === undefined ? '' : `<${printAttribute(metadata as Attribute)}>`;
