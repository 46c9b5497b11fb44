import { setTimeout as sleep } from 'node:timers/promises';
import { readTarget } from '../backup/backup-target.ts';
import { readBackupKey } from '../backup/keys/backup-key.ts';
import { openToWrite } from '../backup/repository.ts';
import { shipLog } from '../backup/ship-log.ts';
import { withClient } from '../database/client.ts';
import { describeFailure, PlainFailure } from '../kernel/plain-failure.ts';
import type { Postgres } from '../postgres/start-postgres.ts';
import type { Service } from './slot.ts';

/** Time between two shipments: what a lost machine loses at most, in milliseconds. */
const PAUSE_MS = 60_000;

interface Shipping {
  readonly postgres: Postgres;
  readonly dataDir: string;
  readonly print: (sentence: string) => void;
  /** Milliseconds between two shipments. */
  readonly pause_ms?: number;
}

/** Ships PostgreSQL's log to the backup, from the first backup on. A failure is printed once, and tried again. */
export const logShippingService = (shipping: Shipping): Service => ({
  title: 'The backup',
  start() {
    const stopping = new AbortController();
    const exited = repeat(shipping, stopping.signal);
    const stop = async () => {
      stopping.abort();
      await exited;
    };
    return { ready: Promise.resolve({ type: 'ready' }), exited, stop };
  },
});

async function repeat(
  { postgres, dataDir, print, pause_ms = PAUSE_MS }: Shipping,
  signal: AbortSignal,
): Promise<void> {
  let lastFailure = '';
  do {
    const failure = await ship(postgres, dataDir);
    if (failure && failure !== lastFailure) print(`The backup waits: ${failure}`);
    if (!failure && lastFailure) print('The backup continues.');
    lastFailure = failure;
  } while (await pause(pause_ms, signal));
}

/** Resolves with false once the service stops. */
const pause = (pause_ms: number, signal: AbortSignal): Promise<boolean> =>
  sleep(pause_ms, true, { signal, ref: false }).catch(() => false);

/** Ships once. Returns why it failed, or ''. */
async function ship(postgres: Postgres, dataDir: string): Promise<string> {
  try {
    const target = readTarget(dataDir);
    if (!target) return '';
    const { directory, key_file, repository_id } = target;
    const repository = await openToWrite(directory, readBackupKey(key_file), repository_id);
    await withClient(postgres.url('postgres'), (client) =>
      shipLog({ client, postgres, dataDir, repository }),
    );
    return '';
  } catch (error) {
    return error instanceof PlainFailure ? describeFailure(error) : String(error);
  }
}
