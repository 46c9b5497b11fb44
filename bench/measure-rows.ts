import type { Measurement, Row } from './row.ts';
import type { Testbed } from './testbed.ts';

export interface Rounds {
  readonly rounds: number;
  /** Seconds of each row in a round. */
  readonly seconds: number;
}

/** Connections keep the plans that they made for empty tables for 10 seconds, see `PLANS_CACHED_MS` of the server. */
export const WARM_UP_SECONDS = 12;
/** Seconds of each row in a round of the warm-up. */
const WARM_UP_ROW_SECONDS = 1;

/** Figures of the rows as they come. */
export interface Listener {
  /** A row begins; `stage` is the warm-up or a round. */
  onStart(stage: string, row: Row): void;
  onFigure(row: Row, measured: number | Measurement): void;
}

/** Measures the rows one after another, in rounds after a warm-up. Skips those that this machine cannot run. */
export async function measureRows(
  testbed: Testbed,
  rows: readonly Row[],
  { rounds, seconds }: Rounds,
  { onStart, onFigure }: Listener,
): Promise<void> {
  const runnable = rows.filter(({ isInstalled }) => isInstalled?.() !== false);
  const warmedAt = performance.now() + WARM_UP_SECONDS * 1_000;
  do {
    for (const row of runnable) {
      onStart('warm-up', row);
      await row.measure(testbed, WARM_UP_ROW_SECONDS);
    }
  } while (performance.now() < warmedAt);
  for (let round = 1; round <= rounds; round++) {
    for (const row of runnable) {
      onStart(`round ${round} of ${rounds}`, row);
      onFigure(row, await row.measure(testbed, seconds));
    }
  }
}

/** Shows which row runs, on one line of standard error that changes. */
export function showRow(stage: string, { name }: Row): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${stage}: ${name}`);
}

export const endShownRow = (): void =>
  void (process.stderr.isTTY && process.stderr.write('\r\x1b[K'));
