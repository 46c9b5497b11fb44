import { hostname } from 'node:os';
import { maskCards } from '@florin/contract/card/scan.ts';
import { storable } from '../../jsonapi/values/text.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import {
  endHeartbeats,
  forgetHeartbeats,
  GONE_SECONDS,
  type Heartbeat,
  replaceHeartbeats,
  storeHeartbeats,
} from '../../platform/workers/heartbeats.ts';
import type { Pulse } from '../../platform/workers/pulses.ts';
import type { Services } from '../../services.ts';

/** A loop that has finished no step for so long, beyond its poll, is late. */
export const LATE_SECONDS = 60;
/** How long a process that is gone is told of. */
export const GONE_TOLD_SECONDS = 24 * 60 * 60;
const ERROR_MAX = 300;

/** How a work loop is: `failing` where its last step failed, `gone` with its process. */
export type LoopState = 'beating' | 'failing' | 'late' | 'gone';

/** What this process says of its work loops. */
export interface Heart {
  /** It runs in place of what died on this host: a process that dies again and again hides none that lives. */
  start(): Promise<void>;
  beat(): Promise<void>;
  /** It ends as it should, and nobody is to miss it. */
  stop(): Promise<void>;
}

export function createHeart({
  db,
  machine,
  pulses,
  vault,
}: Pick<Services, 'db' | 'machine' | 'pulses' | 'vault'>): Heart {
  const of = { process_id: uuidv7(machine.now()), host: hostname(), pid: process.pid };
  return {
    async start() {
      const before = instantText(machine.now() - seconds(GONE_SECONDS));
      await replaceHeartbeats(db, of.host, before);
    },
    async beat() {
      const seen_at = instantText(machine.now());
      const down = vault.downSince();
      const vault_down_since = down === undefined ? null : instantText(down);
      const own = { ...of, seen_at, vault_down_since };
      const beats = pulses?.all().map((pulse) => ({ ...own, ...beatOf(pulse) })) ?? [];
      await storeHeartbeats(db, beats);
    },
    async stop() {
      await endHeartbeats(db, of.process_id);
    },
  };
}

const beatOf = ({
  loop,
  poll_ms,
  started_at,
  stepped_at,
  error,
  error_at,
}: Pulse): Omit<Heartbeat, 'process_id' | 'host' | 'pid' | 'seen_at' | 'vault_down_since'> => ({
  loop,
  poll_ms,
  started_at: instantText(started_at),
  stepped_at: stepped_at === undefined ? null : instantText(stepped_at),
  error: error === undefined ? null : storable(maskCards(error).slice(0, ERROR_MAX)),
  error_at: error_at === undefined ? null : instantText(error_at),
});

/** How a loop is at `now`, by what its process said last. */
export function loopStateOf(row: Row, now: Micros): LoopState {
  if (microsOf(row.seen_at as string) + seconds(GONE_SECONDS) < now) return 'gone';
  const since = microsOf((row.stepped_at ?? row.started_at) as string);
  const patience = seconds(LATE_SECONDS) + Number(row.poll_ms) * 1_000;
  if (since + patience < now) return 'late';
  return row.error == null ? 'beating' : 'failing';
}

/** Forgets what processes said that are gone for long. Gives how many rows. */
export const forgetGone = (db: Db, now: Micros, limit: number): Promise<number> =>
  forgetHeartbeats(db, instantText(now - seconds(GONE_TOLD_SECONDS)), limit);
