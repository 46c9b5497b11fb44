import type { Db } from '../../src/platform/database/db.ts';
import { tenantTables } from '../../src/platform/database/installation/placement.ts';

/** Later than any test, so that no work loop takes the row. */
const LATER = `timestamptz '2099-01-01'`;
const OF_PAYMENT = `from payment_demands p where p.merchant_id = $1 and p.mode = 'sandbox' limit 1`;
const OF_MEMBER = `from memberships b where b.merchant_id = $1 and b.removed_at is null limit 1`;

/** Rows of tables that a merchant's client cannot fill, or not at once. */
const REST: Readonly<Record<string, string>> = {
  authentications: `(merchant_id, mode, id, payment_id, payment_table, status, created_at, updated_at)
    select $1, 'sandbox', gen_random_uuid(), p.id, 'payment_demands', 'authenticated', now(), now() ${OF_PAYMENT}`,
  discarded_cards: `(merchant_id, mode, id, card_pan_token, due_at)
    select $1, m.mode, m.id, m.card_pan_token, ${LATER} from payment_methods m
    where m.merchant_id = $1 and not exists (select from discarded_cards d where d.id = m.id) limit 1`,
  dispute_closings: `(merchant_id, mode, id, outcome, reason, created_at, tried_at)
    select $1, 'live', gen_random_uuid(), 'won', 'a test', now(), ${LATER}`,
  document_failures: `(merchant_id, mode, kind, subject_id, attempts, reason, due_at)
    select $1, 'sandbox', 'captured', gen_random_uuid(), 1, 'a test', ${LATER}`,
  document_logos: `(merchant_id, id, content, content_type, sha256_hash, created_at)
    select $1, gen_random_uuid(), '\\x00ff', 'image/png', 'hash', now()`,
  fee_plans: `(merchant_id, amount_currency, basis_points, fixed_cents) select $1, 'JPY', 250, 10`,
  member_notifications: `(merchant_id, mode, id, change_id, kind, record_id, membership_id, facts, created_at)
    select $1, 'sandbox', gen_random_uuid(), gen_random_uuid(), 'dispute_opened', gen_random_uuid(), b.id, '{}', now()
    ${OF_MEMBER}`,
  moved_settlements: `(merchant_id, mode, source_id, kind, amount_cents, amount_currency)
    select merchant_id, mode, source_id, case entry when 'capture' then 'settled' else 'settled_back' end,
      amount_cents, amount_currency from line`,
  notifiable_changes: `(merchant_id, mode, id, kind, record_id, created_at, due_at)
    select $1, 'sandbox', gen_random_uuid(), 'dispute_opened', gen_random_uuid(), now(), ${LATER}`,
  notification_choices: `(merchant_id, membership_id, mode, kind, channel, is_on, updated_at)
    select $1, b.id, 'sandbox', 'dispute_opened', 'email', false, now() ${OF_MEMBER}`,
  oversight_entries: `(merchant_id, id, account_id, kind, reason, details, request_key, created_at)
    select $1, gen_random_uuid(), b.account_id, 'note', 'a test', '{}', gen_random_uuid()::text, now() ${OF_MEMBER}`,
  payment_notes: `(merchant_id, mode, id, payment_demand_id, account_id, body, created_at)
    select $1, 'sandbox', gen_random_uuid(), p.id, (select b.account_id ${OF_MEMBER}), 'a note', now() ${OF_PAYMENT}`,
  pruned_sequences: `(merchant_id, mode, resource_id, sequence) select $1, 'sandbox', gen_random_uuid(), 4`,
  sandbox_resets: `(merchant_id, requested_at, patient_until, finished_at) select $1, now(), now(), now()`,
};

/** A settled transfer whose line was read in an earlier cell. */
const LINE = `line as (delete from settlement_entries where ctid = (select ctid from settlement_entries
  where merchant_id = $1 and outcome = 'settled' limit 1) returning *)`;

/** Adds a row to each table in which the merchant has none. Throws if one is still empty. */
export async function fillTables(db: Db, merchant_id: string): Promise<void> {
  for (const table of tenantTables) {
    const owner = table === 'merchants' ? 'id' : 'merchant_id';
    const count = async () =>
      (await db.query(`select 1 from ${table} where ${owner} = $1 limit 1`, [merchant_id])).length;
    if ((await count()) > 0) continue;
    const rest = REST[table];
    if (!rest) throw new Error(`${table} is empty: give it a row in support/move-rows.ts`);
    const line = table === 'moved_settlements' ? `with ${LINE} ` : '';
    await db.query(`${line}insert into ${table} ${rest}`, [merchant_id]);
    if ((await count()) === 0) throw new Error(`${table} got no row`);
  }
}
