/** Draws operations of arith and math on numbers and vectors, and control flow around them. */
import type { FloatName, IntegerName, NativeElement, Values } from './native-writer.ts';
import { bitsOf, floatNames, integerNames, NativeWriter, vectorType } from './native-writer.ts';

/** Numbers, or vectors of them. */
interface Operands {
  readonly shape: readonly number[] | undefined;
  readonly typeOf: (element: NativeElement) => string;
  readonly take: (element: NativeElement, values?: Values) => string;
  readonly keep: (name: string, element: NativeElement) => void;
}

const operandsOf = (w: NativeWriter): Operands => {
  if (w.random.chance(0.5)) {
    return {
      shape: undefined,
      typeOf: (element) => element,
      take: (element, values) => w.number(element, w.value(element, values)),
      keep: (name, element) => w.keepScalar(name, element),
    };
  }
  const shape = w.random.pick([[], [1], [3], [4], [8], [17], [2, 3], [1, 4], [2, 1, 4]]);
  return {
    shape,
    typeOf: (element) => vectorType(shape, element),
    take: (element, values) => w.vector(shape, element, values),
    keep: (name, element) => w.keepVector(name, shape, element),
  };
};

const integer = (w: NativeWriter): IntegerName => w.random.pick(integerNames);
const float = (w: NativeWriter): FloatName => w.random.pick(floatNames);

const binaryInteger = ['addi', 'subi', 'muli', 'andi', 'ori', 'xori', 'maxsi', 'maxui', 'minsi', 'minui'];
const division = ['divsi', 'divui', 'ceildivsi', 'ceildivui', 'floordivsi', 'remsi', 'remui'];
const shift = ['shli', 'shrsi', 'shrui'];
const extended = ['mulsi_extended', 'mului_extended', 'addui_extended'];
const binaryFloat = ['addf', 'subf', 'mulf', 'divf', 'remf', 'maximumf', 'minimumf', 'maxnumf', 'minnumf'];

export const integerOps = (w: NativeWriter): void => {
  const o = operandsOf(w);
  const element = integer(w);
  const type = o.typeOf(element);
  const kind = w.random.integer(0, 4);
  if (kind === 0) {
    o.keep(
      w.define(`arith.${w.random.pick(binaryInteger)} ${o.take(element)}, ${o.take(element)} : ${type}`),
      element,
    );
  } else if (kind === 1 && element !== 'i1') {
    // The least number by -1 overflows.
    o.keep(
      w.define(
        `arith.${w.random.pick(division)} ${o.take(element)}, ${o.take(element, 'positive')} : ${type}`,
      ),
      element,
    );
  } else if (kind === 2 && element !== 'i1') {
    o.keep(
      w.define(`arith.${w.random.pick(shift)} ${o.take(element)}, ${o.take(element, 'positive')} : ${type}`),
      element,
    );
  } else if (kind === 3) {
    const name = w.random.pick(extended);
    const [lhs, rhs] = [o.take(element), o.take(element)];
    const made = w.fresh();
    const isSum = name === 'addui_extended';
    w.line(`${made}:2 = arith.${name} ${lhs}, ${rhs} : ${type}${isSum ? `, ${o.typeOf('i1')}` : ''}`);
    o.keep(`${made}#0`, element);
    o.keep(`${made}#1`, isSum ? 'i1' : element);
  } else {
    const predicate = w.random.pick(['eq', 'ne', 'slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge']);
    const [lhs, rhs] = [o.take(element), o.take(element)];
    const condition = w.define(`arith.cmpi ${predicate}, ${lhs}, ${rhs} : ${type}`);
    o.keep(condition, 'i1');
    const conditionType = o.shape === undefined ? '' : `${o.typeOf('i1')}, `;
    o.keep(w.define(`arith.select ${condition}, ${lhs}, ${rhs} : ${conditionType}${type}`), element);
  }
};

export const floatOps = (w: NativeWriter): void => {
  const o = operandsOf(w);
  const element = float(w);
  const type = o.typeOf(element);
  const kind = w.random.integer(0, 3);
  if (kind === 0) o.keep(w.define(`arith.negf ${o.take(element)} : ${type}`), element);
  else if (kind === 1) {
    const predicate = w.random.pick([
      'false',
      'oeq',
      'ogt',
      'oge',
      'olt',
      'ole',
      'one',
      'ord',
      'ueq',
      'ugt',
      'uge',
      'ult',
      'ule',
      'une',
      'uno',
      'true',
    ]);
    o.keep(w.define(`arith.cmpf ${predicate}, ${o.take(element)}, ${o.take(element)} : ${type}`), 'i1');
  } else {
    const name = w.random.pick(binaryFloat);
    // Of zeros, either may be taken.
    if (name.includes('numf')) w.tolerance = 1;
    o.keep(w.define(`arith.${name} ${o.take(element)}, ${o.take(element)} : ${type}`), element);
  }
};

/** Conversions between all types. */
export const conversions = (w: NativeWriter): void => {
  const o = operandsOf(w);
  const convert = (name: string, from: NativeElement, to: NativeElement, values?: Values): void =>
    o.keep(w.define(`arith.${name} ${o.take(from, values)} : ${o.typeOf(from)} to ${o.typeOf(to)}`), to);
  const [a, b] = [integer(w), integer(w)];
  const [f, g] = [float(w), float(w)];
  const kind = w.random.integer(0, 4);
  if (kind === 0) {
    if (a === 'index' || b === 'index') {
      if (a === b) return;
      convert(w.random.pick(['index_cast', 'index_castui']), a, b);
    } else if (bitsOf[a] < bitsOf[b]) convert(w.random.pick(['extsi', 'extui']), a, b);
    else if (bitsOf[a] > bitsOf[b]) convert('trunci', a, b);
    else convert('bitcast', a, a);
  } else if (kind === 1) {
    const from = a === 'index' ? 'i32' : a;
    convert(w.random.pick(['sitofp', 'uitofp']), from, f);
  } else if (kind === 2) {
    // Out of range, the result may be anything.
    const to = a === 'index' || a === 'i1' ? 'i64' : a;
    const isSigned = w.random.chance(0.5);
    convert(isSigned ? 'fptosi' : 'fptoui', f, to, isSigned ? 'small' : 'positive');
  } else if (kind === 3) {
    if (bitsOf[f] < bitsOf[g]) convert('extf', f, g);
    else if (bitsOf[f] > bitsOf[g]) convert('truncf', f, g);
    else convert('bitcast', f, ({ f16: 'i16', bf16: 'i16', f32: 'i32', f64: 'i64' } as const)[f]);
  } else {
    const to = ({ f16: 'i16', bf16: 'i16', f32: 'i32', f64: 'i64' } as const)[f];
    convert('bitcast', to, f, 'small');
  }
};

const exactMath = ['absf', 'ceil', 'floor', 'trunc', 'round', 'roundeven', 'sqrt'];
const inexactMath =
  `rsqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh
  atanh erf`.split(/\s+/);

/** `math`: results of functions of the C library are close, others equal. */
export const mathOps = (w: NativeWriter): void => {
  const o = operandsOf(w);
  const element = float(w);
  const type = o.typeOf(element);
  const kind = w.random.integer(0, 5);
  if (kind <= 1) o.keep(w.define(`math.${w.random.pick(exactMath)} ${o.take(element)} : ${type}`), element);
  else if (kind === 2) {
    w.tolerance = 8;
    o.keep(w.define(`math.${w.random.pick(inexactMath)} ${o.take(element, 'positive')} : ${type}`), element);
  } else if (kind === 3) {
    const name = w.random.pick(['atan2', 'powf', 'copysign']);
    if (name !== 'copysign') w.tolerance = 8;
    const values = name === 'copysign' ? 'any' : 'small';
    o.keep(
      w.define(`math.${name} ${o.take(element, values)}, ${o.take(element, values)} : ${type}`),
      element,
    );
  } else if (kind === 4) {
    const given = [o.take(element, 'small'), o.take(element, 'small'), o.take(element, 'small')];
    o.keep(w.define(`math.fma ${given.join(', ')} : ${type}`), element);
  } else {
    const of = w.random.pick(['i8', 'i16', 'i32', 'i64', 'index'] as const);
    const name = w.random.pick(['ctlz', 'cttz', 'ctpop', 'absi']);
    o.keep(w.define(`math.${name} ${o.take(of)} : ${o.typeOf(of)}`), of);
  }
};

// --- Control flow ------------------------------------------------------------------------------------------------

const sum = (w: NativeWriter, a: string, b: string): string => w.define(`arith.addi ${a}, ${b} : i32`);

/** A number that depends on an index, as i32. */
const term = (w: NativeWriter, index: string, factor: number): string => {
  const scaled = w.define(`arith.muli ${index}, ${w.constant('index', factor)} : index`);
  return w.define(`arith.index_cast ${scaled} : index to i32`);
};

export const loops = (w: NativeWriter): void => {
  const { random } = w;
  const [lower, upper, step] = [random.integer(-2, 3), random.integer(-1, 8), random.integer(1, 3)];
  const initial = w.number('i32');
  const bounds = `${w.index(lower)} to ${w.index(upper)} step ${w.index(step)}`;
  const made = w.fresh();
  w.line(`${made} = scf.for %i = ${bounds} iter_args(%x = ${initial}) -> (i32) {`);
  const next = sum(w, '%x', term(w, '%i', 3));
  const odd = w.define(`arith.remsi ${next}, ${w.constant('i32', 3)} : i32`);
  const isOdd = w.define(`arith.cmpi ne, ${odd}, ${w.constant('i32', 0)} : i32`);
  const chosen = w.fresh();
  w.line(`${chosen} = scf.if ${isOdd} -> (i32) {`);
  w.line(`scf.yield ${next} : i32`);
  w.line('} else {');
  w.line(`scf.yield ${sum(w, next, odd)} : i32`);
  w.line('}');
  w.line(`scf.yield ${chosen} : i32`);
  w.line('}');
  w.keepScalar(made, 'i32');
};

export const whiles = (w: NativeWriter): void => {
  const initial = w.number('i32', w.random.integer(0, 20));
  const limit = w.constant('i32', w.random.integer(0, 40));
  const step = w.constant('i32', w.random.integer(1, 5));
  const made = w.fresh();
  w.line(`${made}:2 = scf.while (%x = ${initial}) : (i32) -> (i32, i32) {`);
  const condition = w.define(`arith.cmpi slt, %x, ${limit} : i32`);
  w.line(`scf.condition(${condition}) %x, ${sum(w, '%x', step)} : i32, i32`);
  w.line('} do {');
  w.line('^bb0(%y: i32, %z: i32):');
  w.line('scf.yield %z : i32');
  w.line('}');
  w.keepScalar(`${made}#0`, 'i32');
  w.keepScalar(`${made}#1`, 'i32');
};

export const parallels = (w: NativeWriter): void => {
  const { random } = w;
  const sizes = [random.integer(0, 4), random.integer(0, 4)];
  const to = w.plain(sizes, 'i32', 'small');
  const [zero, one] = [w.constant('index', 0), w.constant('index', 1)];
  const upper = sizes.map((size) => w.index(size)).join(', ');
  const kind = random.pick(['parallel', 'forall', 'reduce'] as const);
  const store = (): string => {
    const value = sum(w, term(w, '%i', 10), term(w, '%j', 1));
    w.line(`memref.store ${value}, ${to.name}[%i, %j] : ${to.type}`);
    return value;
  };
  if (kind === 'forall') {
    w.line(`scf.forall (%i, %j) in (${upper}) {`);
    store();
    w.line('}');
  } else if (kind === 'parallel') {
    w.line(`scf.parallel (%i, %j) = (${zero}, ${zero}) to (${upper}) step (${one}, ${one}) {`);
    store();
    w.line('scf.reduce');
    w.line('}');
  } else {
    const initial = w.number('i32');
    const made = w.fresh();
    w.line(
      `${made} = scf.parallel (%i, %j) = (${zero}, ${zero}) to (${upper}) step (${one}, ${one}) init (${initial}) -> i32 {`,
    );
    const value = store();
    w.line(`scf.reduce(${value} : i32) {`);
    w.line('^bb0(%p: i32, %q: i32):');
    w.line(`scf.reduce.return ${sum(w, '%p', '%q')} : i32`);
    w.line('}');
    w.line('}');
    w.keepScalar(made, 'i32');
  }
};

export const regions = (w: NativeWriter): void => {
  const { random } = w;
  const value = w.number('i32');
  const made = w.fresh();
  const kind = random.pick(['switch', 'execute', 'scope'] as const);
  if (kind === 'switch') {
    w.line(`${made} = scf.index_switch ${w.index(random.integer(-1, 3))} -> i32`);
    for (const each of [0, 1, -1]) {
      w.line(`case ${each} {`);
      w.line(`scf.yield ${sum(w, value, w.constant('i32', each))} : i32`);
      w.line('}');
    }
    w.line('default {');
    w.line(`scf.yield ${value} : i32`);
    w.line('}');
  } else if (kind === 'execute') {
    w.line(`${made} = scf.execute_region -> i32 {`);
    const isPositive = w.define(`arith.cmpi sgt, ${value}, ${w.constant('i32', 0)} : i32`);
    w.line(`cf.cond_br ${isPositive}, ^one(${value} : i32), ^two`);
    w.line('^one(%p: i32):');
    w.line(`cf.switch %p : i32, [default: ^two, 1: ^three(%p : i32), 7: ^two]`);
    w.line('^two:');
    w.line(`cf.br ^three(${w.constant('i32', 5)} : i32)`);
    w.line('^three(%q: i32):');
    w.line('scf.yield %q : i32');
    w.line('}');
  } else {
    w.line(`${made} = memref.alloca_scope -> (i32) {`);
    const place = w.define('memref.alloca() : memref<3xi32>');
    const at = w.index(random.integer(0, 2));
    w.line(`memref.store ${value}, ${place}[${at}] : memref<3xi32>`);
    const loaded = w.define(`memref.load ${place}[${at}] : memref<3xi32>`);
    w.line(`memref.alloca_scope.return ${loaded} : i32`);
    w.line('}');
  }
  w.keepScalar(made, 'i32');
};

export const calls = (w: NativeWriter): void => {
  w.globals.push(
    'func.func private @g(%x: i32, %m: memref<?xi32>) -> (i32, memref<?xi32>) {',
    '  %zero = arith.constant 0 : index',
    '  %y = memref.load %m[%zero] : memref<?xi32>',
    '  %z = arith.subi %x, %y : i32',
    '  return %z, %m : i32, memref<?xi32>',
    '}',
  );
  const buffer = w.plain([w.random.integer(1, 4)], 'i32');
  const given = w.define(`memref.cast ${buffer.name} : ${buffer.type} to memref<?xi32>`);
  const type = '(i32, memref<?xi32>) -> (i32, memref<?xi32>)';
  const value = w.number('i32');
  const made = w.fresh();
  if (w.random.chance(0.5)) w.line(`${made}:2 = func.call @g(${value}, ${given}) : ${type}`);
  else {
    const callee = w.define(`func.constant @g : ${type}`);
    w.line(`${made}:2 = func.call_indirect ${callee}(${value}, ${given}) : ${type}`);
  }
  w.keepScalar(`${made}#0`, 'i32');
  w.keepBuffer({ ...buffer, name: `${made}#1`, type: 'memref<?xi32>' });
};

// --- Affine ------------------------------------------------------------------------------------------------------

const drawExpression = (w: NativeWriter): string =>
  w.random.pick([
    'd0 + 2 * d1 - 3',
    'd0 floordiv 3 + d1',
    'd0 ceildiv 2 - d1',
    'd0 mod 5 + d1 floordiv 4',
    '(d0 - d1) mod 3',
    '(d0 + d1) ceildiv 7',
    '-d0',
  ]);

export const affineOps = (w: NativeWriter): void => {
  const { random } = w;
  const [a, b] = [w.index(random.integer(-9, 9)), w.index(random.integer(-9, 9))];
  const kind = random.pick([
    'apply',
    'min',
    'max',
    'if',
    'delinearize',
    'for',
    'memory',
    'vector',
    'parallel',
  ] as const);
  const keepIndex = (name: string): void => w.keepScalar(name, 'index');
  if (kind === 'apply') {
    keepIndex(w.define(`affine.apply affine_map<(d0, d1) -> (${drawExpression(w)})>(${a}, ${b})`));
  } else if (kind === 'min' || kind === 'max') {
    const results = [drawExpression(w), drawExpression(w), 'd1'].slice(0, random.integer(1, 3)).join(', ');
    keepIndex(w.define(`affine.${kind} affine_map<(d0, d1) -> (${results})>(${a}, ${b})`));
  } else if (kind === 'if') {
    const made = w.fresh();
    const test = random.pick(['>= 0', '== 0']);
    w.line(
      `${made} = affine.if affine_set<(d0, d1) : (${drawExpression(w)} ${test}, d0 + 5 >= 0)>(${a}, ${b}) -> index {`,
    );
    w.line(`affine.yield ${a} : index`);
    w.line('} else {');
    w.line(`affine.yield ${b} : index`);
    w.line('}');
    keepIndex(made);
  } else if (kind === 'delinearize') {
    const made = w.fresh();
    const basis = [w.index(random.integer(1, 4)), w.index(random.integer(1, 4))].join(', ');
    w.line(
      `${made}:2 = affine.delinearize_index ${w.index(random.integer(0, 3))} into (${basis}) : index, index`,
    );
    keepIndex(`${made}#0`);
    keepIndex(`${made}#1`);
  } else if (kind === 'for') {
    const made = w.fresh();
    const upper = random.chance(0.5)
      ? String(random.integer(-2, 9))
      : `min affine_map<(d0, d1) -> (d0, d1 + 4, 6)>(${a}, ${b})`;
    w.line(
      `${made} = affine.for %i = ${random.integer(-2, 2)} to ${upper} step ${random.integer(1, 3)} iter_args(%x = ${a}) -> (index) {`,
    );
    w.line(`affine.yield ${w.define('arith.addi %x, %i : index')} : index`);
    w.line('}');
    keepIndex(made);
  } else if (kind === 'memory') {
    const from = w.buffer([4, 5], 'i32');
    const at = w.index(random.integer(0, 2));
    w.line(`affine.prefetch ${from.name}[${at}, 1], read, locality<3>, data : ${from.type}`);
    const loaded = w.define(`affine.load ${from.name}[${at} + 1, symbol(${at}) + 2] : ${from.type}`);
    w.line(`affine.store ${loaded}, ${from.name}[${at}, 0] : ${from.type}`);
    w.keepScalar(loaded, 'i32');
  } else if (kind === 'vector') {
    const from = w.plain([3, 8], 'f32');
    const at = w.index(random.integer(0, 2));
    const loaded = w.define(
      `affine.vector_load ${from.name}[${at}, ${at} + 2] : ${from.type}, vector<4xf32>`,
    );
    w.line(`affine.vector_store ${loaded}, ${from.name}[2 - ${at}, 4] : ${from.type}, vector<4xf32>`);
    w.keepVector(loaded, [4], 'f32');
  } else {
    const to = w.plain([4, 4], 'i32', 'small');
    const kind = random.pick(['none', 'addi', 'muli', 'ori', 'andi', 'maxs'] as const);
    const made = kind === 'none' ? '' : `${w.fresh()} = `;
    const reduced = kind === 'none' ? '' : ` reduce ("${kind}") -> (i32)`;
    const end = `min(4, ${w.index(random.integer(1, 4))})`;
    w.line(`${made}affine.parallel (%i, %j) = (0, 1) to (3, ${end}) step (1, 2)${reduced} {`);
    const value = sum(w, term(w, '%i', 5), term(w, '%j', -1));
    w.line(`memref.store ${value}, ${to.name}[%i, %j] : ${to.type}`);
    if (kind !== 'none') w.line(`affine.yield ${value} : i32`);
    w.line('}');
    if (kind !== 'none') w.keepScalar(made.slice(0, -3), 'i32');
  }
};
