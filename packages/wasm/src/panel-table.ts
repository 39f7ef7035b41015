/** The panels that code has gathered by an import: those of constants that are packed from outside of the memory. */
import { i32 as word } from '@sconv/ir';
import { aligned } from './arena.ts';
import type { FunctionBuilder, FunctionRef, Local, ModuleBuilder } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { i32 } from './instructions.ts';
import { elementOf } from './packed-element.ts';
import { emitPanelCopy } from './panel-copy.ts';
import type { GatheredRows, Panel } from './staged-panel.ts';
import { stagePanel } from './staged-panel.ts';
import { storageOf } from './storage.ts';
import type { StreamedPanels } from './wasm-module.ts';
import { panelImport } from './wasm-module.ts';

/** The panels of a module while its code is emitted, and the import. */
export interface PanelTable {
  /**
   * What is gathered, with a place for it in the memory behind `end`, and where that ends; undefined if a packing that
   * is kept has other panels.
   */
  placeBehind(end: number): { readonly panels: StreamedPanels; readonly end: number } | undefined;
  /** Copies a panel from an address, of the memory or of a constant; moves the destination to the panel's end. */
  copy(f: FunctionBuilder, panel: Panel, source: Expr<'i32'>, destination: Local<'i32'>): void;
  /** Notes a kept packing whose panels cannot be gathered. */
  miss(): void;
}

/** For a module without functions yet. */
export const createPanelTable = (builder: ModuleBuilder): PanelTable => {
  const gatherRef = builder.importFunction(panelImport, ['i32', 'i32'], ['i32']);
  const gathered: GatheredRows[] = [];
  const copies = new Map<string, FunctionRef>();
  let isComplete = true;
  /**
   * A function that copies a panel of the memory. By itself: engines run the code of a function as it was at the call,
   * so that a loop in a function that is called once is never optimized.
   */
  const copyOf = ({ lanes, laneStride, dimensions }: Panel): FunctionRef => {
    const key = JSON.stringify([lanes, laneStride, dimensions]);
    const known = copies.get(key);
    if (known !== undefined) return known;
    const copy = builder.function({ parameters: ['i32', 'i32'] }, (f, source, destination) => {
      const element = elementOf(f, storageOf(word)!, storageOf(word)!, undefined);
      emitPanelCopy(f, { element, source, destination, lanes, dimensions, laneOffsets: laneStride });
    });
    copies.set(key, copy);
    return copy;
  };
  /** A function that copies a panel of the memory or of a constant. */
  const copyOfEither = (panel: Panel): FunctionRef => {
    const key = JSON.stringify(panel);
    const known = copies.get(`either ${key}`);
    if (known !== undefined) return known;
    const staged = stagePanel(panel);
    const number = gathered.push(staged.rows) - 1;
    const [direct, fromPlace] = [copyOf(panel), copyOf(staged.panel)];
    const copy = builder.function({ parameters: ['i32', 'i32'] }, (f, source, destination) => {
      f.if(
        i32.ltS(f.get(source), i32.const(0)),
        () => {
          const [place] = f.call(gatherRef, i32.const(number), f.get(source));
          f.call(fromPlace, f.get(place!), f.get(destination));
        },
        () => {
          f.call(direct, f.get(source), f.get(destination));
        },
      );
    });
    copies.set(`either ${key}`, copy);
    return copy;
  };
  return {
    placeBehind: (end) => {
      const place = aligned(end);
      const bytes = Math.max(0, ...gathered.map((each) => each.bytes));
      return isComplete ? { panels: { gathered, place }, end: place + bytes } : undefined;
    },
    copy: (f, panel, source, destination) => {
      f.call(copyOfEither(panel), source, f.get(destination));
      const rows = panel.dimensions.reduce((count, { extent }) => count * extent, 1);
      f.set(destination, i32.add(f.get(destination), i32.const(4 * panel.lanes * rows)));
    },
    miss: () => {
      isComplete = false;
    },
  };
};
