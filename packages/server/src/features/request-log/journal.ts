import { setImmediate as turn } from 'node:timers/promises';
import { isPassingError } from '../../platform/concurrency/batcher.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Logger } from '../../platform/logger.ts';
import { prefixOf } from '../../platform/rates/network-of.ts';
import { createQuota } from '../../platform/rates/quota.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Redactor } from './redact.ts';
import type { AddressRedactor } from './redact-address.ts';
import { isClean } from './shown.ts';

/** A finished request with its bodies, which are redacted before they are stored. */
export interface LoggedRequest {
  readonly scope: Scope;
  readonly token_id: string;
  readonly method: string;
  /** Route pattern. */
  readonly route: string;
  /** Path and query. */
  readonly url: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly request_id: string;
  readonly has_idempotency_key: boolean;
  readonly user_agent: string | undefined;
  /** Address of the client, of which only the network is stored. */
  readonly ip: string;
  readonly request_body: Buffer | undefined;
  readonly response_body: Buffer | undefined;
  readonly at: Micros;
}

/**
 * Buffers requests in memory and stores them in batches, so that no request waits for its log
 * entry.
 */
export interface Journal {
  /** Never waits and never throws. Drops the request if the buffer is full. */
  append(request: LoggedRequest): void;
  /** Stores the remaining requests. */
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly redact: Redactor;
  readonly address: AddressRedactor;
  readonly store: (rows: readonly Row[]) => Promise<void>;
  readonly logger: Logger;
  readonly monotonic_ms: () => number;
  /** Called with the number of dropped requests. */
  readonly dropped: (count: number) => void;
}

/** Milliseconds for which a batch gathers requests. */
const GATHER_MS = 300;
const QUEUE_MAX = 1_000;
const QUEUE_BYTES_MAX = 16 * 1024 * 1024;
/** Requests per statement. */
const BATCH_MAX = 50;
/**
 * Stored requests per merchant and mode: a burst of 90, then 30 per second. Busier merchants are
 * sampled.
 */
const STORED_QUOTA = { requests: 90, seconds: 3 };
const USER_AGENT_LENGTH_MAX = 200;

export function createJournal(options: JournalOptions): Journal {
  const { dropped, monotonic_ms } = options;
  const state: State = { queue: [], bytes: 0, timer: undefined, storing: undefined };
  const quota = createQuota({ ...STORED_QUOTA, monotonic_ms });
  const startStoring = (): void => {
    state.timer = undefined;
    state.storing = storeAll(options, state).finally(() => {
      state.storing = undefined;
    });
  };
  return {
    append(request) {
      const size = sizeOf(request);
      const isFull = state.queue.length >= QUEUE_MAX || state.bytes + size > QUEUE_BYTES_MAX;
      if (isFull || !quota.take(shareOf(request)).granted) {
        dropped(1);
        return;
      }
      state.queue.push(request);
      state.bytes += size;
      if (!state.storing) state.timer ??= setTimeout(startStoring, GATHER_MS);
    },
    async close() {
      clearTimeout(state.timer);
      await state.storing;
      await storeAll(options, state);
    },
  };
}

interface State {
  queue: LoggedRequest[];
  bytes: number;
  timer: NodeJS.Timeout | undefined;
  storing: Promise<void> | undefined;
}

const sizeOf = ({ request_body, response_body }: LoggedRequest): number =>
  (request_body?.length ?? 0) + (response_body?.length ?? 0);

/**
 * Key of the sampling limit. Refused requests have their own limit, so that successful requests do
 * not displace them.
 */
const shareOf = ({ scope: { merchant_id, mode }, status }: LoggedRequest): string =>
  `${merchant_id} ${mode} ${status >= 400}`;

/** Stores the queue in batches; other work of the process runs in between. */
async function storeAll(options: JournalOptions, state: State): Promise<void> {
  while (state.queue.length > 0) {
    const batch = state.queue.splice(0, BATCH_MAX);
    state.bytes -= batch.reduce((sum, request) => sum + sizeOf(request), 0);
    await storeBatch(options, batch);
    await turn();
  }
}

async function storeBatch(options: JournalOptions, batch: readonly LoggedRequest[]): Promise<void> {
  const rows: Row[] = [];
  for (const request of batch) {
    try {
      rows.push(rowOf(options, request));
    } catch (error) {
      countDropped(options, error, 1);
    }
    await turn();
  }
  await storeRows(options, rows);
}

/**
 * After a failed batch, stores its rows one by one, so that one bad row does not drop the others.
 */
async function storeRows(options: JournalOptions, rows: readonly Row[]): Promise<void> {
  try {
    await options.store(rows);
  } catch (error) {
    if (rows.length === 1 || isPassingError(error))
      return countDropped(options, error, rows.length);
    for (const row of rows) await storeRows(options, [row]);
  }
}

function countDropped({ dropped, logger }: JournalOptions, error: unknown, count: number): void {
  dropped(count);
  logger.warn(
    { err: { code: (error as { code?: string }).code }, count },
    'request log entries not stored',
  );
}

function rowOf({ redact, address }: JournalOptions, request: LoggedRequest): Row {
  const [path = '', query = ''] = request.url.split(/\?(.*)/s);
  const response_body = redact(request.response_body);
  return {
    merchant_id: request.scope.merchant_id,
    mode: request.scope.mode,
    id: uuidv7(request.at),
    method: request.method,
    route: request.route,
    path: address.path(path),
    query: address.query(query),
    status_code: String(request.status),
    error_codes: JSON.stringify(request.status >= 400 ? codesOf(response_body) : []),
    duration_ms: String(Math.round(request.duration_ms)),
    request_id: isClean(request.request_id) ? request.request_id : uuidv7(request.at),
    idempotency_key_sent: String(request.has_idempotency_key),
    user_agent: programOf(request.user_agent),
    ip_prefix: prefixOf(request.ip) ?? null,
    request_body: redact(request.request_body),
    response_body,
    merchant_token_id: request.token_id,
    created_at: instantText(request.at),
  };
}

/** Codes of the errors in a JSON:API document. */
function codesOf(text: string | null): string[] {
  const { errors } = JSON.parse(text ?? '{}') as { errors?: unknown };
  const listed = Array.isArray(errors) ? (errors as { code?: unknown }[]) : [];
  return [...new Set(listed.flatMap(({ code }) => (typeof code === 'string' ? [code] : [])))];
}

function programOf(user_agent = ''): string | null {
  const text = user_agent.slice(0, USER_AGENT_LENGTH_MAX);
  return text !== '' && isClean(text) ? text : null;
}
