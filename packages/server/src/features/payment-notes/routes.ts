import {
  NOTE_CHARS_MAX,
  NOTES_MAX,
  type PaymentNote,
  type PaymentNotes,
} from '@florin/contract/payment-notes.ts';
import { permissionSlug } from '@florin/contract/permissions.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readBody, text } from '../../http/body.ts';
import { isoOf } from '../../http/page-cursor.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { hasPermission, requirePermission } from '../../jsonapi/permissions.ts';
import { notFound } from '../../jsonapi/problems.ts';
import { idOf } from '../../jsonapi/request.ts';
import type { Signer } from '../../platform/crypto/signer.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Services } from '../../services.ts';
import { accountRequestOf, sendCreated } from '../people/dashboard/account-request.ts';
import { personOf } from '../people/dashboard/api.ts';
import { memberContext } from '../people/dashboard/member-context.ts';
import { deleteNote } from './delete-note.ts';
import { findMentionable } from './mentionable.ts';
import { listNotes } from './sql.ts';
import { writeNote } from './write-note.ts';

const URL = '/dashboard/api/payments/:id/notes';

/**
 * Notes about a payment. Readers of payments read them, people who may create refunds write them, and authors delete
 * their own.
 */
export function registerPaymentNotes(
  fastify: FastifyInstance,
  services: Services,
  signer: Signer,
): void {
  fastify.get(URL, async (request) => readNotes(services, request));
  fastify.post(URL, async (request, reply) => {
    const { ctx, payment_id } = await writerRequest(services, request);
    const members = readBody(request.body, { text: text(NOTE_CHARS_MAX) });
    const content = { ...ctx.scope, payment_id, ...members };
    const { system_clock } = services;
    const { account } = personOf(request);
    const created = await writeNote(services, {
      scope: ctx.scope,
      payment_id,
      account_id: account.id,
      author: account.name || account.email,
      text: members.text,
      request: accountRequestOf({ signer, system_clock }, request, content),
    });
    const location = `/dashboard/api/payments/${payment_id}/notes/${created.id}`;
    return sendCreated(reply, created, location).send({ id: created.id });
  });
  fastify.delete<{ Params: { note: string } }>(`${URL}/:note`, async (request, reply) => {
    const { ctx, payment_id } = await writerRequest(services, request);
    const { note: id } = request.params;
    const account_id = personOf(request).account.id;
    const isDeleted =
      isUuid(id) && (await deleteNote(services.db, ctx.scope, { payment_id, id, account_id }));
    if (!isDeleted) throw notFound();
    return reply.status(204).send();
  });
}

async function readNotes(services: Services, request: FastifyRequest): Promise<PaymentNotes> {
  const { reads } = services;
  const { ctx, payment_id } = await readerRequest(services, request);
  if (!(await findRow(reads, 'payment_demands', ctx.scope, payment_id))) throw notFound();
  const rows = await listNotes(reads, ctx.scope, payment_id, NOTES_MAX);
  const { id } = personOf(request).account;
  const members = mayWrite(services, ctx) ? await findMentionable(reads, ctx.scope) : [];
  return {
    notes: rows.map((row) => noteView(row, id)),
    mentionable: [...new Set(members.map(({ label }) => label))],
  };
}

const noteView = (row: Row, reader_id: string): PaymentNote => ({
  id: row.id as string,
  text: row.body as string,
  author: row.author as string,
  is_own: row.account_id === reader_id,
  created_at: isoOf(row.created_at) as string,
});

const mayWrite = ({ models }: Services, ctx: RequestContext): boolean =>
  hasPermission(ctx, permissionSlug(models.get('refund_demands').resource, 'create'));

async function readerRequest(services: Services, request: FastifyRequest) {
  const ctx = await memberContext(services, request, { type: 'payment_demands' });
  requirePermission(ctx, services.models.get('payment_demands'), 'read');
  const payment_id = idOf(request);
  if (!isUuid(payment_id)) throw notFound();
  return { ctx, payment_id };
}

async function writerRequest(services: Services, request: FastifyRequest) {
  const found = await readerRequest(services, request);
  requirePermission(found.ctx, services.models.get('refund_demands'), 'create');
  return found;
}
