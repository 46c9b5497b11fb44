import { problem } from '@florin/contract/errors.ts';
import { permissionsOf } from '@florin/contract/permissions.ts';
import { resources } from '@florin/contract/resources/index.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { hasPermission } from '../../jsonapi/permissions.ts';
import type { KeyContext } from '../../platform/caller.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf } from '../../platform/time/clock.ts';
import type { Decision } from '../records/updater.ts';
import { keyPermissions } from './sql/callers.ts';
import type { TokenUpdater } from './token-update.ts';

const source = { pointer: '/data/attributes/expiry' };

/**
 * Expiry of a new key: the requested future time, but never later than the expiry of the creating
 * key.
 */
export function expiryOf(
  ctx: RequestContext,
  requestedExpiry: string | null | undefined,
): string | null {
  const ownExpiry = ctx.key?.expiry ?? null;
  if (!requestedExpiry) return ownExpiry;
  if (requestedExpiry <= instantText(ctx.now()))
    throw problem('invalid', 'expiry must be in the future.', source);
  if (ownExpiry === null || requestedExpiry <= ownExpiry) return requestedExpiry;
  throw problem(
    'invalid',
    'expiry must not be later than the expiry of the key that creates this one.',
    source,
    { meta: { latest: ownExpiry } },
  );
}

/** Expires a key now. The caller must have all its permissions. An expired key stays the same. */
export const revokeToken = (update: TokenUpdater, ctx: RequestContext, id: string): Promise<Row> =>
  update(ctx, id, (token, now) => {
    requireHeld(ctx, token, 'revoke');
    return hasExpired(token, now) ? NOTHING : revokeDecision(now);
  });

/**
 * Throws if a key has a permission that the caller lacks. The caller may then neither revoke nor
 * copy the key.
 */
export function requireHeld(
  ctx: RequestContext,
  { context, permissions }: Row,
  action: 'revoke' | 'rotate',
): void {
  const keySlugs = keyPermissions(context as KeyContext, permissions);
  const slugs = keySlugs === 'all' ? permissionsOf(resources).map(({ slug }) => slug) : keySlugs;
  const required_permission = [...slugs].find((slug) => !hasPermission(ctx, slug));
  if (required_permission === undefined) return;
  throw problem(
    'forbidden',
    `The key to ${action} has the permission ${required_permission}. Use a key or member that has it too.`,
    undefined,
    { meta: { required_permission } },
  );
}

/** Whether a key has expired. */
export const hasExpired = ({ expiry }: Row, now: Micros): boolean =>
  !!expiry && microsOf(expiry) <= now;

const NOTHING: Decision = { set: {}, events: [] };

const revokeDecision = (now: Micros): Decision => ({ set: revokedColumns(now), events: [] });

/** Columns of a key that is revoked now. */
export function revokedColumns(now: Micros): Row {
  const at = instantText(now);
  return { expiry: at, revoked_at: at };
}
