import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_SCHEMA } from '@florin/contract/database/address.ts';
import type { Db } from '../database/db.ts';
import type { Logger } from '../logger.ts';
import { createSignal, type Signal } from './signal.ts';

/** Shortest time between two notifications of a process: a busy process sends 50 a second at most. */
const PUBLISH_INTERVAL_MS = 20;

/**
 * Channel of a work loop. Notifications carry no data: the loop finds the rows itself. Other schemas of the database have
 * other channels.
 */
export const channelOf = (loop: string, schema: string): string =>
  schema === DEFAULT_SCHEMA ? `florin_${loop}` : `florin_${schema}_${loop}`;

/** Wakes work loops of other processes. */
export interface WakePublisher extends AsyncDisposable {
  /** Wakes the loop soon. Wakes of the same moment share one statement. */
  publish(loop: string): void;
}

/** Creates the publisher of a process that runs no work loops. Disposal sends the last wakes. */
export function createWakePublisher(db: Db, schema: string, logger: Logger): WakePublisher {
  const waiting = new Set<string>();
  let sending: Promise<void> | undefined;

  async function send(): Promise<void> {
    while (waiting.size > 0) {
      const loops = [...waiting];
      waiting.clear();
      await notify(
        db,
        loops.map((loop) => channelOf(loop, schema)),
      ).catch((error: Error) =>
        // The loops find the work at their next poll.
        logger.debug({ err: { message: error.message } }, 'wake not published'),
      );
      await sleep(PUBLISH_INTERVAL_MS);
    }
    sending = undefined;
  }

  return {
    publish(loop) {
      waiting.add(loop);
      // In a later turn, so that all wakes of one change are sent together.
      sending ??= new Promise((resolve) => setImmediate(resolve)).then(send);
    },
    [Symbol.asyncDispose]: async () => sending,
  };
}

/** The commit waits for no disk: after a crash of the database, the loops find the work themselves. */
const notify = (db: Db, channels: readonly string[]): Promise<unknown> =>
  db.query(
    `select set_config('synchronous_commit', 'off', true), pg_notify(channel, '')
     from unnest($1::text[]) channel`,
    [channels],
    'publish_wakes',
  );

/** Creates a signal that also wakes the loop in other processes. */
export function createPublishedSignal(loop: string, { publish }: WakePublisher): Signal {
  const signal = createSignal();
  signal.listen(() => publish(loop));
  return signal;
}
