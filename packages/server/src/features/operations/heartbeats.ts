import { hostname } from 'node:os';
import { maskCards } from '@florin/contract/card/scan.ts';
import { storable } from '../../jsonapi/values/text.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import {
  endHeartbeats,
  GONE_SECONDS,
  type Heartbeat,
  pruneHeartbeats,
  replaceHeartbeats,
  storeHeartbeats,
} from '../../platform/workers/heartbeats.ts';
import type { Pulse } from '../../platform/workers/pulses.ts';
import type { Services } from '../../services.ts';

/** Time without a finished step, beyond its poll interval, after which a loop is late. */
export const LATE_SECONDS = 60;
/** How long a crashed process stays listed. */
export const GONE_TOLD_SECONDS = 24 * 60 * 60;
const ERROR_MAX = 300;

/** Status of a work loop: `failing` if its last step failed, `gone` if its process crashed. */
export type LoopState = 'beating' | 'failing' | 'late' | 'gone';

/** Heartbeat of this process. */
export interface Heart {
  /** Replaces crashed processes of this host, so that repeated crashes do not fill the list. */
  start(): Promise<void>;
  beat(): Promise<void>;
  /** Deletes the heartbeat at a normal end. */
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

/** Status of a loop at `now`, by its process's last heartbeat. */
export function loopStateOf(row: Row, now: Micros): LoopState {
  if (microsOf(row.seen_at as string) + seconds(GONE_SECONDS) < now) return 'gone';
  const since = microsOf((row.stepped_at ?? row.started_at) as string);
  const patience = seconds(LATE_SECONDS) + Number(row.poll_ms) * 1_000;
  if (since + patience < now) return 'late';
  return row.error == null ? 'beating' : 'failing';
}

/** Prunes heartbeats of long crashed processes. Returns how many rows. */
export const pruneGone = (db: Db, now: Micros, limit: number): Promise<number> =>
  pruneHeartbeats(db, instantText(now - seconds(GONE_TOLD_SECONDS)), limit);
