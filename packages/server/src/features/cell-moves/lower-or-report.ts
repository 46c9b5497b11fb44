import type { Db } from '../../platform/database/db.ts';
import { lowerFence } from './sql/fence.ts';

export interface LowerDeps {
  readonly print: (line: string) => void;
  /** Longest wait for busy tables. */
  readonly settle_ms?: number;
}

/** Takes the triggers of a move away, and says so if a busy table keeps its own. */
export async function lowerOrReport(cell: Db, { print, settle_ms }: LowerDeps): Promise<void> {
  if (await lowerFence(cell, settle_ms)) return;
  print(
    'Triggers of the move stay in the source, because a table is busy. The next move takes them away.',
  );
}
