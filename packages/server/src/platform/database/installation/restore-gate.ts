import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../logger.ts';
import type { Db } from '../db.ts';
import { factOf } from './installation-facts.ts';

/** Whether this installation was restored from a backup, and is closed until an operator opens it. */
export interface RestoreGate extends AsyncDisposable {
  /** The last moment that the restored database knows, in ISO 8601; undefined while the installation is open. */
  restoredTo(): string | undefined;
  /** Calls `work` once the installation is open: now, or within two seconds after an operator opens it. */
  whenOpen(work: () => void): void;
}

const POLL_MS = 2_000;

/** Reads whether the installation is closed. While it is, asks the database until it is open. */
export async function openRestoreGate({
  db,
  logger,
}: {
  readonly db: Db;
  readonly logger: Logger;
}): Promise<RestoreGate> {
  let restored_to = await factOf(db, 'restored');
  const waiting: (() => void)[] = [];
  const stopping = new AbortController();
  const pause = () => sleep(POLL_MS, true, { signal: stopping.signal }).catch(() => false);

  async function watch(): Promise<void> {
    while (restored_to !== undefined && (await pause()))
      restored_to = await factOf(db, 'restored').catch(() => restored_to);
    if (restored_to !== undefined) return;
    logger.info('the restored installation was opened');
    for (const work of waiting.splice(0)) work();
  }

  const watching = restored_to === undefined ? undefined : watch();
  if (restored_to !== undefined)
    logger.warn({ restored_to }, 'this installation was restored and is closed');
  return {
    restoredTo: () => restored_to,
    whenOpen(work) {
      if (restored_to === undefined) work();
      else waiting.push(work);
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await watching;
    },
  };
}
