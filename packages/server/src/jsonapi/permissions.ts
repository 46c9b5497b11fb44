import { problem } from '@florin/contract/errors.ts';
import type { RequestContext } from './behaviour.ts';
import type { Model } from './model.ts';

/** `fetch` reads one record by its id; whoever may `read` may also list. */
type Access = 'fetch' | 'read' | 'create' | 'update';

/** Throws `forbidden` (403) unless the caller holds the permission for the type. */
export function requirePermission(ctx: RequestContext, model: Model, access: Access): void {
  if (ctx.permissions === 'all') return;
  const prefix = `${model.resource.group}.${model.type}`;
  if (ctx.permissions.has(`${prefix}.${access}`)) return;
  if (access === 'fetch' && ctx.permissions.has(`${prefix}.read`)) return;
  throw problem('forbidden', `Token does not have permission to access ${model.type}.`);
}
