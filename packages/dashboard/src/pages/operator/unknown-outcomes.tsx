import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Id } from '../../parts/value/copyable.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { Money } from '../../parts/value/money.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import { CloseOutcomeDialog } from './close-outcome-dialog.tsx';
import { OrderDialog } from './order-dialog.tsx';
import { PagedTable } from './paged-table.tsx';
import type { UnknownOutcome } from './types.ts';
import { useActionDialog } from './use-action-dialog.ts';

/** Messages to processors without a known outcome; the oldest come first. */
export function UnknownOutcomes() {
  const t = useTexts('operator');
  const names = useNames();
  const { subject, isOpen, ask, close } = useActionDialog<UnknownOutcome>();
  const closing = useActionDialog<UnknownOutcome>();
  return (
    <>
      <PageTitle title={t('unknown')} />
      <PagedTable<UnknownOutcome>
        path="unknown_outcomes"
        label={t('unknown')}
        empty={{ title: t('no_unknown'), hint: t('no_unknown_hint') }}
        columns={[
          { title: t('since'), cell: ({ since }) => <Instant at={since} /> },
          { title: t('business'), cell: (row) => <Business row={row} /> },
          { title: t('what'), cell: ({ operation }) => names.value(operation) },
          { title: t('amount'), cell: (row) => <Amount row={row} /> },
          { title: t('state'), cell: ({ status }) => <StateBadge state={status} /> },
          { title: t('inquiries'), cell: ({ inquiries }) => inquiries },
          { title: t('next_inquiry'), cell: (row) => <NextInquiry row={row} /> },
          { title: t('attempt'), cell: ({ id }) => <Id value={id} short /> },
          {
            title: t('actions'),
            cell: (row) => (
              <Group gap="xs" wrap="nowrap">
                <Button size="xs" variant="default" onClick={() => ask(row)}>
                  {t('ask_now')}
                </Button>
                {row.needs_operator && (
                  <Button size="xs" variant="default" onClick={() => closing.ask(row)}>
                    {t('close_outcome')}
                  </Button>
                )}
              </Group>
            ),
          },
        ]}
      />
      {subject && (
        <OrderDialog
          isOpen={isOpen}
          isPlain
          onClose={close}
          title={t('ask_now')}
          text={t('ask_now_text')}
          path={`merchants/${subject.merchant_id}/${subject.mode}/unknown_outcomes/${subject.id}/ask`}
        />
      )}
      {closing.subject && (
        <CloseOutcomeDialog
          key={closing.subject.id}
          subject={closing.subject}
          isOpen={closing.isOpen}
          onClose={closing.close}
        />
      )}
    </>
  );
}

/** Time of the next inquiry, or the advice to an operator where Florin stopped. */
function NextInquiry({ row: { due_at } }: { readonly row: UnknownOutcome }) {
  const t = useTexts('operator');
  return due_at === null ? <Text size="sm">{t('needs_operator')}</Text> : <Instant at={due_at} />;
}

const Amount = ({ row }: { readonly row: UnknownOutcome }) => (
  <Money cents={row.amount_cents} currency={row.amount_currency} />
);

/** Link to a payment's merchant and mode. */
const Business = ({ row }: { readonly row: UnknownOutcome }) => (
  <Anchor
    component={Link}
    fz="inherit"
    to={`/${row.merchant_id}/${row.mode}/records/payment_demands/${row.payment_demand_id}`}
  >
    {row.business_name ?? row.merchant_id}
  </Anchor>
);
