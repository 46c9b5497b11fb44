import { problem } from '@florin/contract/errors.ts';
import type { RequestContext } from '../../../jsonapi/behaviour.ts';
import { hasPermission } from '../../../jsonapi/permissions.ts';
import type { Caller } from '../../../platform/caller.ts';
import { isTrue, type Row } from '../../../platform/database/row.ts';
import { liveFactorNeeded } from '../access/factor-rule.ts';
import type { Member } from '../sql/members.ts';

type Requester = Pick<RequestContext, 'permissions' | 'scope'>;

/**
 * Throws `forbidden` (403) for the opener's membership, and for memberships with permissions that
 * the caller lacks. Sandbox callers may not change memberships that apply to live mode.
 */
export function requireReach(ctx: Requester, membership: Row): void {
  if (isTrue(membership.opener)) throw openersProblem();
  if (ctx.scope.mode === 'sandbox' && membership.invited_mode !== 'sandbox') throw liveProblem();
  const slugs = JSON.parse(membership.permissions ?? '[]') as string[];
  const missingSlug = slugs.find((slug) => !hasPermission(ctx, slug));
  if (missingSlug !== undefined) throw beyondRightsProblem(missingSlug);
}

/** Throws `forbidden` (403) if a member without live permissions would change settings that live mode shares. */
export function requireLive({
  sandbox_only,
  lacks_factor,
}: Pick<Member, 'sandbox_only' | 'lacks_factor'>): void {
  if (lacks_factor) throw liveFactorNeeded();
  if (!sandbox_only) return;
  throw problem(
    'forbidden',
    'Your membership is limited to the sandbox, and this member also has live mode. Ask a member with live mode.',
  );
}

/**
 * Throws 403 for callers who may not change what both modes share: sandbox keys, and members without live permissions.
 * `attribute`: name of a shared attribute that the caller would change; absent if all of the record is shared.
 */
export function requireLiveRights(caller: Caller | Member, attribute?: string): void {
  if ('person' in caller) {
    requireLive(caller);
    return;
  }
  if (caller.scope.mode === 'live') return;
  throw problem(
    'live_rights_required',
    `${attribute ?? 'This record'} is the same in both modes. Use a live key, or sign in as a member with live mode.`,
    attribute === undefined ? undefined : { pointer: `/data/attributes/${attribute}` },
  );
}

/** Throws `invalid_state` (405) if the membership was removed. */
export function requireNotRemoved(membership: Row): void {
  if (!isRemoved(membership)) return;
  throw problem(
    'invalid_state',
    'The membership was removed. Invite the person again.',
    undefined,
    {
      meta: { allowed_actions: [] },
    },
  );
}

export const isRemoved = ({ removed_at }: Row): boolean => removed_at != null;

/** Throws `invalid_state` (405) if the invitation was accepted. */
export function requireOpen({ accepted_at }: Row): void {
  if (accepted_at == null) return;
  throw problem('invalid_state', 'The person has already accepted the invitation.', undefined, {
    meta: { allowed_actions: ['remove'] },
  });
}

const openersProblem = () =>
  problem(
    'forbidden',
    'The account that opened the merchant stays a member and cannot be removed.',
  );

const liveProblem = () =>
  problem('forbidden', 'This membership includes live mode. Change it in live mode.');

const beyondRightsProblem = (required_permission: string) =>
  problem(
    'forbidden',
    `This membership has the permission ${required_permission}, which you lack. Ask a member who has it.`,
    undefined,
    { meta: { required_permission } },
  );
