import type { Measurement, Row } from './row.ts';
import type { Testbed } from './testbed.ts';

export interface Rounds {
  readonly rounds: number;
  /** Seconds of each row in a round. */
  readonly seconds: number;
}

const WARM_UP_SECONDS = 1;

/** Figures of the rows as they come. */
export interface Listener {
  /** A row begins; `stage` is the warm-up or a round. */
  onStart(stage: string, row: Row): void;
  onFigure(row: Row, measured: number | Measurement): void;
}

/** Measures the rows one after another, in rounds after a warm-up. Skips those whose program is not installed. */
export async function measureRows(
  testbed: Testbed,
  rows: readonly Row[],
  { rounds, seconds }: Rounds,
  { onStart, onFigure }: Listener,
): Promise<void> {
  const runnable = rows.filter(({ isInstalled }) => isInstalled?.() !== false);
  for (let round = 0; round <= rounds; round++) {
    for (const row of runnable) {
      onStart(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`, row);
      const measured = await row.measure(testbed, round === 0 ? WARM_UP_SECONDS : seconds);
      if (round > 0) onFigure(row, measured);
    }
  }
}

/** Shows which row runs, on one line of standard error that changes. */
export function showRow(stage: string, { name }: Row): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${stage}: ${name}`);
}

export const endShownRow = (): void =>
  void (process.stderr.isTTY && process.stderr.write('\r\x1b[K'));
