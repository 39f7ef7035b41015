/** The functions of a module that are parallel loop bodies, and how they run. */
import type { FunctionBuilder, FunctionRef, ModuleBuilder } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { i32 } from './instructions.ts';
import type { Lowering, ParallelBodies } from './lowering.ts';
import { forkImport } from './wasm-module.ts';

/** Frame header: the address of the globals and, if callers pass it, `Lowering.shift`, written by `fork`. */
export const frameHeaderBytes = 8;
const shiftOffset = 4;

/** The bodies of one module; `names` are their exports, by number. */
export interface BodyTable {
  readonly names: readonly string[];
  /** For the lowering of a function; `lowering` creates a body's lowering. */
  of(f: FunctionBuilder, outer: Pick<Lowering, 'globals' | 'shift'>, lowering: LoweringOf): ParallelBodies;
}

/** Creates the lowering of a body in its own function. */
export type LoweringOf = (f: FunctionBuilder, outer: Pick<Lowering, 'globals' | 'shift'>) => Lowering;

/** For a module whose functions use the names `taken`; imports `fork`. */
export const createBodyTable = (builder: ModuleBuilder, taken: ReadonlySet<string>): BodyTable => {
  const forkRef: FunctionRef = builder.importFunction(forkImport, ['i32', 'i32', 'i32']);
  const names: string[] = [];
  return {
    names,
    of: (f, { globals, shift }, lowering) => ({
      outline: (write) => {
        const number = names.push('') - 1;
        let name = `parallel ${number}`;
        while (taken.has(name)) name += "'";
        names[number] = name;
        builder.function({ name, parameters: ['i32', 'i32'] }, (inner, frame, iteration) => {
          const address = inner.get(frame);
          const loaded = (offset: number): Expr<'i32'> => inner.get(inner.let(i32.load(address, offset)));
          const own = { globals: loaded(0), shift: shift && loaded(shiftOffset) };
          write(lowering(inner, own), address, iteration);
        });
        return number;
      },
      fork: (body, count, frame) => {
        f.statement(i32.store(frame, globals, 0));
        if (shift !== undefined) f.statement(i32.store(frame, shift, shiftOffset));
        f.call(forkRef, i32.const(body), i32.const(count), frame);
      },
    }),
  };
};
