import { type Measure, type Standing, standingOf } from '@florin/contract/standing.ts';
import type { Row } from '../../store/row.ts';

/** How a merchant stands in both modes, of a row with `active_at` and the measures of the modes. */
export function standings(row: Row): Readonly<Record<'live' | 'sandbox', Standing>> {
  const approved = row.active_at != null;
  const of = (mode: 'live' | 'sandbox'): Standing =>
    standingOf({
      mode,
      approved,
      measure: (row[`measure_${mode}`] ?? undefined) as Measure | undefined,
    });
  return { live: of('live'), sandbox: of('sandbox') };
}
