import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
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

/** Outcomes become known without a click. */
const REFRESH_MS = 5_000;

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
        refresh_ms={REFRESH_MS}
        label={t('unknown')}
        empty={{ title: t('no_unknown'), hint: t('no_unknown_hint') }}
        columns={[
          { title: t('since'), cell: ({ since }) => <Instant at={since} /> },
          { title: t('business'), cell: (row) => <Business row={row} /> },
          { title: t('state'), cell: (row) => <State row={row} /> },
          {
            title: t('actions'),
            cell: (row) => <Actions row={row} onAsk={ask} onClose={closing.ask} />,
          },
          { title: t('account'), cell: (row) => <Account row={row} /> },
          { title: t('what'), cell: ({ operation }) => names.value(operation) },
          { title: t('amount'), cell: (row) => <Amount row={row} /> },
          { title: t('next_step'), cell: (row) => <NextStep row={row} /> },
          { title: t('inquiries'), cell: ({ inquiries }) => inquiries },
          { title: t('attempt'), cell: ({ id }) => <Id value={id} short /> },
        ]}
      />
      {subject && (
        <OrderDialog
          isOpen={isOpen}
          isPlain
          onClose={close}
          title={t(`now_${askedStepOf(subject)}`)}
          text={t(`now_${askedStepOf(subject)}_text`)}
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

interface RowProps {
  readonly row: UnknownOutcome;
}

/** Step that the dialog starts. A row that waits has no dialog. */
const askedStepOf = ({ step }: UnknownOutcome) => (step === 'wait' ? 'inquire' : step);

interface ActionsProps extends RowProps {
  readonly onAsk: (row: UnknownOutcome) => void;
  readonly onClose: (row: UnknownOutcome) => void;
}

/** The next step now, unless only a notification helps, and the end where Florin stopped. */
function Actions({ row, onAsk, onClose }: ActionsProps) {
  const t = useTexts('operator');
  return (
    <Group gap="xs" wrap="nowrap">
      {row.step !== 'wait' && (
        <Button size="xs" variant="default" onClick={() => onAsk(row)}>
          {t(`now_${row.step}`)}
        </Button>
      )}
      {row.needs_operator && (
        <Button size="xs" variant="default" onClick={() => onClose(row)}>
          {t('close_outcome')}
        </Button>
      )}
    </Group>
  );
}

/** Captures and refunds with a receipt wait for their notification: nothing is wrong. */
function State({ row: { status, step, needs_operator } }: RowProps) {
  const t = useTexts('operator');
  return step === 'wait' && !needs_operator ? (
    <StateBadge state="waiting" label={t('awaits_notification')} />
  ) : (
    <StateBadge state={status} />
  );
}

/** The processor account; the simulated network has none. */
const Account = ({ row: { processor, processor_account_id, account } }: RowProps) =>
  processor_account_id ? (
    <ScopedLink to={`/operator/processors/${processor_account_id}`}>
      {account ?? processor}
    </ScopedLink>
  ) : (
    processor
  );

/** Time of the next step, or the advice to an operator where Florin stopped. */
function NextStep({ row: { due_at, may_still_reverse } }: RowProps) {
  const t = useTexts('operator');
  if (due_at !== null) return <Instant at={due_at} />;
  return <Text size="sm">{t(may_still_reverse ? 'reversal_accepted' : 'needs_operator')}</Text>;
}

/** The amount, and the other one that the processor approved. */
function Amount({ row }: RowProps) {
  const t = useTexts('operator');
  const { amount_cents, amount_currency, approved_cents, approved_currency } = row;
  return (
    <>
      <Money cents={amount_cents} currency={amount_currency} />
      {approved_cents && approved_currency && (
        <Text size="xs" c="red">
          {t('approved_instead')} <Money cents={approved_cents} currency={approved_currency} />
        </Text>
      )}
    </>
  );
}

/** Link to a payment's merchant and mode. */
const Business = ({ row }: RowProps) => (
  <Anchor
    component={Link}
    fz="inherit"
    to={`/${row.merchant_id}/${row.mode}/records/payment_demands/${row.payment_demand_id}`}
  >
    {row.business_name ?? row.merchant_id}
  </Anchor>
);
