/** Ends an execution that does too much: WebAssembly has no limit of its own, and a faulty loop may not end. */
import { createIndex } from '@sconv/dialects';
import { addi, cmpi, constant, divsi, indexCast, maxsi, muli, subi } from '@sconv/dialects/arith';
import { assert } from '@sconv/dialects/cf';
import { getGlobal, global, load, store } from '@sconv/dialects/memref';
import { forBounds } from '@sconv/dialects/scf';
import type { Builder, DraftOperation, Module, Registry, Rewriter, Value } from '@sconv/ir';
import {
  bodyOf,
  builder,
  children,
  denseElementsAttribute,
  edit,
  i64,
  integerAttribute,
  memrefType,
  symbolNameOf,
  tensorType,
} from '@sconv/ir';

const counterType = memrefType([1], i64);
const loops = new Set(['scf.for', 'scf.forall']);

/** What the assertion says. */
export const workLimitMessage = (maxOperations: number): string =>
  `more than ${maxOperations} operations are executed`;

/**
 * A module on buffers that asserts in front of each `scf.for`, and in each iteration of an `scf.forall`, that no more
 * than `maxOperations` are executed. What is outside of loops does not count.
 */
export const limitWork = (module: Module, maxOperations: number, registry: Registry): Module =>
  edit(module, { registry }, (rewriter) => {
    const limited = [...rewriter.walk(rewriter.root)].filter(({ name }) => loops.has(name));
    if (limited.length === 0) return;
    const name = freshName(module);
    rewriter.setInsertionPointToStart(bodyOf(rewriter.root));
    rewriter.create(
      global.state({
        attributes: {
          symName: name,
          symVisibility: 'private',
          type: counterType,
          initialValue: denseElementsAttribute([0n], tensorType([1], i64)),
          constant: false,
        },
      }),
    );
    for (const loop of limited) countIterations(rewriter, loop, name, maxOperations);
  }).module;

const freshName = (module: Module): string => {
  const taken = new Set(children(module.root).map(symbolNameOf));
  let name = 'executed';
  for (let i = 0; taken.has(name); i += 1) name = `executed_${i}`;
  return name;
};

const countIterations = (
  rewriter: Rewriter,
  loop: DraftOperation,
  counterName: string,
  maxOperations: number,
): void => {
  const inBody = BigInt(bodyOf(loop).operations.length);
  const isCounted = loop.name === 'scf.for';
  // A loop's iterations are counted together, in front of it: within, that would take as long as what they compute.
  if (isCounted) rewriter.setInsertionPointBefore(loop);
  else rewriter.setInsertionPointToStart(bodyOf(loop));
  const b = builder(rewriter);
  const word = (value: bigint): Value => b(constant, { value: integerAttribute(value, i64) });
  const operations: Value = isCounted
    ? b(muli, { lhs: iterationsOf(b, word, loop), rhs: word(inBody) })
    : word(inBody);
  const counter: Value = b(getGlobal, { name: counterName }, { resultTypes: [counterType] });
  const at = createIndex(rewriter, 0);
  const before: Value = b(load, { memref: counter, indices: [at] });
  const after: Value = b(addi, { lhs: before, rhs: operations });
  b(store, { value: after, memref: counter, indices: [at] });
  const isWithin: Value = b(cmpi, { predicate: 'sle', lhs: after, rhs: word(BigInt(maxOperations)) });
  b(assert, { arg: isWithin, msg: workLimitMessage(maxOperations) });
};

/** How often a loop runs, as i64; a step of zero ends the execution here. */
const iterationsOf = (b: Builder, word: (value: bigint) => Value, loop: DraftOperation): Value => {
  const wide = (value: Value): Value => b(indexCast, { in: value }, { resultTypes: [i64] });
  const { lower, upper, step } = forBounds(loop);
  const [from, to, by] = [wide(lower), wide(upper), wide(step)];
  const span: Value = b(subi, { lhs: to, rhs: from });
  const rounded: Value = b(addi, { lhs: span, rhs: b(subi, { lhs: by, rhs: word(1n) }) });
  return b(maxsi, { lhs: b(divsi, { lhs: rounded, rhs: by }), rhs: word(0n) });
};
