/** The panels that code leaves to an import: those of constants that are packed from where the caller has them. */
import type { FunctionBuilder, Local, ModuleBuilder } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { i32 } from './instructions.ts';
import type { StreamedPanel } from './wasm-module.ts';
import { panelImport } from './wasm-module.ts';

/** The panels of a module while its code is emitted, and the import. */
export interface PanelTable {
  /** The panels, by number; undefined if a packing that is kept has others. */
  panels(): readonly StreamedPanel[] | undefined;
  /** Copies a panel from an address of a constant; moves the destination to the panel's end. */
  copy(f: FunctionBuilder, panel: StreamedPanel, source: Expr<'i32'>, destination: Local<'i32'>): void;
  /** Notes a kept packing whose panels cannot be left to the import. */
  miss(): void;
}

/** For a module without functions yet. */
export const createPanelTable = (builder: ModuleBuilder): PanelTable => {
  const copyRef = builder.importFunction(panelImport, ['i32', 'i32', 'i32']);
  const panels: StreamedPanel[] = [];
  const numbers = new Map<string, number>();
  let isComplete = true;
  return {
    panels: () => (isComplete ? panels : undefined),
    copy: (f, panel, source, destination) => {
      const key = JSON.stringify(panel);
      const number = numbers.get(key) ?? panels.push(panel) - 1;
      numbers.set(key, number);
      f.call(copyRef, i32.const(number), source, f.get(destination));
      const rows = panel.dimensions.reduce((count, { extent }) => count * extent, 1);
      f.set(destination, i32.add(f.get(destination), i32.const(4 * panel.lanes * rows)));
    },
    miss: () => {
      isComplete = false;
    },
  };
};
