/** Custom assembly directives shared by transform ops, as upstream. */
import type { AssemblyDirective, Attribute, OpAsmPrinter, UnresolvedOperand } from '@sconv/ir';
import {
  arrayAttribute,
  denseArrayAttribute,
  DYNAMIC,
  i1,
  symbolRefAttribute,
  unitAttribute,
} from '@sconv/ir';

/** `custom<SemiFunctionType>(type($operand), type($results))`: `type`, or `(type) -> types`. */
const semiFunctionType: AssemblyDirective = {
  parse: (parser, parsed, [operand = '', results = '']) => {
    const isFunction = parser.accept('(');
    parsed.operandTypes.set(operand, [parser.type()]);
    if (!isFunction) return;
    parser.expect(')');
    parser.expect('->');
    parsed.resultTypes.set(
      results,
      parser.peek('(') ? [...parser.list('paren', () => parser.type())] : [parser.type()],
    );
  },
  print: (printer, { operands, results }) => {
    const [operand] = operands;
    if (operand === undefined) return;
    if (results.length === 0) {
      printer.type(operand.type);
      return;
    }
    printer.functionalType(
      [operand.type],
      results.map(({ type }) => type),
    );
  },
};

/** A function type with one operand and a single type for all results. */
const oneResultType: AssemblyDirective = {
  parse: (parser, parsed, [operand = '', ...results]) => {
    const location = parser.here();
    const { inputs, results: types } = parser.functionalType();
    if (inputs.length !== 1 || types.length !== 1)
      parser.fail('expects a trailing functional type with one argument and one result', location);
    parsed.operandTypes.set(operand, [...inputs]);
    for (const name of results) parsed.resultTypes.set(name, [...types]);
  },
  print: (printer, operation) => {
    printer.functionalType(
      operation.operands.map(({ type }) => type),
      operation.results.slice(0, 1).map(({ type }) => type),
    );
  },
};

/** `custom<TransformMatchDims>($list, $is_inverted, $is_all)`: `all`, `0, -1` or `except(0)`. */
const matchDims: AssemblyDirective = {
  parse: (parser, { attributes }, [list = '', isInverted = '', isAll = '']) => {
    if (parser.accept('all')) {
      attributes.set(list, denseArrayAttribute([])).set(isAll, unitAttribute);
      return;
    }
    const number = (): number => parser.exactInteger();
    if (!parser.accept('except')) {
      attributes.set(list, denseArrayAttribute(parser.commaSeparated(number)));
      return;
    }
    attributes.set(isInverted, unitAttribute);
    attributes.set(list, denseArrayAttribute(parser.list('paren', number)));
  },
  print: (printer, { attributes }, [list = '', isInverted = '', isAll = '']) => {
    const stored = attributes[list];
    const numbers = stored?.kind === 'dense-array' ? stored.values.join(', ') : '';
    if (attributes[isAll] !== undefined) printer.text('all');
    else printer.text(attributes[isInverted] === undefined ? numbers : `except(${numbers})`);
  },
};

/** `custom<DynamicIndexList>($dynamic, $static, $scalable)`: `[%size, 0, [4]]`; the types are elsewhere. */
const dynamicIndexList: AssemblyDirective = {
  parse: (parser, { operands, attributes }, [group = '', name = '', scalable]) => {
    const dynamic: UnresolvedOperand[] = [];
    const scalableFlags: boolean[] = [];
    const size = (): number => {
      const operand = parser.optionalOperand();
      if (operand === undefined)
        return parser.optionalExactInteger() ?? parser.fail('expected SSA value or integer');
      dynamic.push(operand);
      return DYNAMIC;
    };
    const sizes = parser.list('square', () => {
      const isScalable = scalable !== undefined && parser.accept('[');
      const value = size();
      if (isScalable) parser.expect(']');
      scalableFlags.push(isScalable);
      return value;
    });
    operands.set(group, dynamic);
    attributes.set(name, denseArrayAttribute(sizes));
    if (scalable !== undefined) attributes.set(scalable, denseArrayAttribute(scalableFlags, i1));
  },
  print: (printer, operation, [group = '', name = '', scalable], definition) => {
    const stored = operation.attributes[name];
    const flags = scalable === undefined ? undefined : operation.attributes[scalable];
    const dynamic = definition.operandGroup(operation, group).values();
    printer.text('[');
    const sizes = stored?.kind === 'dense-array' ? stored.values.map(Number) : [];
    sizes.forEach((size, i) => {
      if (i > 0) printer.text(', ');
      const isScalable = flags?.kind === 'dense-array' && flags.values[i] === true;
      if (isScalable) printer.text('[');
      const value = size === DYNAMIC ? dynamic.next().value : undefined;
      if (value === undefined) printer.text(size === DYNAMIC ? '?' : String(size));
      else printer.operand(value);
      if (isScalable) printer.text(']');
    });
    printer.text(']');
  },
};

/** `custom<PackedOrDynamicIndexList>($packed, $dynamic, $static)`: `*(%sizes)`, or a list. */
const packedOrDynamicIndexList: AssemblyDirective = {
  parse: (parser, parsed, [packed = '', ...list]) => {
    if (!parser.accept('*')) {
      dynamicIndexList.parse(parser, parsed, list);
      return;
    }
    parser.expect('(');
    parsed.operands.set(packed, [parser.operand()]);
    parser.expect(')');
    parsed.attributes.set(list[1] ?? '', denseArrayAttribute([]));
  },
  print: (printer, operation, [packed = '', ...list], definition) => {
    const values = definition.operandGroup(operation, packed);
    if (values.length === 0) {
      dynamicIndexList.print(printer, operation, list, definition);
      return;
    }
    printer.text('*(');
    printer.operands(values);
    printer.text(')');
  },
};

/** `custom<ForeachMatchSymbols>($matchers, $actions)`: lines `@matcher -> @action`. */
const foreachMatchSymbols: AssemblyDirective = {
  parse: (parser, { attributes }, [matchers = '', actions = '']) => {
    const symbol = () => symbolRefAttribute(parser.symbolName());
    const pairs = parser.commaSeparated(() => {
      const matcher = symbol();
      parser.expect('->');
      return [matcher, symbol()] as const;
    });
    attributes.set(matchers, arrayAttribute(pairs.map(([matcher]) => matcher)));
    attributes.set(actions, arrayAttribute(pairs.map(([, action]) => action)));
  },
  print: (printer: OpAsmPrinter, { attributes }, [matchers = '', actions = '']) => {
    const [from, to] = [attributes[matchers], attributes[actions]];
    if (from?.kind !== 'array' || to?.kind !== 'array') return;
    const line = (matcher: Attribute, i: number): void => {
      const action = to.elements[i];
      printer.newline();
      printer.attribute(matcher);
      printer.text(' -> ');
      if (action !== undefined) printer.attribute(action);
      if (i < from.elements.length - 1) printer.text(', ');
    };
    // Upstream indents by two levels.
    printer.indented(() => {
      printer.indented(() => {
        from.elements.forEach(line);
      });
    });
  },
};

/** By their names in formats. */
export const directives = {
  SemiFunctionType: semiFunctionType,
  OneResultType: oneResultType,
  TransformMatchDims: matchDims,
  DynamicIndexList: dynamicIndexList,
  PackedOrDynamicIndexList: packedOrDynamicIndexList,
  ForeachMatchSymbols: foreachMatchSymbols,
} satisfies Readonly<Record<string, AssemblyDirective>>;
