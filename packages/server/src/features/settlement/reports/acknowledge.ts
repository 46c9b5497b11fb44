import { problem } from '@florin/contract/errors.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { instantText } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { insertEntry } from '../../processor-accounts/sql.ts';
import { acknowledgeLine, findReportById } from './sql/reports.ts';

/** An operator's note about a line of a report. */
export interface LineNote {
  readonly report_id: string;
  readonly line: number;
  readonly note: string;
  /** Null: a command on the server itself. */
  readonly account_id: string | null;
}

/**
 * Acknowledges a line that no payment explains, and audits it at the account. The sums of the report stay. Throws 404 for
 * an unknown report, and 405 for a line that is settled, an exception, or acknowledged.
 */
export async function acknowledge(
  { db, system_clock }: Pick<Services, 'db' | 'system_clock'>,
  { report_id, line, note, account_id }: LineNote,
): Promise<void> {
  const now = system_clock.now();
  const at = instantText(now);
  await db.transaction(async (tx) => {
    const report = await findReportById(tx, report_id);
    if (!report) throw notFound();
    if (!(await acknowledgeLine(tx, report_id, line, { at, account_id, note })))
      throw problem(
        'invalid_state',
        `Row ${line} of the report is not unclear, or acknowledged already. Load the report again.`,
      );
    await insertEntry(tx, {
      id: uuidv7(now),
      processor_account_id: report.processor_account_id as string,
      account_id,
      action: 'row_acknowledged',
      details: JSON.stringify({ report: report_id, line, note }),
      created_at: at,
    });
  });
}
