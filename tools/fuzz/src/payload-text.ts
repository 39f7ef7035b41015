/** A payload as MLIR text. */
import { printMap } from '@sconv/affine';
import type { BodySpec } from './body-spec.ts';
import { bodyText } from './body-spec.ts';
import type { Subject } from './execution.ts';
import type { Element, OpSpec, OperandSpec, PayloadSpec } from './payload-spec.ts';
import { operandsOf, shapeOf, typeText } from './payload-spec.ts';

interface TypedName {
  readonly name: string;
  readonly type: string;
  /** With all sizes, for a result. */
  readonly staticType?: string;
}

/** Writes one function. */
class PayloadWriter {
  private readonly lines: string[] = [];
  private readonly parameters: TypedName[] = [];
  private readonly dynamicSizes: number[] = [];
  /** Each op's operands and results. */
  private readonly operands: (readonly TypedName[])[] = [];
  private readonly results: (readonly TypedName[])[] = [];
  private readonly used = new Set<string>();
  private names = 0;

  write({ ops, returned, returnsDynamic }: PayloadSpec): Subject {
    for (const [i, op] of ops.entries()) this.writeOp(op, i);
    const wanted = returned.flatMap(({ op, result }) => this.results[op]?.[result] ?? []);
    const unused = this.results.flat().filter(({ name }) => !this.used.has(name));
    const all = [...wanted, ...unused.filter(({ name }) => !wanted.some((each) => each.name === name))];
    const values = returnsDynamic === true ? all : all.map((value) => this.asStatic(value));
    const parameters = this.parameters.map(({ name, type }) => `${name}: ${type}`).join(', ');
    const types = values.map(({ type }) => type).join(', ');
    return {
      payload: [
        `func.func @f(${parameters}) -> (${types}) {`,
        ...this.lines.map((line) => `  ${line}`),
        `  return ${values.map(({ name }) => name).join(', ')} : ${types}`,
        '}',
        '',
      ].join('\n'),
      dynamicSizes: this.dynamicSizes,
    };
  }

  private fresh(prefix = 'v'): string {
    return `%${prefix}${this.names++}`;
  }

  private parameter(type: string): TypedName {
    const parameter = { name: `%a${this.parameters.length}`, type };
    this.parameters.push(parameter);
    return parameter;
  }

  private asStatic(value: TypedName): TypedName {
    const { name, type, staticType = type } = value;
    return staticType === type
      ? value
      : this.define(`tensor.cast ${name} : ${type} to ${staticType}`, staticType);
  }

  private argument(operand: OperandSpec, shape: readonly number[], type: string): TypedName {
    if (operand.scalar !== true)
      this.dynamicSizes.push(...shape.filter((_, i) => operand.dynamic[i] === true));
    return this.parameter(type);
  }

  private define(text: string, type: string): TypedName {
    const name = this.fresh();
    this.lines.push(`${name} = ${text}`);
    return { name, type };
  }

  private operand(operand: OperandSpec, op: OpSpec, before: readonly TypedName[]): TypedName {
    const type = typeText(operand, op.extents);
    const shape = operand.scalar === true ? [] : shapeOf(operand, op.extents);
    const { source } = operand;
    const isStatic = !operand.dynamic.includes(true);
    switch (source.kind) {
      case 'result': {
        const found = this.results[source.op]?.[source.result];
        if (found?.type === type) return found;
        break;
      }
      case 'operand': {
        const found = (this.operands[source.op] ?? before)[source.operand];
        if (found?.type === type) return found;
        break;
      }
      case 'cast': {
        if (isStatic || operand.scalar === true) break;
        const from = this.parameter(typeText({ ...operand, dynamic: [] }, op.extents));
        return this.define(`tensor.cast ${from.name} : ${from.type} to ${type}`, type);
      }
      case 'empty':
        if (isStatic) return this.define(`tensor.empty() : ${type}`, type);
        break;
      case 'fill': {
        if (!isStatic) break;
        const number = this.define(
          `arith.constant ${numberText(source.value, operand.element)}`,
          operand.element,
        );
        const empty = this.define(`tensor.empty() : ${type}`, type);
        const fill = `linalg.fill ins(${number.name} : ${number.type}) outs(${empty.name} : ${type}) -> ${type}`;
        return this.define(fill, type);
      }
      case 'constant':
        if (isStatic && operand.scalar !== true) {
          const value = numberText(source.value, operand.element).replace(/ : .*/, '');
          return this.define(`arith.constant dense<${value}> : ${type}`, type);
        }
        break;
      case 'argument':
        break;
    }
    return this.argument(operand, shape, type);
  }

  private writeOp(op: OpSpec, index: number): void {
    const operands: TypedName[] = [];
    for (const operand of operandsOf(op)) operands.push(this.operand(operand, op, operands));
    for (const { name } of operands) this.used.add(name);
    const inputs = operands.slice(0, op.inputs.length);
    const outputs = operands.slice(op.inputs.length);
    const results = outputs.map(({ type }, i) => ({
      name: outputs.length === 1 ? `%r${index}` : `%r${index}#${i}`,
      type,
      staticType: typeText({ ...op.outputs[i]!, dynamic: [] }, op.extents),
    }));
    const head = `%r${index}${outputs.length === 1 ? '' : `:${outputs.length}`} =`;
    const group = (word: string, values: readonly TypedName[]): string =>
      values.length === 0
        ? ''
        : ` ${word}(${values.map(({ name }) => name).join(', ')} : ${values.map(({ type }) => type).join(', ')})`;
    const groups = `${group('ins', inputs)}${group('outs', outputs)}`;
    const types = outputs.map(({ type }) => type);
    const arrow = types.length === 1 ? ` -> ${types.join('')}` : ` -> (${types.join(', ')})`;
    const { form } = op;
    switch (form.kind) {
      case 'generic': {
        const maps = operandsOf(op).map(({ map }) => `affine_map<${printMap(map)}>`);
        const iterators = op.iterators.map((iterator) => `"${iterator}"`);
        const body = this.body(form.body, op);
        this.lines.push(
          `${head} linalg.generic {indexing_maps = [${maps.join(', ')}], iterator_types = [${iterators.join(', ')}]}${groups} {`,
          `^bb0(${blockArguments(op, operandsOf(op).length)}):`,
          ...body,
          `}${arrow}`,
        );
        break;
      }
      case 'named':
        this.lines.push(`${head} ${form.name}${form.attributes}${groups}${arrow}`);
        break;
      case 'map':
        this.lines.push(
          `${head} linalg.map${groups} (${blockArguments(op, op.inputs.length)}) {`,
          ...this.body(form.body, op),
          '}',
        );
        break;
      case 'reduce':
        this.lines.push(
          `${head} linalg.reduce${groups} dimensions = [${form.dimensions.join(', ')}] (${blockArguments(op, operandsOf(op).length)}) {`,
          ...this.body(form.body, op),
          '}',
        );
        break;
      case 'transpose':
        this.lines.push(`${head} linalg.transpose${groups} permutation = [${form.permutation.join(', ')}]`);
        break;
      case 'broadcast':
        this.lines.push(`${head} linalg.broadcast${groups} dimensions = [${form.dimensions.join(', ')}]`);
        break;
    }
    this.operands.push(operands);
    this.results.push(results);
  }

  private body(body: BodySpec, op: OpSpec): readonly string[] {
    let captured: TypedName | undefined;
    const tensors = new Map<string, TypedName>();
    const lines = bodyText(
      body,
      op.outputs.map(({ element }) => element),
      {
        operand: (operand) => `%x${operand}`,
        fresh: () => this.fresh(),
        captured: (element) => (captured ??= this.parameter(element)).name,
        tensor: (dims, element) => {
          const type = `tensor<${[...dims.map((dim) => op.extents[dim]!), element].join('x')}>`;
          const known = tensors.get(type) ?? this.parameter(type);
          tensors.set(type, known);
          return known;
        },
      },
    );
    return lines.map((line) => `  ${line}`);
  }
}

const numberText = (value: number, element: Element): string => {
  if (element === 'i1') return value % 2 === 0 ? 'false' : 'true';
  return element.startsWith('f') ? `${value}.0 : ${element}` : `${value} : ${element}`;
};

const blockArguments = (op: OpSpec, count: number): string =>
  operandsOf(op)
    .slice(0, count)
    .map(({ element }, i) => `%x${i}: ${element}`)
    .join(', ');

/** Writes a payload. */
export const payloadText = (payload: PayloadSpec): Subject => new PayloadWriter().write(payload);
