import { renameSync, writeFileSync } from 'node:fs';

/** Facts about a run that are known before its first benchmark. */
export interface Head {
  readonly machine: string;
  readonly seconds: number;
  readonly rounds: number;
}

/** All figures of each benchmark, in the order of the rounds. */
export type Figures = ReadonlyMap<string, readonly number[]>;

/** Figures of a run, in memory and in a file. The file is complete JSON at any time. */
export interface Results {
  readonly figures: Figures;
  add(row: string, figure: number): void;
  /** Marks the run in the file as complete. */
  finish(memory: Readonly<Record<string, number>>): void;
}

/** Starts the file of a run, which replaces the previous run's file. */
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

/** Replaces the file atomically, so that it is complete even after a crash. */
function replaceFile(path: string, results: object): void {
  writeFileSync(`${path}.next`, `${JSON.stringify(results, null, 2)}\n`);
  renameSync(`${path}.next`, path);
}
