import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { ATTEMPTS_READ_MAX } from './tally.ts';

const RISK_COLUMNS = [
  'merchant_id',
  'mode',
  'id',
  'payment_method_id',
  'payer_id',
  'billing_address_id',
] as const;

/**
 * Facts for the risk rules: payer, card, and matching list entries as JSON. `payer_id` is the customer who remains, where
 * a merge has not moved the payment yet. `offset 0` forces one index lookup per value: a planner that expects few entries
 * would read all of a merchant's entries for each payment.
 */
export const riskFactsOf = (tx: Db, payments: readonly Row[]): Promise<Row[]> =>
  tx.query(
    `with facts as materialized (
       select p.merchant_id, p.mode, p.id, coalesce(c.merged_into_id, p.payer_id) as payer_id,
         case when c.merged_into_id is null then c.blocked_at else r.blocked_at end as blocked_at,
         coalesce(r.email, c.email) as email, b.country, m.card_bin, m.last_four, m.card_fingerprint
       from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[])
           as p (merchant_id, mode, id, payment_method_id, payer_id, billing_address_id)
         cross join lateral (select card_bin, last_four, card_fingerprint from payment_methods
           where merchant_id = p.merchant_id and id = p.payment_method_id offset 0) m
         left join lateral (select blocked_at, email, merged_into_id from customers
           where merchant_id = p.merchant_id and id = p.payer_id offset 0) c on true
         left join lateral (select blocked_at, email from customers
           where merchant_id = p.merchant_id and id = c.merged_into_id offset 0) r on true
         left join lateral (select country from consumer_addresses
           where merchant_id = p.merchant_id and id = p.billing_address_id offset 0) b on true
     ), matched as (
       select f.merchant_id, f.id,
         json_agg(json_build_object('id', e.id, 'list', e.list, 'kind', e.kind) order by e.created_at, e.id) as entries
       from facts f
         cross join lateral (values ('card', f.card_fingerprint), ('bin', f.card_bin), ('email', lower(f.email)),
           ('email_domain', split_part(lower(f.email), '@', 2)), ('country', f.country)) v (kind, subject)
         cross join lateral (select id, list, kind, created_at from risk_list_entries
           where merchant_id = f.merchant_id and mode = f.mode and kind = v.kind and subject = v.subject
             and removed_at is null offset 0) e
       group by f.merchant_id, f.id
     )
     select f.merchant_id, f.id, f.payer_id, f.blocked_at, f.card_bin, f.last_four, f.card_fingerprint, m.entries
     from facts f left join matched m on m.merchant_id = f.merchant_id and m.id = f.id`,
    RISK_COLUMNS.map((column) => payments.map((payment) => payment[column] ?? null)),
    'risk_facts',
  );

/**
 * Locks velocity limits of these merchants in both modes, in key order. Concurrent counts run in
 * sequence and see each other's results.
 */
export const lockVelocityLimits = (tx: Db, merchants: readonly string[]): Promise<Row[]> =>
  tx.query(
    `select * from velocity_limits where merchant_id = any ($1::uuid[]) and removed_at is null
     order by merchant_id, id for no key update`,
    [[...new Set(merchants)]],
    'velocity_limits',
  );

/**
 * Locks the payments' cards in a fixed order until the transaction ends, so that counts for
 * platform limits see earlier payments. Callers lock merchants' limits first.
 */
export async function lockCards(
  tx: Db,
  payments: readonly { readonly scope: Scope; readonly card: { readonly fingerprint: string } }[],
): Promise<void> {
  const cards = payments.map(({ scope, card }) =>
    ['card', scope.merchant_id, scope.mode, card.fingerprint].join(' '),
  );
  if (cards.length === 0) return;
  await tx.query(
    'select pg_advisory_xact_lock(hashtextextended(card, 0)) from unnest($1::text[]) card',
    [[...new Set(cards)].sort()],
    'lock_cards',
  );
}

/**
 * Locks the cards of payments as `lockCards` does, but without a wait. Returns the ids of payments whose card was free.
 */
export async function tryLockCards(tx: Db, payments: readonly Row[]): Promise<ReadonlySet<string>> {
  if (payments.length === 0) return new Set();
  const rows = await tx.query(
    `select p.id from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[])
         as p (merchant_id, mode, id, payment_method_id)
       cross join lateral (select card_fingerprint from payment_methods
         where merchant_id = p.merchant_id and id = p.payment_method_id offset 0) m
     where pg_try_advisory_xact_lock(hashtextextended(
       concat_ws(' ', 'card', p.merchant_id, p.mode, m.card_fingerprint), 0))`,
    ['merchant_id', 'mode', 'id', 'payment_method_id'].map((column) =>
      payments.map((payment) => payment[column]),
    ),
    'try_lock_cards',
  );
  return new Set(rows.map(({ id }) => id as string));
}

/**
 * Subject of a count: a card (fingerprint), a payer (id, with the customers who were merged into it) or the whole merchant.
 */
export interface VelocityQuestion {
  readonly scope: Scope;
  readonly kind: string;
  readonly subject: string;
  readonly amount_currency: string | null;
  /** Whether payments in flight count as declines if their payer is present. */
  readonly counts_open: boolean;
  /** Start of the counted period. */
  readonly since: string;
  /** Counting stops at this number. */
  readonly up_to: number;
}

/**
 * Results in the order of the questions, each as JSON in `counted`. `total`: declines or amount. `cards`: fingerprints of a
 * payer's cards. `read`: attempts of the subject, where more than `read_max` make the rest of the result partial.
 */
export function countVelocity(
  tx: Db,
  questions: readonly VelocityQuestion[],
  read_max: number = ATTEMPTS_READ_MAX,
): Promise<Row[]> {
  const columnOf = <K extends keyof VelocityQuestion>(name: K) =>
    questions.map((question) => question[name]);
  return tx.query(
    `select
       case k.kind
         when 'card_declines' then (select json_build_object('total', count(*)) from (select 1 from
           (select * from attempts where merchant_id = k.merchant_id and card_fingerprint = k.subject
             and created_at >= k.since order by created_at desc limit $9::bigint) a
           where a.mode = k.mode and a.operation = 'authorise' and (a.status = 'declined'
               or a.status in ('reversing', 'reversed') and a.decline_code in ('incorrect_cvc', 'card_not_verified')
               or k.counts_open and a.status in ('sending', 'unknown') and exists (select from payment_demands p
                 where p.merchant_id = a.merchant_id and p.id = a.payment_demand_id and p.initiator = 'customer'))
           limit k.up_to) counted)
         when 'merchant_declines' then (select json_build_object('total', count(*)) from (select 1 from attempts a
           where a.merchant_id = k.merchant_id and a.mode = k.mode and a.created_at >= k.since
             and a.operation = 'authorise' and a.status = 'declined' limit k.up_to) counted)
         when 'card_amount' then (select json_build_object('read', count(*), 'total', coalesce(sum(a.amount_cents)
             filter (where a.mode = k.mode and a.operation = 'authorise' and a.amount_currency = k.amount_currency
               and a.status in ('sending', 'unknown', 'approved')), 0))
           from (select * from attempts where merchant_id = k.merchant_id and card_fingerprint = k.subject
             and created_at >= k.since order by created_at desc limit $9::bigint + 1) a)
         when 'payer_cards' then (select json_build_object('read', count(*), 'cards', coalesce(
             json_agg(distinct a.card_fingerprint) filter (where a.mode = k.mode and a.operation = 'authorise'), '[]'))
           from (select newest.* from (select k.subject::uuid as id union all select c.id from customers c
                 where c.merchant_id = k.merchant_id and c.merged_into_id = k.subject::uuid) payer
               cross join lateral (select * from attempts where merchant_id = k.merchant_id and payer_id = payer.id
                 and created_at >= k.since order by created_at desc limit $9::bigint + 1) newest
             limit $9::bigint + 1) a)
       end as counted
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::bigint[],
         $8::boolean[])
       with ordinality as k (merchant_id, mode, kind, subject, amount_currency, since, up_to, counts_open, place)
     order by k.place`,
    [
      questions.map(({ scope }) => scope.merchant_id),
      questions.map(({ scope }) => scope.mode),
      columnOf('kind'),
      columnOf('subject'),
      columnOf('amount_currency'),
      columnOf('since'),
      columnOf('up_to'),
      columnOf('counts_open'),
      read_max,
    ],
    'count_velocity',
  );
}

/** Id of the active entry with the same list and value. */
export async function sameEntry(
  db: Db,
  { merchant_id, mode, list, kind, subject }: Row,
): Promise<string | undefined> {
  const [row] = await db.query(
    `select id from risk_list_entries where merchant_id = $1 and mode = $2 and list = $3 and kind = $4
       and subject = $5 and removed_at is null limit 1`,
    [merchant_id, mode, list, kind, subject],
    'same_list_entry',
  );
  return row?.id ?? undefined;
}
