import { type ErrorSource, problem } from '@florin/contract/errors.ts';
import { type Access, permissionSlug } from '@florin/contract/permissions.ts';
import type { RequestContext } from './behaviour.ts';
import type { Model } from './model.ts';

/** Whether the caller holds the permission. */
export const hasPermission = (
  { permissions }: Pick<RequestContext, 'permissions'>,
  slug: string,
): boolean => permissions === 'all' || permissions.has(slug);

/**
 * Throws `forbidden` (403) with the missing permission, unless the caller holds it for the type.
 */
export function requirePermission(
  ctx: Pick<RequestContext, 'permissions' | 'key'>,
  model: Model,
  access: Access,
  source?: ErrorSource,
): void {
  if (ctx.permissions === 'all') return;
  const required_permission = permissionSlug(model.resource, access);
  if (ctx.permissions.has(required_permission)) return;
  throw problem(
    'forbidden',
    `Token does not have permission to access ${model.type}. Required: ${required_permission}.`,
    source,
    { meta: { required_permission, ...(ctx.key?.context === 'browser' && { hint: HINT }) } },
  );
}

const HINT =
  'Publishable keys cannot call the API. Send the request from your server, with the secret key.';
