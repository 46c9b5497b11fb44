import { Group } from '@mantine/core';
import { useState } from 'react';
import type { RecordOf } from '../../api/types.ts';
import { useLocale } from '../../i18n/use-texts.ts';
import { Instant } from '../../parts/value/instant.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';

const DAY_MS = 86_400_000;

/** Days until a dispute's deadline, or a note that the deadline has passed. */
export function Deadline({ dispute }: { readonly dispute: RecordOf<'disputes'> }) {
  const locale = useLocale();
  const [now] = useState(() => Date.now());
  const { status, evidence_due_at } = dispute.attributes;
  const remaining_ms = Date.parse(evidence_due_at) - now;
  const days = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return (
    <Group gap="xs" wrap="nowrap" component="span" display="inline-flex">
      <Instant at={evidence_due_at} day />
      {status === 'needs_response' && remaining_ms < 0 && <StateBadge state="overdue" tone="bad" />}
      {status === 'needs_response' && remaining_ms >= 0 && (
        <span>({days.format(dayOf(Date.parse(evidence_due_at)) - dayOf(now), 'day')})</span>
      )}
    </Group>
  );
}

/** Number of the local calendar day: today and tomorrow differ by 1, at every hour. */
function dayOf(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS;
}
