/** Prints operations by their declarative formats. */
import type { FormatElement, ValueGroupRef } from './assembly-format.ts';
import { formatOf } from './assembly-format.ts';
import type { Assembly, OpAsmPrinter } from './assembly.ts';
import { attributeEquals } from './attribute.ts';
import type { OpDefinition } from './define-op.ts';
import type { Id, Operation, Region, Value } from './operation.ts';
import { groupsByName } from './value-groups.ts';
import type { NamedValueSpec } from './value-groups.ts';

type FormatAssembly = Extract<Assembly, { readonly format: string }>;
type Variable = Extract<FormatElement, { readonly kind: 'variable' }>;

/** Prints what follows the operation's name. */
export const printFormat = (
  printer: OpAsmPrinter,
  operation: Operation,
  definition: OpDefinition,
  assembly: FormatAssembly,
): void => {
  const { elements, usedAttributes } = formatOf(definition, assembly);
  const writer = new FormatWriter(printer, operation, definition, assembly, usedAttributes);
  for (const element of elements) writer.print(element);
};

class FormatWriter {
  private readonly printer: OpAsmPrinter;
  private readonly operation: Operation;
  private readonly definition: OpDefinition;
  private readonly assembly: FormatAssembly;
  private readonly usedAttributes: readonly string[];

  constructor(
    printer: OpAsmPrinter,
    operation: Operation,
    definition: OpDefinition,
    assembly: FormatAssembly,
    usedAttributes: readonly string[],
  ) {
    this.printer = printer;
    this.operation = operation;
    this.definition = definition;
    this.assembly = assembly;
    this.usedAttributes = usedAttributes;
  }

  print(element: FormatElement): void {
    const { printer, operation } = this;
    if ('blank' in element && element.blank) printer.text(' ');
    switch (element.kind) {
      case 'literal':
        printer.text(element.text);
        return;
      case 'space':
        if (element.text === '\n') printer.newline();
        else printer.text(' ');
        return;
      case 'variable':
        this.printVariable(element);
        return;
      case 'type':
        printer.types(this.group(element.group).map((value) => value.type));
        return;
      case 'functional-type':
        printer.functionalType(
          this.group(element.inputs).map((value) => value.type),
          this.group(element.results).map((value) => value.type),
        );
        return;
      case 'all':
        if (element.of === 'operands') printer.operands(operation.operands);
        else if (element.of === 'regions') this.printRegions(operation.regions);
        else this.printSuccessors(operation.successors);
        return;
      case 'attr-dict':
        if (element.withKeyword) printer.optionalAttrDictWithKeyword(operation, this.elided());
        else printer.optionalAttrDict(operation, this.elided());
        return;
      case 'custom':
        this.assembly.directives![element.directive]!.print(
          printer,
          operation,
          element.fields,
          this.definition,
        );
        return;
      case 'optional':
        for (const child of this.isPresent(element.anchor) ? element.then : element.otherwise)
          this.print(child);
        return;
      case 'list':
        for (const { literal, elements, flag } of element.clauses) {
          if (flag === undefined ? !elements.some((each) => this.saysMore(each)) : !this.isFilled(flag))
            continue;
          this.print(literal);
          for (const child of elements) this.print(child);
        }
    }
  }

  /** Whether an element of an `oilist` clause has anything to print. */
  private saysMore(element: FormatElement): boolean {
    switch (element.kind) {
      case 'variable':
        return this.hasValue(element);
      case 'custom':
        return element.fields.some((field) => this.isFilled(field) && !this.isDefault(field));
      case 'optional':
        return this.isPresent(element.anchor);
      default:
        return false;
    }
  }

  private printVariable({ of, name }: Variable): void {
    const { printer, operation } = this;
    switch (of) {
      case 'operand':
        printer.operands(this.values('operand', name));
        return;
      case 'attribute': {
        const attribute = operation.attributes[name];
        const spec = this.definition.attributeSpecs.find((candidate) => candidate.name === name);
        if (attribute === undefined) return;
        if (spec?.syntax === undefined) printer.attribute(attribute);
        else spec.syntax.print(printer, attribute);
        return;
      }
      case 'region':
        this.printRegions(named(this.definition.regions, name, operation.regions));
        return;
      case 'successor':
        this.printSuccessors(named(this.definition.successors, name, operation.successors));
    }
  }

  private printRegions(regions: readonly Region[]): void {
    regions.forEach((region, i) => {
      if (i > 0) this.printer.text(', ');
      this.printer.region(region, { printTerminator: this.saysSomething(region) });
    });
  }

  /** Whether the terminator must be printed. */
  private saysSomething(region: Region): boolean {
    const { implicitTerminator } = this.definition;
    const terminator = region.blocks[0]?.operations.at(-1);
    if (implicitTerminator === undefined || terminator === undefined) return true;
    return (
      Object.keys(terminator.attributes).length > 0 ||
      terminator.operands.length > 0 ||
      terminator.results.length > 0
    );
  }

  private printSuccessors(successors: readonly Id[]): void {
    successors.forEach((successor, i) => {
      if (i > 0) this.printer.text(', ');
      this.printer.successor(successor);
    });
  }

  private group({ values, name }: ValueGroupRef): readonly Value[] {
    switch (values) {
      case 'operands':
        return this.operation.operands;
      case 'results':
        return this.operation.results;
      default:
        return this.values(values, name);
    }
  }

  private values(of: 'operand' | 'result', name: string): readonly Value[] {
    const { definition, operation } = this;
    const isOperand = of === 'operand';
    const specs: readonly NamedValueSpec[] = isOperand ? definition.operandSpecs : definition.resultSpecs;
    const groups = groupsByName(
      specs,
      isOperand ? operation.operands : operation.results,
      operation.attributes[isOperand ? 'operandSegmentSizes' : 'resultSegmentSizes'],
      `${of}s of '${definition.name}'`,
    );
    const group = groups[name];
    return group === undefined ? [] : 'id' in group ? [group] : group;
  }

  private isPresent(anchor: FormatElement): boolean {
    switch (anchor.kind) {
      case 'variable':
        return this.hasValue(anchor);
      case 'type':
        return this.group(anchor.group).length > 0;
      case 'custom':
        return anchor.fields.some((field) => this.isFilled(field));
      default:
        throw new Error(`the format of '${this.definition.name}': ${anchor.kind} cannot be an anchor`);
    }
  }

  private hasValue({ of, name }: Variable): boolean {
    switch (of) {
      case 'operand':
        return this.values('operand', name).length > 0;
      case 'attribute':
        return this.operation.attributes[name] !== undefined && !this.isDefault(name);
      case 'region':
        return named(this.definition.regions, name, this.operation.regions).some(
          (region) => region.blocks.length > 0,
        );
      case 'successor':
        return named(this.definition.successors, name, this.operation.successors).length > 0;
    }
  }

  private isFilled(name: string): boolean {
    const { definition, operation } = this;
    if (definition.operandSpecs.some((spec) => spec.name === name))
      return this.values('operand', name).length > 0;
    if (definition.resultSpecs.some((spec) => spec.name === name))
      return this.values('result', name).length > 0;
    return operation.attributes[name] !== undefined;
  }

  private isDefault(name: string): boolean {
    const spec = this.definition.attributeSpecs.find((candidate) => candidate.name === name);
    const stored = this.operation.attributes[name];
    if (spec?.presence !== 'default' || stored === undefined || stored.kind === 'unit') return false;
    return attributeEquals(stored, spec.encode(spec.default));
  }

  /** Attributes omitted from the dictionary: printed elsewhere in the format, or implied by the declaration. */
  private elided(): readonly string[] {
    const defaults = this.definition.attributeSpecs
      .map((spec) => spec.name)
      .filter((name) => this.isDefault(name));
    return [...this.usedAttributes, 'operandSegmentSizes', 'resultSegmentSizes', ...defaults];
  }
}

/** The items that the name refers to; the last name may end in `...` and take all remaining ones. */
const named = <T>(names: readonly string[], name: string, items: readonly T[]): readonly T[] => {
  const single = names.indexOf(name);
  if (single !== -1) return items.slice(single, single + 1);
  const variadic = names.indexOf(`${name}...`);
  return variadic === -1 ? [] : items.slice(variadic);
};
