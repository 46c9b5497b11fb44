import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requirePermission } from '../../../jsonapi/permissions.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Services } from '../../../services.ts';
import { personOf } from '../../people/dashboard/api.ts';
import { memberContext } from '../../people/dashboard/member-context.ts';
import type { FormTokens } from '../form-tokens.ts';
import { findMounted, isOpen, type MountedTable } from '../mounted.ts';

interface Options {
  readonly services: Services;
  readonly form_tokens: FormTokens;
}

/** Records for which the dashboard shows the card form, by path. */
const PATHS = {
  payments: 'payment_demands',
  subscriptions: 'payment_subscriptions',
} as const satisfies Record<string, MountedTable>;

/**
 * `POST /dashboard/api/payments/<id>/card-form`, and the same for subscriptions. Makes a key that mounts the card form,
 * for a member who types the card of an absent payer.
 */
export function registerMemberForm(fastify: FastifyInstance, options: Options): void {
  for (const [path, table] of Object.entries(PATHS)) {
    fastify.post<{ Params: { id: string } }>(`/dashboard/api/${path}/:id/card-form`, (request) =>
      makeKey(options, request, { table, id: request.params.id }),
    );
  }
}

async function makeKey(
  { services, form_tokens }: Options,
  request: FastifyRequest,
  { table, id }: { readonly table: MountedTable; readonly id: string },
): Promise<{ readonly key: string }> {
  const { db, models } = services;
  const ctx = await memberContext(services, request, { type: table });
  requirePermission(ctx, models.get(table), 'update');
  const mounted = isUuid(id) ? await findMounted(db, ctx.scope, id) : undefined;
  if (mounted?.table !== table || !isOpen(mounted, {})) throw notFound();
  const holder_id = personOf(request).account.id;
  return {
    key: form_tokens.make({ scope: ctx.scope, payment_id: id, holder_id, by_member: true }),
  };
}
