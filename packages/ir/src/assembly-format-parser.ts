/** Parses operations by their declarative formats. */
import type { FormatClause, FormatElement, ValueGroupRef } from './assembly-format.ts';
import { formatOf } from './assembly-format.ts';
import type {
  Assembly,
  OpAsmParser,
  ParsedOperation,
  PartialOperation,
  UnresolvedOperand,
} from './assembly.ts';
import type { Attribute } from './attribute.ts';
import { denseArrayAttribute, unitAttribute } from './attribute.ts';
import { attributesFrom } from './attribute-parser.ts';
import type { OpDefinition } from './define-op.ts';
import type { Id, Region, Value } from './operation.ts';
import { inferRelatedTypes } from './type-relation.ts';
import type { Type } from './type.ts';
import { i32 } from './type.ts';
import { groupSizes, needsSegments } from './value-groups.ts';
import type { NamedValueSpec } from './value-groups.ts';

type FormatAssembly = Extract<Assembly, { readonly format: string }>;
type Variable = Extract<FormatElement, { readonly kind: 'variable' }>;
type OptionalGroup = Extract<FormatElement, { readonly kind: 'optional' }>;

/** Parses what follows the operation's name. */
export const parseFormat = (
  parser: OpAsmParser,
  definition: OpDefinition,
  assembly: FormatAssembly,
): ParsedOperation => {
  const { elements } = formatOf(definition, assembly);
  const reader = new FormatReader(parser, definition, assembly);
  for (const element of elements) reader.parse(element);
  return reader.finish();
};

class FormatReader {
  private readonly parser: OpAsmParser;
  private readonly definition: OpDefinition;
  private readonly assembly: FormatAssembly;
  private readonly parsed: PartialOperation = {
    operands: new Map(),
    operandTypes: new Map(),
    resultTypes: new Map(),
    attributes: new Map(),
    regions: new Map(),
    successors: new Map(),
  };
  /** Types and operands that the format lists for all groups together. */
  private allOperands: readonly UnresolvedOperand[] | undefined;
  private allOperandTypes: readonly Type[] | undefined;
  private allResultTypes: readonly Type[] | undefined;
  private allRegions: readonly Region[] | undefined;
  private allSuccessors: readonly Id[] | undefined;

  constructor(parser: OpAsmParser, definition: OpDefinition, assembly: FormatAssembly) {
    this.parser = parser;
    this.definition = definition;
    this.assembly = assembly;
  }

  parse(element: FormatElement): void {
    const { parser } = this;
    switch (element.kind) {
      case 'literal':
        parser.expect(element.text);
        return;
      case 'space':
        return;
      case 'variable':
        this.parseVariable(element);
        return;
      case 'type':
        this.parseTypes(element.group);
        return;
      case 'functional-type': {
        const { inputs, results } = parser.functionalType();
        this.setTypes(element.inputs, inputs);
        this.setTypes(element.results, results);
        return;
      }
      case 'all':
        this.parseAll(element.of);
        return;
      case 'attr-dict': {
        const entries = element.withKeyword
          ? parser.optionalAttrDictWithKeyword()
          : parser.optionalAttrDict();
        for (const [name, attribute] of Object.entries(entries)) this.parsed.attributes.set(name, attribute);
        return;
      }
      case 'custom':
        this.assembly.directives![element.directive]!.parse(parser, this.parsed, element.fields);
        return;
      case 'optional':
        this.parseOptionalGroup(element);
        return;
      case 'list':
        this.parseList(element.clauses);
    }
  }

  private parseList(clauses: readonly FormatClause[]): void {
    const left = new Set(clauses);
    for (;;) {
      const next = [...left].find(({ literal }) => this.parser.accept(literal.text));
      if (next === undefined) return;
      left.delete(next);
      if (next.flag !== undefined) this.parsed.attributes.set(next.flag, unitAttribute);
      for (const element of next.elements) this.parse(element);
    }
  }

  private parseVariable(variable: Variable): void {
    const { parser, parsed } = this;
    switch (variable.of) {
      case 'operand':
        if (this.parseOptionalVariable(variable)) return;
        if (this.arityOf(variable.name) === 'one') parsed.operands.set(variable.name, [parser.operand()]);
        return;
      case 'attribute':
        if (!this.parseOptionalVariable(variable)) parser.fail('expected attribute value');
        return;
      case 'region':
        if (!this.parseOptionalVariable(variable) && !variable.isVariadic)
          this.setRegions(variable.name, [parser.region()]);
        return;
      case 'successor':
        if (!this.parseOptionalVariable(variable) && !variable.isVariadic)
          parsed.successors.set(variable.name, [parser.successor()]);
    }
  }

  /** Parses the variable if the next token starts it; returns whether it did. */
  private parseOptionalVariable({ of, name, isVariadic }: Variable): boolean {
    const { parser, parsed } = this;
    switch (of) {
      case 'operand': {
        const first = parser.optionalOperand();
        const operands = first === undefined ? [] : [first];
        while (operands.length > 0 && isVariadic && parser.accept(',')) operands.push(parser.operand());
        parsed.operands.set(name, operands);
        return operands.length > 0;
      }
      case 'attribute': {
        const attribute = this.parseOptionalAttribute(name);
        if (attribute !== undefined) parsed.attributes.set(name, attribute);
        return attribute !== undefined;
      }
      case 'region': {
        const first = parser.optionalRegion();
        const regions = first === undefined ? [] : [first];
        while (regions.length > 0 && isVariadic && parser.accept(',')) regions.push(parser.region());
        if (regions.length > 0 || isVariadic) this.setRegions(name, regions);
        return regions.length > 0;
      }
      case 'successor': {
        const successors = this.parseSuccessors(isVariadic);
        parsed.successors.set(name, successors);
        return successors.length > 0;
      }
    }
  }

  /** Comma-separated successors, possibly none; at most one unless variadic. */
  private parseSuccessors(isVariadic: boolean): Id[] {
    const first = this.parser.optionalSuccessor();
    const successors = first === undefined ? [] : [first];
    while (successors.length > 0 && isVariadic && this.parser.accept(','))
      successors.push(this.parser.successor());
    return successors;
  }

  private parseOptionalAttribute(name: string): Attribute | undefined {
    const spec = this.definition.attributeSpecs.find((candidate) => candidate.name === name);
    return spec?.syntax === undefined ? this.parser.optionalAttribute() : spec.syntax.parse(this.parser);
  }

  private setRegions(name: string, regions: readonly Region[]): void {
    this.parsed.regions.set(
      name,
      regions.map((region) => this.completed(region)),
    );
  }

  /** Adds the implicit terminator, or the entry block that the declaration requires. */
  private completed(region: Region): Region {
    const { implicitTerminator, traits } = this.definition;
    if (implicitTerminator !== undefined) return this.parser.ensureTerminator(region, implicitTerminator);
    const needsBlock = traits.has('single-block') && region.blocks.length === 0;
    return needsBlock ? this.parser.emptyBlockRegion([]) : region;
  }

  private arityOf(name: string): NamedValueSpec['arity'] | undefined {
    const { operandSpecs, resultSpecs } = this.definition;
    return [...operandSpecs, ...resultSpecs].find((spec) => spec.name === name)?.arity;
  }

  private parseTypes(group: ValueGroupRef): void {
    const { parser } = this;
    const arity = group.name === '' ? 'variadic' : this.arityOf(group.name);
    if (arity === 'one') {
      this.setTypes(group, [parser.type()]);
      return;
    }
    const first = parser.optionalType();
    const types = first === undefined ? [] : [first];
    while (types.length > 0 && arity === 'variadic' && parser.accept(',')) types.push(parser.type());
    this.setTypes(group, types);
  }

  private setTypes({ values, name }: ValueGroupRef, types: readonly Type[]): void {
    switch (values) {
      case 'operand':
        this.parsed.operandTypes.set(name, [...types]);
        return;
      case 'result':
        this.parsed.resultTypes.set(name, [...types]);
        return;
      case 'operands':
        this.allOperandTypes = types;
        return;
      case 'results':
        this.allResultTypes = types;
    }
  }

  private parseAll(of: 'operands' | 'regions' | 'successors'): void {
    const { parser } = this;
    switch (of) {
      case 'operands':
        this.allOperands = parser.operandList();
        return;
      case 'regions':
        this.allRegions = parser.peek('{')
          ? parser.commaSeparated(() => this.completed(parser.region()))
          : [];
        return;
      case 'successors':
        this.allSuccessors = this.parseSuccessors(true);
    }
  }

  private parseOptionalGroup(group: OptionalGroup): void {
    const first = group.then.findIndex((element) => element.kind !== 'space');
    const isPresent = this.parseFirst(group.then[first]!);
    if (isPresent && group.impliesAnchor && group.anchor.kind === 'variable')
      this.parsed.attributes.set(group.anchor.name, unitAttribute);
    const rest = isPresent ? group.then.slice(first + 1) : group.otherwise;
    for (const element of rest) this.parse(element);
  }

  /** Parses the first element of a group, if present. */
  private parseFirst(element: FormatElement): boolean {
    switch (element.kind) {
      case 'literal':
        return this.parser.accept(element.text);
      case 'variable':
        return this.parseOptionalVariable(element);
      case 'custom':
        this.parse(element);
        return element.fields.some((field) => this.isFilled(field));
      default:
        throw new Error(`the format of '${this.definition.name}': a group cannot begin with ${element.kind}`);
    }
  }

  private isFilled(name: string): boolean {
    const { operands, attributes, regions, successors } = this.parsed;
    const isAny = (values: ReadonlyMap<string, readonly unknown[]>) => (values.get(name) ?? []).length > 0;
    return isAny(operands) || isAny(regions) || isAny(successors) || attributes.has(name);
  }

  finish(): ParsedOperation {
    const { parsed, definition } = this;
    const sizes = this.groupSizes();
    const known = this.knownTypes(sizes);
    inferRelatedTypes(definition, known, sizes);
    return {
      operands: definition.operandSpecs.flatMap((spec) => this.resolveGroup(spec.name, known)),
      attributes: attributesFrom([...parsed.attributes, ...this.segments(known)]),
      regions: this.allRegions ?? definition.regions.flatMap((name) => this.regionsNamed(name)),
      successors:
        this.allSuccessors ??
        definition.successors.flatMap((name) => parsed.successors.get(baseName(name)) ?? []),
      ...this.resultTypes(known),
    };
  }

  private regionsNamed(name: string): readonly Region[] {
    const regions = this.parsed.regions.get(baseName(name));
    if (regions !== undefined) return regions;
    return name.endsWith('...') ? [] : [Object.freeze({ blocks: Object.freeze([]) })];
  }

  /** The size of each operand group, after distributing operands listed for all groups. */
  private groupSizes(): Map<string, number> {
    const { operandSpecs } = this.definition;
    if (this.allOperands !== undefined) this.shareOut(operandSpecs, this.allOperands, this.parsed.operands);
    const groups = operandSpecs.map(
      (spec) => [spec.name, this.parsed.operands.get(spec.name)?.length ?? 0] as const,
    );
    const results = this.definition.resultSpecs.map(
      (spec) =>
        [
          spec.name,
          this.parsed.resultTypes.get(spec.name)?.length ?? (spec.arity === 'one' ? 1 : 0),
        ] as const,
    );
    return new Map([...groups, ...results]);
  }

  private knownTypes(sizes: ReadonlyMap<string, number>): Map<string, readonly Type[]> {
    const { parsed, definition } = this;
    if (this.allOperandTypes !== undefined) {
      const counts = definition.operandSpecs.map((spec) => sizes.get(spec.name) ?? 0);
      this.shareOutBy(definition.operandSpecs, counts, this.allOperandTypes, parsed.operandTypes);
    }
    if (this.allResultTypes !== undefined)
      this.shareOut(definition.resultSpecs, this.allResultTypes, parsed.resultTypes);
    return new Map<string, readonly Type[]>([...parsed.operandTypes, ...parsed.resultTypes]);
  }

  private shareOut<T>(specs: readonly NamedValueSpec[], items: readonly T[], into: Map<string, T[]>): void {
    const counts = groupSizes(specs, items.length, undefined);
    if (counts === undefined) this.parser.fail(`'${this.definition.name}' op has a wrong number of values`);
    this.shareOutBy(specs, counts, items, into);
  }

  private shareOutBy<T>(
    specs: readonly NamedValueSpec[],
    counts: readonly number[],
    items: readonly T[],
    into: Map<string, T[]>,
  ): void {
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (total !== items.length)
      this.parser.fail(`${total} operands present, but expected ${items.length}`, this.parser.location);
    let next = 0;
    specs.forEach((spec, i) => {
      const end = next + counts[i]!;
      into.set(spec.name, items.slice(next, end));
      next = end;
    });
  }

  private resolveGroup(name: string, known: ReadonlyMap<string, readonly Type[]>): readonly Value[] {
    const operands = this.parsed.operands.get(name) ?? [];
    const types = known.get(name) ?? [];
    if (operands.length !== types.length)
      this.parser.fail(
        `${operands.length} operands present, but expected ${types.length}`,
        operands[0]?.location ?? this.parser.location,
      );
    return operands.map((operand, i) => this.parser.resolve(operand, types[i]!));
  }

  /** The segment sizes that the declaration requires. */
  private segments(known: ReadonlyMap<string, readonly Type[]>): readonly (readonly [string, Attribute])[] {
    const { operandSpecs, resultSpecs } = this.definition;
    const entries: (readonly [string, Attribute])[] = [];
    if (needsSegments(operandSpecs)) {
      const sizes = operandSpecs.map((spec) => this.parsed.operands.get(spec.name)?.length ?? 0);
      entries.push(['operandSegmentSizes', denseArrayAttribute(sizes, i32)]);
    }
    if (needsSegments(resultSpecs)) {
      const sizes = resultSpecs.map((spec) => known.get(spec.name)?.length ?? 0);
      entries.push(['resultSegmentSizes', denseArrayAttribute(sizes, i32)]);
    }
    return entries;
  }

  /** Omitted if the text does not list them and the declaration infers them. */
  private resultTypes(known: ReadonlyMap<string, readonly Type[]>): Pick<ParsedOperation, 'resultTypes'> {
    const { resultSpecs, inferResultTypes } = this.definition;
    const isWritten = resultSpecs.every((spec) => this.parsed.resultTypes.has(spec.name));
    if (!isWritten && inferResultTypes !== undefined) return {};
    const groups = resultSpecs.map((spec) => known.get(spec.name) ?? (spec.arity === 'one' ? undefined : []));
    return groups.every((group) => group !== undefined) ? { resultTypes: groups.flat() } : {};
  }
}

const baseName = (name: string): string => (name.endsWith('...') ? name.slice(0, -3) : name);
