/**
 * A backend of one's own: bufferized IR as JavaScript source. A value of the IR is a list of JavaScript expressions: a
 * number one, a buffer its typed array, offset, sizes and strides. An index is an integer of 32 bits.
 *
 * What it has no code for is refused by name; what packages lower to what it has, they lower.
 */
import * as backends from '@sconv/backend';
import { expandView, lowerAffine } from '@sconv/canonicalization';
import { definite, error, success, unknownLocation } from '@sconv/diagnostics';
import { expandComposed, mixedSlice, scalarOp } from '@sconv/dialects';
import { cmpf, cmpi, constant } from '@sconv/dialects/arith';
import { call } from '@sconv/dialects/func';
import * as linalg from '@sconv/dialects/linalg';
import * as memref from '@sconv/dialects/memref';
import { bodyOf, children, edit, modelOf, symbolNameOf } from '@sconv/ir';
import { structuredToLoops } from '@sconv/loops';

const name = 'javascript';
const indexBytes = 4;

/** Ends `emit`, which returns what is thrown. */
const refuse = (operation, what = 'has no code in JavaScript') => {
  throw definite(error('own/unsupported', `'${operation.name}' ${what}`, operation.location));
};

// Numbers: integers of up to 32 bits are numbers, those of 64 are bigints.

const isWide = ({ width }) => width === 64;

/** An expression as a number of a type: converted, or cut to the type's bits. */
const asType = (operation, type, expression) => {
  const { name, width = 32 } = type;
  if (name === 'f64') return expression;
  if (name === 'f32') return `Math.fround(${expression})`;
  if (!['integer', 'index'].includes(type.kind) || width > 64) refuse(operation);
  if (width === 64) return `BigInt.asIntN(64, ${expression})`;
  if (width === 1) return `(${expression}) & 1`;
  return width === 32 ? `(${expression}) | 0` : `(${expression}) << ${32 - width} >> ${32 - width}`;
};

/** What instructions are in JavaScript. */
const functions = ['max', 'min', 'abs', 'sqrt', 'ceil', 'floor', 'trunc'];
const floatCode = {
  add: ([a, b]) => `${a} + ${b}`,
  sub: ([a, b]) => `${a} - ${b}`,
  mul: ([a, b]) => `${a} * ${b}`,
  div: ([a, b]) => `${a} / ${b}`,
  neg: ([a]) => `-${a}`,
  ...Object.fromEntries(functions.map((each) => [each, (operands) => `Math.${each}(${operands})`])),
};
const integerCode = {
  add: floatCode.add,
  sub: floatCode.sub,
  mul: ([a, b], wide) => (wide ? `${a} * ${b}` : `Math.imul(${a}, ${b})`),
  and: ([a, b]) => `${a} & ${b}`,
  or: ([a, b]) => `${a} | ${b}`,
  xor: ([a, b]) => `${a} ^ ${b}`,
  maxS: ([a, b]) => `(${a} > ${b} ? ${a} : ${b})`,
  minS: ([a, b]) => `(${a} < ${b} ? ${a} : ${b})`,
  divS: ([a, b]) => `${a} / divisor(${b})`,
  remS: ([a, b]) => `${a} % divisor(${b})`,
};

/** Emits functions, whose operations it takes one after the other. */
class Emitter {
  lines = [];
  values = new Map();
  #names = 0;

  constructor(registry, functions) {
    Object.assign(this, { registry, functions });
  }

  fresh = () => `v${this.#names++}`;
  add = (line) => void this.lines.push(line);
  /** The expressions of a value. */
  partsOf = (value) => this.values.get(value.id);
  /** A value's only expression. */
  of = (value) => this.partsOf(value)[0];
  /** The same with its sign: a boolean is 0 or 1 here, and -1 as a signed number. */
  signed = (value) => (value.type.width === 1 ? `(0 - ${this.of(value)})` : this.of(value));
  /** A buffer's expressions, apart. */
  bufferOf = (value) => {
    const [data, offset, ...layout] = this.partsOf(value);
    const rank = layout.length / 2;
    return { data, offset, sizes: layout.slice(0, rank), strides: layout.slice(rank) };
  };
  define = (value, ...parts) => void this.values.set(value.id, parts);
  /** Variables for the parts of a value, to be assigned later. */
  variablesFor = (value) => {
    const count = value.type.kind === 'memref' ? 2 + 2 * value.type.shape.length : 1;
    const names = Array.from({ length: count }, this.fresh);
    this.define(value, ...names);
    return names;
  };
  /** The same for the results of an operation, which its regions assign. */
  declare = ({ results }) => {
    const variables = results.flatMap(this.variablesFor);
    if (variables.length > 0) this.add(`let ${variables.join(', ')};`);
    return variables;
  };
  let = (value, expression) => {
    const [variable] = this.variablesFor(value);
    this.add(`const ${variable} = ${expression};`);
  };
  elementAt = (buffer, indices) => {
    const { data, offset, strides } = this.bufferOf(buffer);
    const terms = indices.map((index, i) => `${this.of(index)} * ${strides[i]}`);
    return `${data}[${[offset, ...terms].join(' + ')}]`;
  };
  /** The operations of a block; those that end it give values to `variables`. */
  block = ({ operations }, variables) => {
    for (const operation of operations) {
      if (operation.name !== 'scf.yield') this.operation(operation);
      else this.assign(variables, operation.operands.flatMap(this.partsOf));
    }
  };
  assign = (variables, parts) => {
    if (variables.length > 0) this.add(`[${variables.join(', ')}] = [${parts.join(', ')}];`);
  };
  operation = (operation) => {
    const lower = lowerings[operation.name];
    const semantics = modelOf(this.registry, scalarOp, operation);
    if (lower !== undefined) lower(this, operation);
    else if (semantics !== undefined) this.scalar(operation, semantics);
    else refuse(operation);
  };
  /** An op on numbers, by what it declares to compute. */
  scalar = (operation, { kind, instruction }) => {
    const [result] = operation.results;
    const code = (kind === 'floats' ? floatCode : integerCode)[instruction];
    if (code === undefined) refuse(operation);
    const operands = operation.operands.map(this.signed);
    this.let(result, asType(operation, result.type, code(operands, isWide(result.type))));
  };
}

/** A conversion of a number to another type, which keeps its sign; in two steps it would be rounded twice. */
const converted = (e, operation) => {
  const [[from], [to]] = [operation.operands, operation.results];
  if (isWide(from.type) && to.type.name === 'f32') refuse(operation);
  const value = e.signed(from);
  const narrow = to.type.kind === 'float' ? `Number(${value})` : `Number(BigInt.asIntN(32, ${value}))`;
  const number = isWide(to.type) ? `BigInt(${value})` : isWide(from.type) ? narrow : value;
  e.let(to, asType(operation, to.type, number));
};

const compared = (definition, symbols) => (e, operation) => {
  const { predicate } = definition.attributes(operation);
  const [a, b] = operation.operands.map(e.signed);
  if (!(predicate in symbols)) refuse(operation, `${predicate} has no code in JavaScript`);
  e.let(operation.results[0], `${a} ${symbols[predicate]} ${b} ? 1 : 0`);
};

const constantCode = (e, operation) => {
  const { value } = constant.attributes(operation);
  const [result] = operation.results;
  if (value.kind !== 'integer' && value.kind !== 'float') refuse(operation, 'is no number');
  const text = Object.is(value.value, -0) ? '-0' : `${value.value}${isWide(result.type) ? 'n' : ''}`;
  e.let(result, asType(operation, result.type, text));
};

const allocation = (e, operation) => {
  const [result] = operation.results;
  const { shape, elementType, layout } = result.type;
  const element = backends.elementNameOf(elementType);
  if (element === undefined || layout !== undefined) refuse(operation, 'of this type has no code');
  const dynamic = operation.operands.map(e.of);
  const sizes = shape.map((size) => (size >= 0 ? `${size}` : dynamic.shift()));
  const array = e.fresh();
  const arrays = backends.arrayTypeOf(backends.elementSize(element, indexBytes)).name;
  e.add(`const ${array} = new ${arrays}(${sizes.join(' * ') || 1});`);
  const strides = sizes.map((_, i) => `${sizes.slice(i + 1).join(' * ') || 1}`);
  e.define(result, array, '0', ...sizes, ...strides.map((stride) => `(${stride})`));
};

const forLoop = (e, operation) => {
  const [lower, upper, step, ...initial] = operation.operands;
  const [variable, ...carried] = bodyOf(operation).arguments;
  const variables = e.declare(operation);
  e.assign(variables, initial.flatMap(e.partsOf));
  carried.forEach((argument, i) => e.define(argument, ...e.partsOf(operation.results[i])));
  const [index] = e.variablesFor(variable);
  e.add(`for (let ${index} = ${e.of(lower)}; ${index} < ${e.of(upper)}; ${index} += ${e.of(step)}) {`);
  e.block(bodyOf(operation), variables);
  e.add('}');
};

const condition = (e, operation) => {
  const variables = e.declare(operation);
  const [then, otherwise] = operation.regions.map(({ blocks: [block] }) => block);
  e.add(`if (${e.of(operation.operands[0])}) {`);
  e.block(then, variables);
  e.add('} else {');
  if (otherwise !== undefined) e.block(otherwise, variables);
  e.add('}');
};

const lowerings = {
  'arith.cmpf': compared(cmpf, { oeq: '===', une: '!==', olt: '<', ole: '<=', ogt: '>', oge: '>=' }),
  'arith.cmpi': compared(cmpi, { eq: '===', ne: '!==', slt: '<', sle: '<=', sgt: '>', sge: '>=' }),
  'arith.constant': constantCode,
  'arith.extf': converted,
  'arith.extsi': converted,
  'arith.index_cast': converted,
  'arith.select': (e, { operands: [condition, a, b], results: [result] }) => {
    const [then, otherwise] = [e.partsOf(a), e.partsOf(b)];
    const chosen = e.variablesFor(result);
    chosen.forEach((each, i) => e.add(`const ${each} = ${e.of(condition)} ? ${then[i]} : ${otherwise[i]};`));
  },
  'arith.sitofp': converted,
  'arith.truncf': converted,
  'arith.trunci': converted,
  'func.call': (e, operation) => {
    const variables = operation.results.flatMap(e.variablesFor);
    const given = operation.operands.flatMap(e.partsOf).join(', ');
    const callee = e.functions.get(call.attributes(operation).callee);
    if (callee === undefined) refuse(operation, 'calls a function without a body');
    e.add(`${variables.length > 0 ? `const [${variables.join(', ')}] = ` : ''}${callee}(${given});`);
  },
  'func.return': (e, { operands }) => e.add(`return [${operands.flatMap(e.partsOf).join(', ')}];`),
  'memref.alloc': allocation,
  'memref.alloca': allocation,
  'memref.cast': (e, { operands: [buffer], results: [result] }) => e.define(result, ...e.partsOf(buffer)),
  'memref.dealloc': () => undefined,
  'memref.dim': (e, { operands: [buffer, index], results: [result] }) =>
    e.let(result, `[${e.bufferOf(buffer).sizes.join(', ')}][${e.of(index)}]`),
  'memref.extract_strided_metadata': (e, { operands: [buffer], results: [base, ...numbers] }) => {
    const { data, offset, sizes, strides } = e.bufferOf(buffer);
    e.define(base, data, '0');
    [offset, ...sizes, ...strides].forEach((part, i) => e.define(numbers[i], part));
  },
  'memref.load': (e, operation) => {
    const [[buffer, ...indices], [result]] = [operation.operands, operation.results];
    e.let(result, asType(operation, result.type, e.elementAt(buffer, indices)));
  },
  'memref.reinterpret_cast': (e, operation) => {
    const { offsets, sizes, strides } = mixedSlice(operation);
    const place = [...offsets, ...sizes, ...strides];
    const parts = place.map((each) => (typeof each === 'number' ? `${each}` : e.of(each)));
    e.define(operation.results[0], e.bufferOf(operation.operands[0]).data, ...parts);
  },
  'memref.store': (e, { operands: [value, buffer, ...indices] }) =>
    e.add(`${e.elementAt(buffer, indices)} = ${e.of(value)};`),
  'scf.for': forLoop,
  'scf.if': condition,
};

/** The module as loops, with the views as casts and the copies as loops. */
const lowered = (module, registry) =>
  edit(module, { registry }, (rewriter) => {
    expandComposed(rewriter, rewriter.root);
    for (const operation of rewriter.walk(rewriter.root)) {
      if (!memref.copy.is(operation)) continue;
      const { source, target } = memref.copy.operands(operation);
      rewriter.setInsertionPointBefore(operation);
      const bodies = [linalg.namedOpBody(linalg.copy, [source, target])];
      const operands = { inputs: [source], outputs: [target] };
      rewriter.create(linalg.copy.state({ operands, resultTypes: [], bodies }));
      rewriter.eraseOperation(operation);
    }
    for (const operation of rewriter.walk(rewriter.root)) {
      if (!structuredToLoops(rewriter, operation, 'for')) expandView(rewriter, operation);
    }
    lowerAffine().runOn(rewriter, rewriter.root);
  }).module;

/** Code that all functions share. `view` is the array that a returned buffer is, or a part of it. */
const prelude = `'use strict';
const divisor = (b) => { if (b == 0) throw 'divides by zero'; return b; };
const view = (array, offset, length) =>
  offset === 0 && length === array.length ? array : array.subarray(offset, offset + length);`;

/** What others call: takes arrays and numbers, and gives a list of them. */
const entryOf = (callee, operation, { signature, parameters, results }) => {
  const types = bodyOf(operation).arguments.map(({ type }) => type);
  const given = parameters.flatMap((parameter, i) => {
    if (parameter.kind === 'scalar') return [asType(operation, types[i], `a${i}`)];
    return [`a${i}`, parameter.offset, ...parameter.shape, ...parameter.strides];
  });
  let at = 0;
  const returned = results.map((result) => {
    const first = at;
    if (result.kind === 'scalar') return `r[${at++}]`;
    at += 2 + 2 * result.shape.length;
    return `view(r[${first}], r[${first + 1}] - ${result.offset}, ${result.length})`;
  });
  const names = parameters.map((_, i) => `a${i}`).join(', ');
  const call = `${callee}(${given.join(', ')})`;
  return `${JSON.stringify(signature.name)}: (${names}) => { const r = ${call}; return [${returned.join(', ')}]; },`;
};

const emit = (given, { registry }) => {
  const found = backends.publicFunctions(given, { registry, indexBytes });
  if (found.status !== 'success') return found;
  const all = children(lowered(given, registry).root);
  const bodies = all.filter(({ regions }) => regions[0]?.blocks.length > 0);
  const e = new Emitter(registry, new Map(bodies.map((each, i) => [symbolNameOf(each), `f${i}`])));
  const entries = [];
  try {
    for (const operation of all) {
      if (operation.name !== 'func.func') refuse(operation);
      const callee = e.functions.get(symbolNameOf(operation));
      if (callee === undefined) continue;
      const body = bodyOf(operation);
      e.add(`function ${callee}(${body.arguments.flatMap(e.variablesFor).join(', ')}) {`);
      e.block(body, []);
      e.add('}');
      const exported = found.value.find(({ signature }) => signature.name === symbolNameOf(operation));
      if (exported !== undefined) entries.push(entryOf(callee, operation, exported));
    }
  } catch (problem) {
    if (problem.status === 'definite') return problem;
    throw problem;
  }
  const source = [prelude, ...e.lines, 'return {', ...entries, '};'].join('\n');
  return success({ backend: name, functions: found.value.map(({ signature }) => signature), source });
};

const loadSync = ({ backend, functions, source }, { signal } = {}) => {
  if (backend !== name) throw new TypeError(`'${name}' cannot load what '${backend}' has emitted`);
  if (signal?.aborted) return definite(error('own/aborted', 'the caller stopped the load', unknownLocation));
  const code = new Function(source)();
  const byName = new Map(functions.map((signature) => [signature.name, signature]));
  const artifact = backends.createArtifact({
    functions,
    call: (called, values) => {
      backends.checkArguments(byName.get(called), values);
      try {
        return success(code[called](...values));
      } catch (problem) {
        if (typeof problem !== 'string') throw problem;
        return definite(error('own/trap', `'${called}' ${problem}`, byName.get(called).location));
      }
    },
    allocate: (element, length) =>
      new (backends.arrayTypeOf(backends.elementSize(element, indexBytes)))(length),
    release: () => undefined,
  });
  return success(artifact);
};

/** Serves targets of the instruction set `javascript`. */
export const javascriptBackend = {
  name,
  serves: ({ machine }) => machine.isa === name,
  emit,
  load: async (emitted, options) => loadSync(emitted, options),
  loadSync,
};
