/** Parses locations: `loc("file":1:2)`, `loc("name"(…))`, `loc(fused[…])`, `loc(callsite(… at …))`. */
import type { Location } from '@sconv/diagnostics';
import { fileLocation, unknownLocation } from '@sconv/diagnostics';
import type { Attribute } from './attribute.ts';
import { attributeEquals } from './attribute.ts';
import { parseAttribute } from './attribute-parser.ts';
import { printLocationInstance } from './location-printer.ts';
import type { TokenParser } from './token-parser.ts';

/** Parses the contents of `loc(…)`, except an alias. */
export const parseLocationInstance = (parser: TokenParser): Location => {
  parser.enter();
  const location = parseInstance(parser);
  parser.leave();
  return location;
};

const parseInstance = (parser: TokenParser): Location => {
  const { lexer } = parser;
  if (lexer.kind === 'hash') {
    const attribute = parseAttribute(parser);
    if (attribute.kind !== 'location') parser.failMissing('expected location attribute');
    return attribute.location;
  }
  if (lexer.kind === 'string') return parseNameOrFile(parser);
  if (parser.acceptKeyword('unknown')) return unknownLocation;
  if (parser.acceptKeyword('callsite')) return parseCallSite(parser);
  if (parser.acceptKeyword('fused')) return parseFused(parser);
  return parser.failMissing('expected location instance');
};

const parseNameOrFile = (parser: TokenParser): Location => {
  const name = parser.takeString();
  if (parser.accept(':')) {
    const line = parser.smallInteger('expected integer line number in FileLineColLoc', 2 ** 32 - 1);
    parser.expect(':', "expected ':' in FileLineColLoc");
    const column = parser.smallInteger('expected integer column number in FileLineColLoc', 2 ** 32 - 1);
    return fileLocation(name, line, column);
  }
  if (!parser.accept('(')) return Object.freeze({ kind: 'name', name, child: unknownLocation });
  const child = parseLocationInstance(parser);
  parser.expect(')', "expected ')' after child location of NameLoc");
  return Object.freeze({ kind: 'name', name, child });
};

const parseCallSite = (parser: TokenParser): Location => {
  parser.expect('(', "expected '(' in callsite location");
  const callee = parseLocationInstance(parser);
  if (!parser.acceptKeyword('at')) parser.failMissing("expected 'at' in callsite location");
  const caller = parseLocationInstance(parser);
  parser.expect(')', "expected ')' in callsite location");
  return Object.freeze({ kind: 'call', callee, caller });
};

const parseFused = (parser: TokenParser): Location => {
  const metadata = parser.accept('<') ? parseAttribute(parser) : undefined;
  if (metadata !== undefined) parser.expect('>', "expected '>' after fused location metadata");
  return fused(
    parser.list('square', () => parseLocationInstance(parser), ' in fused location'),
    metadata,
  );
};

/** Upstream's `FusedLoc::get`: each known location once, those of a part with the same metadata one by one. */
const fused = (given: readonly Location[], metadata: Attribute | undefined): Location => {
  const isSame = (other: object | undefined): boolean =>
    other === undefined || metadata === undefined
      ? other === metadata
      : attributeEquals(other as Attribute, metadata);
  const parts = given.flatMap((part) =>
    part.kind === 'fused' && isSame(part.metadata) ? part.locations : [part],
  );
  const known = new Map(
    parts.filter(({ kind }) => kind !== 'unknown').map((part) => [printLocationInstance(part), part]),
  );
  const locations = Object.freeze(known.size === 0 ? [unknownLocation] : [...known.values()]);
  if (metadata === undefined && locations.length === 1) return locations[0]!;
  return Object.freeze({ kind: 'fused', locations, ...(metadata === undefined ? {} : { metadata }) });
};
