import { hostname } from 'node:os';
import { maskCards } from '@florin/contract/card/scan.ts';
import { SERVER_VERSION } from '../../http/health/process-metrics.ts';
import { storable } from '../../jsonapi/values/text.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import {
  CRASHED_SECONDS,
  endHeartbeats,
  type Heartbeat,
  pruneHeartbeats,
  replaceHeartbeats,
  storeHeartbeats,
} from '../../platform/workers/heartbeats.ts';
import type { LoopStatus } from '../../platform/workers/loop-statuses.ts';
import type { Services } from '../../services.ts';

/** A loop is late after its poll interval plus these seconds without a finished step. */
export const LATE_SECONDS = 60;
/** Seconds for which a crashed process stays listed. */
export const CRASHED_LISTED_SECONDS = 24 * 60 * 60;
const ERROR_MAX = 300;

/** Status of a work loop. `failing`: the last step failed; `gone`: the process crashed. */
export type LoopState = 'beating' | 'failing' | 'late' | 'gone';

export interface ProcessHeartbeat {
  /**
   * Stores the first heartbeat. Replaces those of crashed processes on this host, so that repeated
   * crashes do not fill the list.
   */
  start(): Promise<void>;
  report(): Promise<void>;
  /** Deletes the heartbeat of a process that stops normally. */
  stop(): Promise<void>;
}

export function createProcessHeartbeat({
  db,
  system_clock,
  loop_statuses,
  vault,
  sealer,
}: Pick<Services, 'db' | 'system_clock' | 'loop_statuses' | 'vault' | 'sealer'>): ProcessHeartbeat {
  const identity = { process_id: uuidv7(system_clock.now()), host: hostname(), pid: process.pid };
  return {
    async start() {
      const crashedBefore = instantText(system_clock.now() - seconds(CRASHED_SECONDS));
      await replaceHeartbeats(db, identity.host, crashedBefore);
    },
    async report() {
      const seen_at = instantText(system_clock.now());
      const vaultDownSince = vault.downSince();
      const vault_down_since = vaultDownSince === undefined ? null : instantText(vaultDownSince);
      const program = { version: SERVER_VERSION, seal_keys: sealer.key_fingerprints };
      const heartbeat = { ...identity, seen_at, vault_down_since, ...program };
      const heartbeats =
        loop_statuses?.list().map((status) => ({ ...heartbeat, ...heartbeatRowOf(status) })) ?? [];
      await storeHeartbeats(db, heartbeats);
    },
    async stop() {
      await endHeartbeats(db, identity.process_id);
    },
  };
}

const heartbeatRowOf = ({
  loop,
  poll_ms,
  started_at,
  stepped_at,
  error,
  error_at,
}: LoopStatus): Omit<
  Heartbeat,
  'process_id' | 'host' | 'pid' | 'seen_at' | 'vault_down_since' | 'version' | 'seal_keys'
> => ({
  loop,
  poll_ms,
  started_at: instantText(started_at),
  stepped_at: stepped_at === undefined ? null : instantText(stepped_at),
  error: error === undefined ? null : storable(maskCards(error).slice(0, ERROR_MAX)),
  error_at: error_at === undefined ? null : instantText(error_at),
});

/** Status of a loop at `now`, from the last heartbeat of its process. */
export function loopStateOf(row: Row, now: Micros): LoopState {
  if (microsOf(row.seen_at as string) + seconds(CRASHED_SECONDS) < now) return 'gone';
  const since = microsOf((row.stepped_at ?? row.started_at) as string);
  const allowedMicros = seconds(LATE_SECONDS) + Number(row.poll_ms) * 1_000;
  if (since + allowedMicros < now) return 'late';
  return row.error == null ? 'beating' : 'failing';
}

/** Prunes heartbeats of processes that crashed long ago. Returns the number of deleted rows. */
export const pruneCrashed = (db: Db, now: Micros, limit: number): Promise<number> =>
  pruneHeartbeats(db, instantText(now - seconds(CRASHED_LISTED_SECONDS)), limit);
