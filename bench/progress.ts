const shownSteps = new Set<string>();

/** Shows which step runs on standard error: on one line that changes, or without a terminal on a line for each step. */
export function showStep(step: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${step}`);
  else if (!shownSteps.has(step)) process.stderr.write(`${step}\n`);
  shownSteps.add(step);
}

/** Removes the line of the step. */
export const endStep = (): void => void (process.stderr.isTTY && process.stderr.write('\r\x1b[K'));

/** Progress of a long step on standard error: one line that changes, or a line for each tenth without a terminal. */
export interface Progress {
  readonly show: (done: number) => void;
  /** Removes the line. */
  readonly end: () => void;
}

const MS_PER_SECOND = 1_000;
const TENTHS = 10;

/** Starts the progress of a step that handles `total` things, of which `done` need no work. */
export function createProgress(title: string, total: number, done = 0): Progress {
  const startedAt = performance.now();
  const { isTTY } = process.stderr;
  let shownTenths = Math.floor((TENTHS * done) / total);
  return {
    show(now_done) {
      const seconds = (performance.now() - startedAt) / MS_PER_SECOND;
      const text = progressText(title, { done: now_done, total, begun: done, seconds });
      const tenths = Math.floor((TENTHS * now_done) / total);
      if (isTTY) process.stderr.write(`\r\x1b[K${text}`);
      else if (tenths > shownTenths) process.stderr.write(`${text}\n`);
      shownTenths = tenths;
    },
    end: endStep,
  };
}

interface Advance {
  readonly done: number;
  readonly total: number;
  /** Number that was done when the step began. */
  readonly begun: number;
  /** Since the step began. */
  readonly seconds: number;
}

/** A line such as "storing payments: 50,000 of 1,000,000, 9,812 a second, 97 s left". */
export function progressText(title: string, { done, total, begun, seconds }: Advance): string {
  const rate = (done - begun) / seconds;
  const left = Math.ceil((total - done) / rate);
  return `${title}: ${grouped(done)} of ${grouped(total)}, ${grouped(Math.round(rate))} a second, ${left} s left`;
}

export const grouped = (number: number): string => number.toLocaleString('en-US');

/** A number with its noun, such as "1 round" or "3 rounds". */
export const countOf = (count: number, noun: string): string =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
