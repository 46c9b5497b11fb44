import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { requirePermission } from '../../jsonapi/permissions.ts';
import { notFound } from '../../jsonapi/problems.ts';
import { idOf } from '../../jsonapi/request.ts';
import type { Db } from '../../platform/database/db.ts';
import { findRow } from '../../platform/database/rows.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Services } from '../../services.ts';
import { hourOf } from '../emails/receipt-hour.ts';
import { findReceipt } from '../emails/sql.ts';
import { memberContext } from '../people/dashboard/member-context.ts';
import { writeReceiptAgain } from './receipts.ts';

/** Address of a receipt, and whether this request wrote it: a payment has one repeated receipt per hour. */
interface ResentReceipt {
  readonly to_email: string;
  readonly is_new: boolean;
}

/**
 * `POST /dashboard/api/payments/<id>/receipt`: writes the receipt of a succeeded payment again, for people who may
 * create refunds.
 */
export function registerResendReceipt(fastify: FastifyInstance, services: Services): void {
  const { db, models } = services;
  fastify.post('/dashboard/api/payments/:id/receipt', async (request): Promise<ResentReceipt> => {
    const { scope, ...ctx } = await memberContext(services, request, { type: 'payment_demands' });
    requirePermission(ctx, models.get('payment_demands'), 'read');
    requirePermission(ctx, models.get('refund_demands'), 'create');
    const id = idOf(request);
    if (!isUuid(id)) throw notFound();
    return db.transaction((tx) => resendReceipt(services, tx, scope, id));
  });
}

async function resendReceipt(
  services: Services,
  tx: Db,
  scope: Scope,
  id: string,
): Promise<ResentReceipt> {
  const payment = await findRow(tx, 'payment_demands', scope, id);
  if (!payment) throw notFound();
  if (!payment.succeeded_at) throw unpaidProblem();
  const now = services.timelines.of(scope).clock.now();
  const earlier = await findReceipt(tx, scope, id, hourOf(now));
  if (!earlier) await writeReceiptAgain(services, tx, payment, now);
  const receipt = earlier ?? (await findReceipt(tx, scope, id, hourOf(now)));
  if (!receipt) throw addresslessProblem();
  return { to_email: receipt.to_email as string, is_new: !earlier };
}

const unpaidProblem = () =>
  problem('invalid_state', 'Only succeeded payments have a receipt.', undefined, {
    meta: { allowed_actions: [] },
  });

const addresslessProblem = () =>
  problem('blank', 'The payer has no email address. Add one to the customer first.', {
    pointer: '/payer/email',
  });
