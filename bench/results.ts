import { renameSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { ProcessorTime } from './processor-time.ts';
import type { Measurement } from './row.ts';

/** Facts about a run that are known before its first benchmark. */
export interface Head {
  readonly machine: string;
  readonly seconds: number;
  readonly rounds: number;
}

/** All figures of each benchmark, in the order of the rounds. */
export type Figures = ReadonlyMap<string, readonly number[]>;

/** Processor time of an operation in each round, by benchmark. Only of benchmarks that measure it. */
export type ProcessorTimes = ReadonlyMap<string, readonly ProcessorTime[]>;

/** Figures of a run, in memory and in a file. The file is complete JSON at any time. */
export interface Results {
  readonly figures: Figures;
  readonly processor_ms: ProcessorTimes;
  add(row: string, measured: number | Measurement): void;
  /** Marks the run in the file as complete. */
  finish(memory: Readonly<Record<string, number>>): void;
}

/** Figures of a run. The first figure replaces the previous run's file. */
export function createResults(path: string, head: Head, rows: readonly string[]): Results {
  const figures = new Map<string, number[]>(rows.map((row) => [row, []]));
  const times = new Map<string, ProcessorTime[]>();
  const write = (end: object): void =>
    replaceFile(path, {
      ...head,
      ...end,
      figures: Object.fromEntries(figures),
      processor_ms_per_operation: Object.fromEntries(times),
    });
  return {
    figures,
    processor_ms: times,
    add(row, measured) {
      const { figure, processor_ms }: Measurement =
        typeof measured === 'number' ? { figure: measured } : measured;
      figures.get(row)?.push(figure);
      if (processor_ms) times.set(row, [...(times.get(row) ?? []), processor_ms]);
      write({ finished: false });
    },
    finish: (memory) => write({ finished: true, memory }),
  };
}

let written: string | undefined;

/** Path of the file that this process wrote, from the working directory. */
export const writtenFile = (): string | undefined => written && relative('', written);

/** Replaces the file atomically, so that it is complete even after a crash. */
export function replaceFile(path: string, results: object): void {
  written = path;
  writeFileSync(`${path}.next`, `${JSON.stringify(results, null, 2)}\n`);
  renameSync(`${path}.next`, path);
}
