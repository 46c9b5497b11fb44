import { interruption, untilInterrupted } from './interruption.ts';
import { countOf } from './progress.ts';
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
  /** A row failed. Absent: the run ends with the error. */
  onFailure?(row: Row, error: Error): void;
}

/** Measures the rows one after another, in rounds after a warm-up. Skips those that this machine cannot run. */
export async function measureRows(
  testbed: Testbed,
  rows: readonly Row[],
  { rounds, seconds }: Rounds,
  listener: Listener,
): Promise<void> {
  const runnable = rows.filter(({ isInstalled }) => isInstalled?.() !== false);
  const warmedAt = performance.now() + WARM_UP_SECONDS * 1_000;
  do {
    for (const row of runnable)
      await measureRow(row, 'warm-up', listener, () => row.measure(testbed, WARM_UP_ROW_SECONDS));
  } while (performance.now() < warmedAt);
  for (let round = 1; round <= rounds; round++) {
    for (const row of runnable) {
      const stage = `round ${round} of ${rounds}`;
      const figure = await measureRow(row, stage, listener, () => row.measure(testbed, seconds));
      if (figure !== undefined) listener.onFigure(row, figure);
    }
  }
}

/** Undefined if the row failed and the listener takes failures. */
async function measureRow<Result>(
  row: Row,
  stage: string,
  { onStart, onFailure }: Listener,
  measure: () => Promise<Result>,
): Promise<Result | undefined> {
  onStart(stage, row);
  try {
    return await untilInterrupted(measure());
  } catch (error) {
    if (!onFailure || interruption.aborted) throw error;
    onFailure(row, error as Error);
    return undefined;
  }
}

/** A text such as "3 rounds of 5 s". */
export const renderRounds = ({ rounds, seconds }: Rounds): string =>
  `${countOf(rounds, 'round')} of ${seconds} s`;
