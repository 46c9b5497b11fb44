import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { asUuid } from '../../../platform/database/uuid-text.ts';

const COLUMNS =
  'a.merchant_id, a.id, a.mode, a.operation, a.status, a.payment_demand_id, a.processor_reference';

/** The authorisation with this id, if it belongs to the account. Processors know no merchants. */
export async function findAuthorisationById(
  db: Db,
  processor_account_id: string,
  id: string,
): Promise<Row | undefined> {
  const [row] = await db.query(
    `select ${COLUMNS} from attempts a
     where a.id = ${asUuid('$2::text')} and a.operation = 'authorise' and a.processor_account_id = $1`,
    [processor_account_id, id],
    'notified_authorisation',
  );
  return row;
}

/** The newest attempt of an account with the processor's reference and operation. */
export async function findByReference(
  db: Db,
  processor_account_id: string,
  reference: string,
  operation: 'authorise' | 'capture' | 'refund',
): Promise<Row | undefined> {
  const [row] = await db.query(
    `select ${COLUMNS} from attempts a
     where a.processor_account_id = $1 and a.processor_reference = $2 and a.operation = $3
     order by a.id desc limit 1`,
    [processor_account_id, reference, operation],
    'notified_reference',
  );
  return row;
}

/** The newest attempt of a refund or capture of a payment. */
export async function findFollowUpAttempt(
  db: Db,
  { merchant_id, payment_demand_id }: Row,
  operation: 'capture' | 'refund',
  demand_id: string,
): Promise<Row | undefined> {
  const [row] = await db.query(
    `select ${COLUMNS} from attempts a
     where a.merchant_id = $1 and a.payment_demand_id = $2 and a.operation = $3
       and coalesce(a.capture_demand_id, a.refund_demand_id) = ${asUuid('$4::text')}
     order by a.id desc limit 1`,
    [merchant_id ?? null, payment_demand_id ?? null, operation, demand_id],
    'notified_follow_up',
  );
  return row;
}

/** State of an attempt now. */
export async function findAttemptStatus(db: Db, { merchant_id, id }: Row): Promise<string> {
  const [row] = await db.query(
    'select status from attempts where merchant_id = $1 and id = $2',
    [merchant_id ?? null, id ?? null],
    'notified_status',
  );
  return row?.status as string;
}
