import { unwrap } from '@sconv/diagnostics';
import type { Block, Module, Operation, Region } from '@sconv/ir';
import { children, terminatorOf } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { createInterpreter, elementsOf, interpret, memref, tensor } from '../src/index.ts';
import type { Handlers, RuntimeValue } from '../src/index.ts';
import { failure, parse, run, runDiagnosed } from './run.ts';

const withOperations = ({ blocks }: Region, operations: readonly Operation[]): Region => ({
  blocks: [{ ...blocks[0]!, operations }],
});

const loop = `func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (index) {
    %1 = arith.addi %s, %i : index
    scf.yield %1 : index
  }
  return %0 : index
}`;

describe('limits', () => {
  it('steps', () => {
    expect(run(loop, [100], { maxSteps: 1000 })).toEqual([4950]);
    expect(failure(loop, [1e9], { maxSteps: 1000 })).toMatchObject({
      code: 'interpreter/step-limit',
      message: "'arith.addi' is reached after the limit of 1000 steps",
    });
  });

  it('steps of a structured operation', () => {
    const text = `func.func @f(%t: tensor<64x64xf32>, %x: f32) {
      %0 = linalg.fill ins(%x : f32) outs(%t : tensor<64x64xf32>) -> tensor<64x64xf32>
      return
    }`;
    const values = [tensor([64, 64], new Float32Array(4096)), 1];
    expect(failure(text, values, { maxSteps: 4000 }).code).toBe('interpreter/step-limit');
    expect(runDiagnosed(text, values, { maxSteps: 4200 }).status).toBe('success');
  });

  it('the signal is looked at while a loop runs', () => {
    let looks = 0;
    const signal = {
      get aborted() {
        looks += 1;
        return looks > 3;
      },
    };
    expect(failure(loop, [1e12], { signal }).code).toBe('interpreter/aborted');
  });

  it('the signal is looked at at the start, and then after a million steps', () => {
    const looksIn = (count: number): number => {
      let looks = 0;
      const signal = {
        get aborted() {
          looks += 1;
          return false;
        },
      };
      run(loop, [count], { signal });
      return looks;
    };
    expect(looksIn(100)).toBe(1);
    // Two operations per iteration.
    expect(looksIn(1_600_000)).toBe(4);
  });

  it('elements of one tensor', () => {
    const text = `func.func @f(%n: index) {
      %0 = tensor.empty(%n, %n) : tensor<?x?xf32>
      return
    }`;
    expect(failure(text, [1e5])).toMatchObject({
      code: 'interpreter/too-large',
      message: "'tensor.empty' needs 10000000000 elements, more than 2147483648",
    });
    expect(failure(text, [11], { maxElements: 120 }).code).toBe('interpreter/too-large');
  });

  it('calls within calls', () => {
    const text = `func.func @f(%n: index) {
      func.call @f(%n) : (index) -> ()
      return
    }`;
    expect(failure(text, [1])).toMatchObject({
      code: 'interpreter/call-depth',
      message: "'func.call' is more than 200 calls deep",
    });
  });

  it('the stack of the engine', () => {
    const deep = 'func.func @f() { func.call @f() : () -> () return }';
    expect(failure(deep, [], { maxCallDepth: 1e9 })).toMatchObject({
      code: 'interpreter/call-depth',
      message: expect.stringMatching(/^@f ran out of stack: ./) as string,
      location: { file: 'test.mlir', line: 1, column: 1 },
    });
  });

  it('the memory of the engine', () => {
    const large = 'func.func @f(%n: index) { %0 = tensor.empty(%n) : tensor<?xi64> return }';
    expect(failure(large, [2 ** 52], { maxElements: Infinity })).toMatchObject({
      code: 'interpreter/too-large',
      message: "'tensor.empty' needs 4503599627370496 elements, more than there is memory for",
    });
  });

  it('exact indices of structured operations', () => {
    const map = 'affine_map<(d0) -> (d0 * 9007199254740991)>';
    const text = `func.func @f(%a: tensor<2xf32>, %o: tensor<3xf32>) {
      %0 = linalg.generic {indexing_maps = [${map}, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%a : tensor<2xf32>) outs(%o : tensor<3xf32>) {
        ^bb0(%x: f32, %y: f32):
          linalg.yield %x : f32
        } -> tensor<3xf32>
      return
    }`;
    const values = [tensor([2], new Float32Array(2)), tensor([3], new Float32Array(3))];
    expect(failure(text, values).code).toMatch(/^interpreter\/(overflow|out-of-bounds)$/);
  });

  it('regions within regions', () => {
    const module = parse('func.func @f(%c: i1) {\nscf.if %c {\n}\nreturn\n}');
    const [func] = children(module.root) as [Operation];
    const [body] = func.regions[0]!.blocks as [Block];
    const [innermost, end] = body.operations as [Operation, Operation];
    // The text parser has its own limit, so the nest is built directly.
    const [then] = innermost.regions as [Region];
    const nested = (depth: number): Operation => {
      let operation = innermost;
      for (let i = 0; i < depth; i++) {
        operation = {
          ...innermost,
          regions: [withOperations(then, [operation, terminatorOf(then.blocks[0]!)])],
        };
      }
      return operation;
    };
    const nest = (depth: number): Module => ({
      ...module,
      root: {
        ...module.root,
        regions: [
          withOperations(module.root.regions[0]!, [
            { ...func, regions: [withOperations(func.regions[0]!, [nested(depth), end])] },
          ]),
        ],
      },
    });
    expect(interpret(nest(200), 'f', [1]).status).toBe('success');
    expect(interpret(nest(10_000), 'f', [1])).toMatchObject({
      status: 'definite',
      diagnostics: [{ code: 'interpreter/nesting-too-deep' }],
    });
  });
});

describe('functions and arguments', () => {
  it.each<[string, string, RuntimeValue[], string, string]>([
    [
      'too few',
      '%x: f32',
      [],
      'interpreter/argument-mismatch',
      "'func.func' takes 1 arguments, but is given 0",
    ],
    [
      'a tensor for a scalar',
      '%x: f32',
      [tensor([], new Float32Array(1))],
      'interpreter/argument-mismatch',
      "'func.func' takes f32 as argument #0, but is given a tensor",
    ],
    [
      'nothing for a tensor',
      '%x: tensor<2xf32>',
      [null as unknown as RuntimeValue],
      'interpreter/argument-mismatch',
      "'func.func' takes tensor<2xf32> as argument #0, but is given null",
    ],
    [
      'a number for a 64-bit integer',
      '%x: f32, %y: i64',
      [1, 2],
      'interpreter/argument-mismatch',
      "'func.func' takes i64 as argument #1, but is given a number",
    ],
    [
      'other elements',
      '%x: tensor<2xf32>',
      [tensor([2], new Float64Array(2))],
      'interpreter/argument-mismatch',
      "'func.func' takes tensor<2xf32> as argument #0, but its elements are f64",
    ],
    [
      'another shape',
      '%x: tensor<2x?xf32>',
      [tensor([3, 2], new Float32Array(6))],
      'interpreter/shape-mismatch',
      "'func.func' has a value of 3x2 for tensor<2x?xf32>",
    ],
    [
      'another layout',
      '%x: memref<2x2xf32>',
      [memref([2, 2], new Float32Array(8), { strides: [4, 1] })],
      'interpreter/shape-mismatch',
      "'func.func' has a buffer of the layout strided<[4, 1], offset: 0> for memref<2x2xf32>",
    ],
  ])('%s', (_, parameters, values, code, message) => {
    const text = `func.func @f(${parameters}) {\nreturn\n}`;
    expect(failure(text, values)).toMatchObject({ code, message });
  });

  it('a function that is not there', () => {
    const module = parse('func.func @g() {\nreturn\n}');
    expect(interpret(module, 'f', [])).toMatchObject({
      status: 'definite',
      diagnostics: [
        {
          code: 'interpreter/unknown-function',
          message: "'builtin.module' has no function @f; there are @g",
        },
      ],
    });
  });

  it('a function without a body runs what is given for it', () => {
    const text = `func.func private @double(f32) -> f32
    func.func @f(%x: f32) -> f32 {
      %0 = func.call @double(%x) : (f32) -> f32
      return %0 : f32
    }`;
    expect(run(text, [4], { externals: { double: ([x]) => [2 * (x as number)] } })).toEqual([8]);
    expect(failure(text, [4]).code).toBe('interpreter/unknown-function');
    expect(failure(text, [4], { externals: { double: () => [] } }).code).toBe(
      'interpreter/argument-mismatch',
    );
  });

  it('what is given for a function may throw', () => {
    const text = 'func.func private @g()\nfunc.func @f() { call @g() : () -> () return }';
    const g = (): never => {
      throw new Error('a bug of the caller');
    };
    expect(() => runDiagnosed(text, [], { externals: { g } })).toThrow('a bug of the caller');
  });
  it('there may be none', () => {
    const { diagnostics } = interpret(parse('memref.global "private" @g : memref<2xf32>'), 'f', []);
    expect(diagnostics).toMatchObject([
      {
        code: 'interpreter/unknown-function',
        message: expect.stringContaining('has no function @f; there are none') as string,
      },
    ]);
  });
  it('an interpreter runs again after a failure', () => {
    const interpreter = createInterpreter(parse(loop), { maxSteps: 1000 });
    expect(interpreter.run('f', [1e6]).status).toBe('definite');
    expect(unwrap(interpreter.run('f', [10]))).toEqual([45]);
  });
});

describe('operations without a handler', () => {
  const text = 'func.func @f(%x: f32) -> f32 {\n%0 = "my.op"(%x) : (f32) -> f32\nreturn %0 : f32\n}';

  it('are an error at the operation', () => {
    expect(failure(text, [1])).toMatchObject({
      code: 'interpreter/unsupported-op',
      message: "'my.op' is not an operation that the interpreter can execute",
      location: { file: 'test.mlir', line: 2 },
    });
  });

  it('can be given one', () => {
    const handlers: Handlers = {
      'my.op': (operation, context) => {
        const [from, to] = [context.slot(operation.operands[0]!), context.slot(operation.results[0]!)];
        return ({ numbers }) => {
          numbers[to] = numbers[from]! * 10;
        };
      },
    };
    expect(run(text, [4], { handlers })).toEqual([40]);
  });
});

describe('values', () => {
  it('the elements of a result stay as they are when it is passed on and written over', () => {
    const text = `func.func @f(%t: tensor<64xf32>, %x: f32, %i: index) -> tensor<64xf32> {
      %0 = tensor.insert %x into %t[%i] : tensor<64xf32>
      return %0 : tensor<64xf32>
    }`;
    const { run: runAgain } = createInterpreter(parse(text));
    const insert = (value: RuntimeValue, x: number) =>
      unwrap(runAgain('f', [value, x, 3]))[0] as typeof first;
    const first = tensor([64], new Float32Array(64));
    const second = insert(first, 7);
    const data = elementsOf(second);
    const third = insert(second, 8);
    const fourth = insert(third, 9);
    expect([first, second, third, fourth].map((value) => elementsOf(value)[3])).toEqual([0, 7, 8, 9]);
    expect(data[3]).toBe(7);
  });

  it('a tensor has the first of more elements', () => {
    const value = tensor([2], Float32Array.of(1, 2, 3));
    expect([...elementsOf(value)]).toEqual([1, 2]);
    expect([...elementsOf(tensor([], Float32Array.of(4)))]).toEqual([4]);
  });

  it('a scalar is named as such where a shape is wanted', () => {
    const text = 'func.func @f(%t: tensor<2xf32>) { return }';
    expect(failure(text, [tensor([], new Float32Array(1))]).message).toContain(
      'a value of scalar for tensor<2xf32>',
    );
  });

  it.each<[string, () => unknown, string]>([
    ['tensor', () => tensor([2, 3], new Float32Array(5)), '2x3 needs 6 elements, but there are 5'],
    [
      'memref',
      () => memref([2, 3], new Float32Array(6), { offset: 1 }),
      '2x3 needs 7 elements, but there are 6',
    ],
    [
      'memref below zero',
      () => memref([2], new Float32Array(6), { strides: [-1] }),
      'the view of 2 begins at element -1',
    ],
  ])('a %s that does not fit its data is a RangeError', (_, make, message) => {
    expect(make).toThrow(new RangeError(message));
  });
});

it('only modules are executed', () => {
  const untyped = interpret as (...all: readonly unknown[]) => unknown;
  expect(() => untyped('func.func @f() { return }', 'f', [])).toThrow(
    "expected a module as what is executed, not 'func.func @f() { return }'; parseModule() makes one of a text",
  );
});
