import type { Mode } from '@florin/contract/protocol/vault.ts';
import { instantText, microsOf } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { dayOf, endOfDay } from '../days.ts';
import { dayAfter } from '../decide.ts';
import { checkNextSlice } from '../missing.ts';
import { fileProgressOf, lockProgress, moveProgress, REPORTS_SOURCE } from '../sql.ts';

/** Days after which a transfer must be in a report. Processors settle weekly at the latest, and banks have holidays. */
const REPORTED_WITHIN_DAYS = 14;
const DAY_MICROS = 24 * 60 * 60 * 1_000_000;

/** Looks for transfers of accounts that no report has, in slices of old days. Returns whether there may be more. */
export async function checkMissingInReports(services: Services, mode: Mode): Promise<boolean> {
  const now = services.system_clock.now();
  const source = { processor: REPORTS_SOURCE, mode };
  const progress = await fileProgressOf(services.db, source, {
    today: dayOf(now),
    now: instantText(now),
  });
  const day = progress.day as string;
  const isDue = now >= endOfDay(day) + REPORTED_WITHIN_DAYS * DAY_MICROS;
  if (!isDue || now < microsOf(progress.due_at as string)) return false;
  return services.db.transaction(async (tx) => {
    if (!(await lockProgress(tx, progress))) return false;
    if (await checkNextSlice(services, tx, progress, now)) return true;
    const at = instantText(now);
    await moveProgress(tx, progress, { day: dayAfter(day), part: 1, due_at: at });
    return true;
  });
}
