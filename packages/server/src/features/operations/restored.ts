import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { listDueRecords, type MoneyTable } from './sql/due-records.ts';
import { queueAt, queues } from './sql/queues.ts';

/** Longest list in the report of a restored installation. The counts have no such limit. */
const LISTED_MAX = 100;

const TITLES: Readonly<Record<MoneyTable, string>> = {
  payment_subscriptions: 'renewals that will be charged',
  payment_demands: 'payments that will be sent',
  refund_demands: 'refunds that will be sent',
  capture_demands: 'captures that will be sent',
};

/** Lines about everything that a restored installation does as soon as it is open. */
export async function reportDueWork(db: Db, now: string): Promise<string[]> {
  const lines: string[] = [];
  for (const [table, title] of Object.entries(TITLES)) {
    const rows = await listDueRecords(db, table as MoneyTable, now, LISTED_MAX);
    if (rows.length > 0) lines.push(`${title}, at most ${LISTED_MAX} listed:`, ...rows.map(lineOf));
  }
  for (const name of queues) {
    const { due } = await queueAt(db, name, now);
    if (due > 0) lines.push(`due in all: ${name} ${due}`);
  }
  return lines;
}

const lineOf = ({ mode, merchant_id, id, due_at }: Row): string =>
  `  ${mode} ${id} of merchant ${merchant_id}, due since ${due_at}`;
