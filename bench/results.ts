import { renameSync, writeFileSync } from 'node:fs';

/** What a run is about, known before its first row. */
export interface Head {
  readonly machine: string;
  readonly seconds: number;
  readonly rounds: number;
}

/** Every figure of each row, in the order of the rounds. */
export type Figures = ReadonlyMap<string, readonly number[]>;

/** The figures of a run, in memory and in a file that is whole JSON at every moment. */
export interface Results {
  readonly figures: Figures;
  add(row: string, figure: number): void;
  /** Says in the file that the run came to its end. */
  finish(memory: Readonly<Record<string, number>>): void;
}

/** Begins the file of a run, in place of the last one's. */
export function createResults(path: string, head: Head, rows: readonly string[]): Results {
  const figures = new Map<string, number[]>(rows.map((row) => [row, []]));
  const write = (end: object): void =>
    replaceFile(path, { ...head, ...end, figures: Object.fromEntries(figures) });
  write({ finished: false });
  return {
    figures,
    add(row, figure) {
      figures.get(row)?.push(figure);
      write({ finished: false });
    },
    finish: (memory) => write({ finished: true, memory }),
  };
}

/** A reader, or whoever kills this process, never finds half a file. */
function replaceFile(path: string, results: object): void {
  writeFileSync(`${path}.next`, `${JSON.stringify(results, null, 2)}\n`);
  renameSync(`${path}.next`, path);
}
