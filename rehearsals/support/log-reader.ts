import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A line of a log, with the name of its file. */
export interface LogLine {
  readonly file: string;
  readonly line: string;
}

/** Returns a function that reads the complete lines of all files of a directory since its previous call. */
export function createLogReader(directory: string): () => LogLine[] {
  const read = new Map<string, number>();
  const readLines = (): LogLine[] =>
    readdirSync(directory).flatMap((file) => {
      const text = readFileSync(join(directory, file), 'utf8');
      const begin = read.get(file) ?? 0;
      const end = text.lastIndexOf('\n') + 1;
      read.set(file, Math.max(begin, end));
      return linesOf(text.slice(begin, end)).map((line) => ({ file, line }));
    });
  readLines();
  return readLines;
}

export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
