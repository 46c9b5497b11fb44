import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, instantText } from '../../kernel/clock.ts';
import { isUuid, uuidv7 } from '../../kernel/ids.ts';
import { concludeAuditEntry, insertAuditEntry } from '../../store/audit.ts';
import type { Db } from '../../store/db.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The entry of the log that was begun for it. */
    audit_id: string | undefined;
  }
}

/** Who does something, and for which merchant. */
export interface Actor {
  readonly account_id: string;
  readonly merchant_id?: string | undefined;
  readonly mode?: 'live' | 'sandbox' | undefined;
}

export interface AuditOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** The person who asks; undefined where none does. */
  readonly actorOf: (request: FastifyRequest) => Actor | undefined;
}

/**
 * Logs every write of a person. The entry is stored before the write is begun: one whose process dies has an entry without
 * an outcome.
 */
export function registerAuditLog(fastify: FastifyInstance, options: AuditOptions): void {
  const { db, clock, actorOf } = options;
  fastify.decorateRequest('audit_id', undefined);
  fastify.addHook('preHandler', async (request) => {
    const actor = isWrite(request) ? actorOf(request) : undefined;
    if (!actor) return;
    request.audit_id = uuidv7(clock.now());
    await insertAuditEntry(db, {
      id: request.audit_id,
      ...actor,
      action: actionOf(request),
      record_id: recordOf(request),
      ip: request.ip,
      at: instantText(clock.now()),
    });
  });
  fastify.addHook('onSend', async (request, reply) => {
    if (request.audit_id === undefined) return;
    const outcome = { outcome: reply.statusCode, record_id: madeBy(reply) };
    // What was done is done, and is said so even where the log cannot be told.
    await concludeAuditEntry(db, request.audit_id, outcome).catch(() => undefined);
  });
}

const isWrite = ({ method }: FastifyRequest): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(method);

/** Without what was sent in its place: `PATCH /v2/customers/:id`. */
export const actionOf = ({ method, routeOptions }: FastifyRequest): string =>
  `${method} ${routeOptions.url ?? ''}`;

function recordOf({ params }: FastifyRequest): string | undefined {
  const { id } = (params ?? {}) as { readonly id?: string };
  return id !== undefined && isUuid(id) ? id : undefined;
}

/** The record that an answer says was made. */
function madeBy(reply: FastifyReply): string | undefined {
  const id = String(reply.getHeader('location') ?? '')
    .split('/')
    .at(-1);
  return id && isUuid(id) ? id : undefined;
}
