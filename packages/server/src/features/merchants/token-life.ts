import { problem } from '@florin/contract/errors.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { instantText, type Micros, microsOf } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';
import { findRow } from '../../store/rows.ts';
import { createUpdater, notFound } from '../records/updater.ts';
import type { Services } from '../services.ts';

const source = { pointer: '/data/attributes/expiry' };

/** When a new key expires: as was asked, where that is ahead, but never later than the key that makes it. */
export function expiryOf(ctx: RequestContext, asked: string | null | undefined): string | null {
  const own = ctx.key?.expiry ?? null;
  if (!asked) return own;
  if (asked <= instantText(ctx.now())) throw problem('invalid', 'expiry must be ahead.', source);
  if (own === null || asked <= own) return asked;
  throw problem(
    'invalid',
    'expiry must not be later than that of the key that makes this one.',
    source,
    { meta: { latest: own } },
  );
}

/** Lets a key expire now. One that has expired stays as it is. */
export function createRevoker(
  services: Services,
): (ctx: RequestContext, id: string) => Promise<Row> {
  const { db, clock, callers } = services;
  const update = createUpdater(services, { table: 'merchant_tokens', eventOf: untold });
  return async ({ scope, if_match, idempotency }, id) => {
    const known = await findRow(db, 'merchant_tokens', scope, id);
    if (!known) throw notFound();
    if (isOver(known, clock.now())) return known;
    const row = await update({
      scope,
      id,
      if_match,
      idempotency,
      decide: (_row, now) => expiring(now),
    });
    callers.forget(hashOf(known));
    return row;
  };
}

const isOver = ({ expiry }: Row, now: Micros): boolean => !!expiry && microsOf(expiry) <= now;

const expiring = (now: Micros) => ({ set: { expiry: instantText(now) }, events: [] });

/** PostgreSQL writes bytes as hex after a backslash and an x. */
const hashOf = ({ token_hash }: Row): string => (token_hash as string).slice(2);

function untold(): never {
  throw new Error('nothing tells of what becomes of keys');
}
