import { hash } from 'node:crypto';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Clock } from '../kernel/clock.ts';
import { faultOf, type Log } from '../kernel/logger.ts';
import type { Database } from '../store/db.ts';
import { append } from './audit-store.ts';
import type { UnchainedRow } from './chain.ts';

/** Origin of an action: the server's socket, the operators' socket, or the vault's own schedule. */
export type Actor = 'server' | 'operator' | 'schedule';

/** An action on a card or key, and its outcome. Never contains card data. */
export interface AuditEntry {
  readonly actor: Actor;
  readonly verb: string;
  readonly merchant_id?: string;
  readonly mode?: Mode;
  /** The token, stored as its SHA-256, so that the audit contains no usable token. */
  readonly token?: string;
  readonly outcome: string;
}

/** The database does not take an entry now. The entry stays queued, and the vault tries again every second. */
export class AuditError extends Error {
  override name = 'AuditError';
  readonly fault: string;

  constructor(cause: unknown) {
    super('an audit entry is not written', { cause });
    this.fault = faultOf(cause);
  }
}

export interface Audit extends AsyncDisposable {
  /** Queues an entry for the next batch, within 100 ms. A process that is killed loses the queued entries. */
  enqueue(entry: AuditEntry): void;
  /** Resolves when this entry and all earlier ones are stored. Rejects with `AuditError` if the database refuses them. */
  record(entry: AuditEntry): Promise<void>;
  /** Whether the queue of unwritten entries is short enough to accept further work. */
  isBelowLimit(): boolean;
}

const BATCH_WAIT_MS = 100;
const RETRY_MS = 1_000;
const BATCH_MAX = 1_000;
const QUEUED_ROWS_MAX = 20_000;

export function createAudit(deps: { db: Database; clock: Clock; log: Log }): Audit {
  const { db, clock, log } = deps;
  const unchainedRows: UnchainedRow[] = [];
  let timer: NodeJS.Timeout | undefined;
  let pendingWrite: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    while (unchainedRows.length > 0) {
      const batch = unchainedRows.slice(0, BATCH_MAX);
      await append(db, batch);
      unchainedRows.splice(0, batch.length);
    }
  }

  /** Writes one batch at a time, because each hash includes the previous one. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batchWrite = pendingWrite.then(writeAll);
    pendingWrite = batchWrite.catch((error: unknown) => {
      log({ event: 'audit_not_written', fault: faultOf(error) });
      scheduleFlush(RETRY_MS);
    });
    return batchWrite;
  }

  function scheduleFlush(ms: number): void {
    timer ??= setTimeout(() => flush().catch(() => {}), ms);
  }

  const add = (entry: AuditEntry): void => void unchainedRows.push(rowOf(entry, clock()));

  return {
    enqueue(entry) {
      add(entry);
      scheduleFlush(BATCH_WAIT_MS);
    },
    record(entry) {
      add(entry);
      return flush().catch((cause: unknown) => Promise.reject(new AuditError(cause)));
    },
    isBelowLimit: () => unchainedRows.length < QUEUED_ROWS_MAX,
    async [Symbol.asyncDispose]() {
      await flush().catch(() => {});
      clearTimeout(timer);
    },
  };
}

const rowOf = (
  { actor, verb, merchant_id, mode, token, outcome }: AuditEntry,
  now: number,
): UnchainedRow => ({
  at: new Date(now),
  actor,
  verb,
  merchant_id: merchant_id ?? null,
  mode: mode ?? null,
  token_hash: token === undefined ? null : hash('sha256', token),
  outcome,
});
