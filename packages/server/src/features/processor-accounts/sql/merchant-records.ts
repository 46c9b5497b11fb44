import { processorDetails } from '@florin/contract/resources/processor-details.ts';
import type { Db } from '../../../platform/database/db.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';
import { instantAfter } from '../../../platform/time/instant-after.ts';

/** Characters of a UUIDv7 with its time and version. The characters after them are random. */
const TIME_CHARS = 15;

const COLUMNS = `merchant_id, mode, id, kind, onboarding_state, processing_state, processor_account_id,
  several_captures, created_at, updated_at`;

/** Values of one record of account `a` and merchant `m`. */
const VALUES = `m.id, a.mode, ($1::text || substr(gen_random_uuid()::text, ${TIME_CHARS + 1}))::uuid,
  case when a.processor = any($3::text[]) then a.processor else 'other' end, 'approved', 'enabled', a.id, a.several_captures, $2::timestamptz as created_at, $2::timestamptz as updated_at`;

const parametersAt = (now: Micros): readonly unknown[] => [
  uuidv7(now).slice(0, TIME_CHARS),
  instantText(now),
  processorDetails.fields.kind.values,
];

/** An account whose merchants have a record (`processor_details`). */
export interface RecordedAccount {
  readonly id: string;
  /** Null: every merchant may use the account. */
  readonly merchant_id: string | null;
}

/** Lets no merchant be opened meanwhile: `recordAccountsOf` a later one then sees the enabled account. */
export const lockOpenings = (tx: Db): Promise<unknown> =>
  tx.query('lock table merchants in share mode', []);

/** Stores or enables the record of each merchant that may use an enabled account. */
export async function recordEnabled(
  tx: Db,
  { id, merchant_id }: RecordedAccount,
  now: Micros,
): Promise<void> {
  if (merchant_id === null) await lockOpenings(tx);
  await tx.query(
    `with records as materialized (
       select ${VALUES} from processor_accounts a join merchants m on a.merchant_id is null or a.merchant_id = m.id
       where a.id = $4)
     insert into processor_details as d (${COLUMNS}) select * from records
     on conflict (processor_account_id, merchant_id) do update
       set processing_state = 'enabled', updated_at = greatest(excluded.updated_at, ${instantAfter('d.updated_at')})
       where d.processing_state = 'disabled'`,
    [...parametersAt(now), id],
    'record_enabled_account',
  );
}

/** Stores whether an account takes several captures, in the account and in the records of its merchants. */
export async function recordSeveralCaptures(
  tx: Db,
  { id, several_captures, at }: SeveralCaptures & { readonly at: string },
): Promise<void> {
  const [account] = await tx.query(
    `update processor_accounts set several_captures = $2
     where id = $1 and several_captures is distinct from $2 returning merchant_id`,
    [id, several_captures],
    'set_several_captures',
  );
  // A merchant that is opened meanwhile would copy the old value.
  if (account?.merchant_id === null) await lockOpenings(tx);
  // Also without a change of the account: a server of an older version may have made records since.
  await tx.query(
    `update processor_details
     set several_captures = $2, updated_at = greatest($3::timestamptz, updated_at + interval '1 microsecond')
     where processor_account_id = $1 and several_captures is distinct from $2`,
    [id, several_captures, at],
    'record_several_captures',
  );
}

interface SeveralCaptures {
  readonly id: string;
  readonly several_captures: boolean;
}

/** Disables the records of an account that takes no new payments, and dates them if it is removed. */
export async function recordDisabled(
  tx: Db,
  id: string,
  { now, is_removed }: { readonly now: Micros; readonly is_removed: boolean },
): Promise<void> {
  await tx.query(
    `update processor_details
     set processing_state = 'disabled', removed_at = case when $3 then $2::timestamptz end, updated_at = greatest($2::timestamptz, updated_at + interval '1 microsecond')
     where processor_account_id = $1 and (processing_state <> 'disabled' or $3)`,
    [id, instantText(now), is_removed],
    'record_disabled_account',
  );
}

/** Stores the missing records of a merchant at the enabled accounts that the merchant may use. */
export async function recordAccountsOf(tx: Db, merchant_id: string, now: Micros): Promise<void> {
  await tx.query(
    `with records as materialized (
       select ${VALUES} from processor_accounts a join merchants m on a.merchant_id is null or a.merchant_id = m.id
       where m.id = $4 and a.status = 'enabled')
     insert into processor_details (${COLUMNS}) select * from records
     on conflict (processor_account_id, merchant_id) do nothing`,
    [...parametersAt(now), merchant_id],
    'record_accounts_of_merchant',
  );
}

/** Lets the records of a merchant that came from another cell say what their accounts are here. */
export async function alignRecords(tx: Db, merchant_id: string, now: Micros): Promise<void> {
  await tx.query(
    `update processor_details d
     set processing_state = a.processing_state, several_captures = a.several_captures, removed_at = a.removed_at,
       updated_at = greatest($2::timestamptz, d.updated_at + interval '1 microsecond')
     from (select id, several_captures, case status when 'enabled' then 'enabled' else 'disabled' end as processing_state,
         case status when 'removed' then updated_at end as removed_at from processor_accounts) a
     where d.merchant_id = $1 and d.processor_account_id = a.id
       and (d.processing_state, d.several_captures, d.removed_at)
         is distinct from (a.processing_state, a.several_captures, a.removed_at)`,
    [merchant_id, instantText(now)],
    'align_records',
  );
}
