import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Parameters } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Instant } from '../../parts/value/instant.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import { PagedTable } from './paged-table.tsx';
import type { MerchantSummary, StatusByMode } from './types.ts';

interface Props {
  readonly parameters: Parameters;
  /** Whether the table has all merchants, so that an empty one means that there are none. */
  readonly isComplete?: boolean;
}

/** Table of merchants with their status. Each row links to its merchant. */
export function MerchantTable({ parameters, isComplete = false }: Props) {
  const t = useTexts('operator');
  const unmatched = { title: t('no_merchants'), hint: t('no_merchants_hint') };
  return (
    <PagedTable<MerchantSummary>
      path="merchants"
      parameters={parameters}
      label={t('merchants')}
      empty={isComplete ? { title: t('none_yet'), hint: t('none_yet_hint') } : unmatched}
      columns={[
        { title: t('business'), cell: (row) => <MerchantLink merchant={row} /> },
        {
          title: t('merchant_status'),
          cell: ({ standing }) => <StatusBadges standing={standing} />,
        },
        { title: t('submitted'), cell: ({ submitted_at }) => <Moment at={submitted_at} /> },
        { title: t('approved'), cell: ({ active_at }) => <Moment at={active_at} /> },
        { title: t('review_due'), cell: (row) => <ReviewDue merchant={row} /> },
      ]}
    />
  );
}

function MerchantLink({
  merchant: { id, business_name, business_email },
}: {
  readonly merchant: MerchantSummary;
}) {
  const t = useTexts('operator');
  return (
    <Stack gap={0}>
      <Anchor component={Link} to={`/operator/merchants/${id}`} fz="inherit">
        {business_name || t('unnamed')}
      </Anchor>
      <Text size="xs" c="dimmed">
        {business_email}
      </Text>
    </Stack>
  );
}

/** Merchant status in each mode. */
export function StatusBadges({ standing }: { readonly standing: StatusByMode }) {
  const t = useTexts('operator');
  return (
    <Group gap="xs">
      {(['live', 'sandbox'] as const).map((mode) => (
        <Group gap={4} key={mode} wrap="nowrap">
          <Text size="xs">{t(mode)}</Text>
          <StateBadge state={standing[mode]} />
        </Group>
      ))}
    </Group>
  );
}

/** Shows an instant, or a dash for null. */
export const Moment = ({ at }: { readonly at: string | null }) =>
  at ? <Instant at={at} day /> : '–';

function ReviewDue({
  merchant: { review_due_at, review_started_at },
}: {
  merchant: MerchantSummary;
}) {
  const t = useTexts('operator');
  return (
    <Stack gap={0}>
      <Moment at={review_due_at} />
      {review_started_at && (
        <Text size="xs" c="dimmed">
          {t('review_running')}
        </Text>
      )}
    </Stack>
  );
}
