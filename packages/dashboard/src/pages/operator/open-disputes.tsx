import { Anchor, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Copyable } from '../../parts/value/copyable.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { Money } from '../../parts/value/money.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import { CloseDisputeDialog } from './close-dispute-dialog.tsx';
import { PagedTable } from './paged-table.tsx';
import type { OpenDispute } from './types.ts';
import { useActionDialog } from './use-action-dialog.ts';

/** Open disputes that no notification will decide: their account is removed or silent. */
export function OpenDisputes() {
  const t = useTexts('operator');
  const { subject, isOpen, ask, close } = useActionDialog<OpenDispute>();
  return (
    <>
      <PageTitle title={t('disputes')} />
      <PagedTable<OpenDispute>
        path="disputes"
        label={t('disputes')}
        empty={{ title: t('no_disputes'), hint: t('no_disputes_hint') }}
        columns={[
          { title: t('since'), cell: ({ created_at }) => <Instant at={created_at} /> },
          { title: t('business'), cell: (row) => <Business row={row} /> },
          { title: t('account'), cell: (row) => <Account row={row} /> },
          { title: t('reference'), cell: ({ reference }) => <Copyable value={reference} /> },
          { title: t('amount'), cell: (row) => <Amount row={row} /> },
          { title: t('state'), cell: ({ status }) => <StateBadge state={status} /> },
          {
            title: t('actions'),
            cell: (row) => (
              <Button size="xs" variant="default" onClick={() => ask(row)}>
                {t('close_dispute')}
              </Button>
            ),
          },
        ]}
      />
      {subject && (
        <CloseDisputeDialog key={subject.id} subject={subject} isOpen={isOpen} onClose={close} />
      )}
    </>
  );
}

interface Props {
  readonly row: OpenDispute;
}

const Amount = ({ row }: Props) => (
  <Money cents={row.amount_cents} currency={row.amount_currency} />
);

/** The account, and why it decides nothing any more. */
function Account({ row: { processor_account_id, account, why } }: Props) {
  const t = useTexts('operator');
  return (
    <>
      <ScopedLink to={`/operator/processors/${processor_account_id}`}>{account}</ScopedLink>
      <Text size="xs" c="dimmed">
        {t(`account_${why}`)}
      </Text>
    </>
  );
}

/** Link to the dispute in its merchant and mode. */
const Business = ({ row }: Props) => (
  <Anchor
    component={Link}
    fz="inherit"
    to={`/${row.merchant_id}/${row.mode}/records/disputes/${row.id}`}
  >
    {row.business_name ?? row.merchant_id}
  </Anchor>
);
