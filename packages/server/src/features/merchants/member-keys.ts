import { problem } from '@florin/contract/errors.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { requirePermission } from '../../jsonapi/permissions.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { lockRows, transition } from '../../platform/database/transition.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { findWorkingKeys } from './sql/member-keys.ts';
import { hasExpired, requireHeld, revokedColumns } from './token-life.ts';
import { hashOf } from './token-update.ts';

/** Fate of the working keys of a member who leaves. */
export type KeySettlement = 'revoke' | 'hand_over';

export interface LeavingMember {
  readonly merchant_id: string;
  readonly membership_id: string;
  /** Undefined if the caller did not say. */
  readonly settlement: KeySettlement | undefined;
}

type SettlementServices = Pick<Services, 'catalog' | 'models'>;

/**
 * Revokes or hands over the working keys of a member, in the transaction of the removal. Returns their hashes. Throws
 * if there are such keys and the caller did not say what happens to them, or lacks a permission of one.
 */
export async function settleKeys(
  { catalog, models }: SettlementServices,
  tx: Db,
  ctx: RequestContext,
  leaving: LeavingMember,
  now: Micros,
): Promise<readonly string[]> {
  const at = instantText(now);
  const found = await findWorkingKeys(tx, leaving, at);
  const rows = await lockRows(tx, 'merchant_tokens', found);
  const tokens = [...rows.values()].filter((token) => !hasExpired(token, now));
  if (tokens.length === 0) return [];
  requireSettlement(ctx, leaving, tokens);
  requirePermission(ctx, models.get('merchant_tokens'), 'update');
  for (const token of tokens) requireHeld(ctx, token, 'revoke');
  const set = columnsFor(ctx, leaving.settlement as KeySettlement, now);
  const changes = tokens.map((before) => ({ before, set }));
  await transition(tx, catalog, { table: 'merchant_tokens', at }, changes);
  return tokens.map(hashOf);
}

const columnsFor = (ctx: RequestContext, settlement: KeySettlement, now: Micros): Row =>
  settlement === 'revoke' ? revokedColumns(now) : { creator_id: ctx.membership_id ?? null };

function requireSettlement(
  ctx: RequestContext,
  { settlement, membership_id }: LeavingMember,
  tokens: readonly Row[],
): void {
  if (settlement === undefined) throw undecidedProblem(tokens);
  if (settlement === 'hand_over' && ctx.membership_id === membership_id) throw ownKeysProblem();
}

const source = { pointer: '/data/attributes/keys' };

const undecidedProblem = (tokens: readonly Row[]) =>
  problem(
    'blank',
    `The member is responsible for ${tokens.length} working API keys. Send keys: revoke, or hand_over to become responsible yourself.`,
    source,
    { meta: { keys: tokens.map(({ id, name, mode }) => ({ id, name, mode })) } },
  );

const ownKeysProblem = () =>
  problem(
    'invalid',
    'You cannot hand your keys over to yourself. Send revoke, or let another member remove you.',
    source,
  );
