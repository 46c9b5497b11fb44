import type { Parameters } from '../../api/queries.ts';
import { presetOf, spanOfPreset } from '../payments/list/dates.ts';
import { fromDay, untilDay } from '../payments/list/days.ts';

/** Query parameters of the page's address, one for each filter. */
const auditFilters = ['action', 'account', 'record', 'date', 'from', 'until'] as const;

/** Changes that remove all filters. */
export const noFilters: Parameters = Object.fromEntries(auditFilters.map((name) => [name, '']));

/** Whether the address has a filter. */
export const hasAuditFilters = (search: Parameters): boolean =>
  auditFilters.some((name) => search[name]);

/**
 * Returns the parameters of the request for an address. Days are of the browser's time zone; a named period counts from
 * `today`, such as `2027-01-31`.
 */
export function auditParameters(search: Parameters, today: string): Parameters {
  const { action = '', account = '', record = '' } = search;
  const preset = presetOf(search);
  const { from = '', until = '' } = search;
  const days = preset ? spanOfPreset(preset, today) : { from, to: until };
  const period = { from: fromDay(days.from), before: untilDay(days.to) };
  const entries = Object.entries({ action, account, record, ...period });
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}
