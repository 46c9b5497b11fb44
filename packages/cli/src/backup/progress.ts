/** Reports how much of a long step is done, a line every few seconds. */
export interface Progress {
  begin(verb: string, bytes: number): void;
  add(bytes: number): void;
  end(): void;
}

const PAUSE_MS = 2_000;
const MEBIBYTE = 1024 ** 2;

export const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(1)} MiB`;

/** Writes progress to standard error, so that standard output keeps the result alone. */
export function createProgress(
  write: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): Progress {
  let verb = '';
  let total = 0;
  let done = 0;
  let nextReport = 0;
  const report = () => write(`${verb} ${mebibytes(done)} of ${mebibytes(total)}.`);
  return {
    begin(newVerb, bytes) {
      [verb, total, done] = [newVerb, bytes, 0];
      nextReport = performance.now() + PAUSE_MS;
    },
    add(bytes) {
      done += bytes;
      if (performance.now() < nextReport) return;
      nextReport = performance.now() + PAUSE_MS;
      report();
    },
    end: report,
  };
}
