import { createLru } from '@florin/contract/lru.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHook } from '../../../http/hook.ts';
import type { Db } from '../../../platform/database/db.ts';
import { isUuid, uuidv7 } from '../../../platform/ids.ts';
import { type Clock, instantText } from '../../../platform/time/clock.ts';
import { isAboutAccess, isRead, logAccess, logAttempt } from '../accounts/access-log.ts';
import { finishAuditEntries, insertAuditEntries } from '../audit/sql.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Ids of the audit entries that this request has stored. */
    audit_ids: readonly string[] | undefined;
    /** Account of a failed sign-in. */
    account_tried: string | undefined;
    /** Logs an operator's read of a merchant, once in ten minutes for each person, merchant and address. */
    logRead(read: OperatorRead): Promise<void>;
  }
}

/** Person or API key that acts, with merchant and mode if the action concerns them. */
export interface Actor {
  readonly account_id?: string | undefined;
  readonly merchant_token_id?: string | undefined;
  readonly merchant_id?: string | undefined;
  readonly mode?: 'live' | 'sandbox' | undefined;
}

/** A read with the rights of an operator. */
export interface OperatorRead {
  readonly account_id: string;
  /** Absent for reads about several merchants. */
  readonly merchant_id?: string;
}

export interface AuditOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** Person or key of a request; undefined for requests that are not logged. */
  readonly actorOf: (request: FastifyRequest) => Actor | undefined;
  readonly monotonic_ms: () => number;
}

/** Logs sign-ins. Their requests have no session yet. */
export interface AuditLog {
  /** Stores an entry for the account before its session opens. */
  begin(request: FastifyRequest, account_id: string): Promise<void>;
  /**
   * Records a failed sign-in after the response, so that the response time does not reveal whether
   * the account exists.
   */
  refuse(request: FastifyRequest, account_id: string): void;
}

/**
 * Logs every write of a person, some of API keys, and some reads. Stores the entry before the write begins; if the process dies, the
 * entry has no outcome.
 */
export function registerAuditLog(fastify: FastifyInstance, options: AuditOptions): AuditLog {
  const { db, clock, actorOf, monotonic_ms } = options;
  const reads = createReadFilter(monotonic_ms);
  fastify.decorateRequest('audit_ids', undefined);
  fastify.decorateRequest('account_tried', undefined);
  fastify.decorateRequest('logRead', async function (this: FastifyRequest, read: OperatorRead) {
    if (!reads.isNew(this, read)) return;
    this.audit_ids = await insertOne(
      options,
      this,
      { account_id: read.account_id },
      read.merchant_id,
    );
    // After the entry: a read without one must not count as logged.
    reads.add(this, read);
  });
  const noteRequest = (request: FastifyRequest, account_id: string) =>
    logAccess(db, clock, { account_id, action: actionOf(request), ip: request.ip });
  async function noteWrite(request: FastifyRequest, actor: Actor): Promise<void> {
    const { account_id, merchant_id } = actor;
    const isAccess = merchant_id === undefined && isAboutAccess(actionOf(request));
    request.audit_ids =
      isAccess && account_id
        ? await noteRequest(request, account_id)
        : await insertOne(options, request, actor);
  }
  fastify.addHook(
    'preHandler',
    createHook((request) => {
      const actor = isWrite(request) ? actorOf(request) : undefined;
      return actor && noteWrite(request, actor);
    }),
  );
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (request.audit_ids === undefined) return done();
    const outcome = { outcome: reply.statusCode, record_id: madeBy(reply) };
    // The response reports a finished write, so it is sent even if the log entry stays without an
    // outcome.
    finishAuditEntries(db, request.audit_ids, outcome).then(
      () => done(),
      () => done(),
    );
  });
  fastify.addHook(
    'onResponse',
    createHook((request, reply) => {
      const { account_tried, log } = request;
      if (account_tried === undefined) return undefined;
      const attempt = { account_id: account_tried, action: actionOf(request), ip: request.ip };
      const entry = { ...attempt, outcome: reply.statusCode };
      return logAttempt(db, clock, entry).catch(({ message }: Error) =>
        log.error({ err: { message } }, 'failed sign-in not recorded in the audit log'),
      );
    }),
  );
  return {
    async begin(request, account_id) {
      // Skips the entry if the log already has this account as actor. The browser's previous
      // session may belong to another person.
      if (request.audit_ids && actorOf(request)?.account_id === account_id) return;
      const auditIds = request.audit_ids ?? [];
      request.audit_ids = [...auditIds, ...(await noteRequest(request, account_id))];
    },
    refuse(request, account_id) {
      request.account_tried = account_id;
    },
  };
}

async function insertOne(
  { db, clock }: AuditOptions,
  request: FastifyRequest,
  actor: Actor,
  readMerchant?: string,
): Promise<readonly string[]> {
  const id = uuidv7(clock.now());
  const { ip } = request;
  const at = instantText(clock.now());
  const record_id = recordOf(request) ?? readMerchant;
  const entry = { id, ...actor, action: actionOf(request), record_id, ip, at };
  await insertAuditEntries(db, [entry]);
  return [id];
}

/** Milliseconds in which the same read is logged once: pages read again while they are open. */
const REPEATED_MS = 10 * 60_000;
/** Maximum number of remembered reads. An evicted read is logged again. */
const REMEMBERED_MAX = 10_000;

/** Remembers logged reads. `isNew` is whether a read was not logged in the last ten minutes. */
function createReadFilter(monotonic_ms: () => number) {
  const logged = createLru<number>(REMEMBERED_MAX);
  const keyOf = ({ url }: FastifyRequest, { account_id, merchant_id }: OperatorRead): string =>
    JSON.stringify([account_id, merchant_id, url]);
  return {
    isNew(request: FastifyRequest, read: OperatorRead): boolean {
      const at = logged.get(keyOf(request, read));
      return at === undefined || monotonic_ms() - at >= REPEATED_MS;
    },
    add: (request: FastifyRequest, read: OperatorRead): void =>
      logged.set(keyOf(request, read), monotonic_ms()),
  };
}

const isWrite = (request: FastifyRequest): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(request.method) && !isRead(actionOf(request));

/** Method and route without parameters, such as `PATCH /v2/customers/:id`. */
export const actionOf = ({ method, routeOptions }: FastifyRequest): string =>
  `${method} ${routeOptions.url ?? ''}`;

function recordOf({ params }: FastifyRequest): string | undefined {
  const { id, merchant } = (params ?? {}) as { readonly id?: string; readonly merchant?: string };
  return [id, merchant].find((value) => value !== undefined && isUuid(value));
}

/** Id of the created record, from the response's `Location` header. */
function madeBy(reply: FastifyReply): string | undefined {
  const id = String(reply.getHeader('location') ?? '')
    .split('/')
    .at(-1);
  return id && isUuid(id) ? id : undefined;
}
