import type { PaymentActor } from '@florin/contract/payment-actors.ts';
import type { FastifyInstance } from 'fastify';
import { isoOf } from '../../http/page-cursor.ts';
import { requirePermission } from '../../jsonapi/permissions.ts';
import { notFound } from '../../jsonapi/problems.ts';
import { idOf } from '../../jsonapi/request.ts';
import type { Row } from '../../platform/database/row.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Services } from '../../services.ts';
import { memberContext } from '../people/dashboard/member-context.ts';
import { createFinder, type Finder } from '../search/finder.ts';
import { findRecordIds, keyActorsSql, memberActorsSql } from './sql.ts';

/**
 * `GET /dashboard/api/payments/<id>/actors`: members and API keys that made or changed a payment and its captures,
 * refunds and disputes. Readers of payments see the members' names. Email addresses need `memberships.read`, and names
 * of keys need `merchant_tokens.read`.
 */
export function registerPaymentActors(fastify: FastifyInstance, services: Services): void {
  const { models, reads } = services;
  fastify.get('/dashboard/api/payments/:id/actors', async (request): Promise<PaymentActor[]> => {
    const ctx = await memberContext(services, request, { type: 'payment_demands' });
    requirePermission(ctx, models.get('payment_demands'), 'read');
    const id = idOf(request);
    const ids = isUuid(id) ? await findRecordIds(reads, ctx.scope, id) : [];
    if (ids.length === 0) throw notFound();
    return actorsOf(createFinder(services, ctx), ids);
  });
}

async function actorsOf({ mayRead, run }: Finder, ids: readonly string[]): Promise<PaymentActor[]> {
  const members = await run('member_actors', memberActorsSql, [ids]);
  const keys = await run('key_actors', keyActorsSql, [ids]);
  const [showsEmail, showsKey] = [mayRead('memberships'), mayRead('merchant_tokens')];
  return [
    ...members.map((row) => actorOf('member', row, row.name || (showsEmail ? row.email : null))),
    ...keys.map((row) => actorOf('api_key', row, showsKey ? row.name : null)),
  ];
}

const actorOf = (
  kind: PaymentActor['kind'],
  { record_id, action, at }: Row,
  name: string | null | undefined,
): PaymentActor => ({
  record_id: record_id as string,
  action: action as string,
  kind,
  name: name ?? null,
  at: isoOf(at) as string,
});
