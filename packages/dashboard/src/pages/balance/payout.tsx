import { Breadcrumbs, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useCan, useScope } from '../../api/scope.ts';
import type { RecordOf, Resource } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.ts';
import { CodeSelect } from '../../parts/form/inputs/code-select.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { listPath } from '../../parts/page/record-path.ts';
import { RecordPage } from '../../parts/record/record-page.tsx';
import { FoldedRecord } from '../../parts/record/record-view.tsx';
import { Section } from '../../parts/record/section.tsx';
import { useAmountText } from '../../parts/value/money.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import { FirstLines } from './payout-lines.tsx';

/** A payout, and a file of what it pays. */
export function Payout() {
  const t = useTexts('balance');
  const names = useNames();
  return (
    <RecordPage
      type="payouts"
      title={t('payout')}
      above={
        <Breadcrumbs mb="xs">
          <ScopedLink to="balance">{t('balance')}</ScopedLink>
          <ScopedLink to={listPath('payouts')}>{names.type('payouts')}</ScopedLink>
        </Breadcrumbs>
      }
    >
      {({ record }) => <Shown payout={record} />}
    </RecordPage>
  );
}

function Shown({ payout }: { readonly payout: RecordOf<'payouts'> }) {
  const t = useTexts('balance');
  const can = useCan();
  const textOf = useAmountText();
  const { amount_cents, amount_currency, status } = payout.attributes;
  const mayExport =
    can('transaction.ledger_transfers.read') && can('transaction.payment_demands.read');
  return (
    <>
      <PageTitle
        title={t('payout_of', { amount: textOf(amount_cents, amount_currency) })}
        aside={<StateBadge state={status} />}
      />
      <Stack gap="lg">
        {mayExport && (
          <Section title={t('payout_lines')}>
            <Stack>
              <FirstLines id={payout.id} cents={amount_cents} currency={amount_currency} />
              <Export id={payout.id} />
            </Stack>
          </Section>
        )}
        <FoldedRecord record={payout as Resource} />
      </Stack>
    </>
  );
}

/** Downloads every line that the payout pays. */
function Export({ id }: { readonly id: string }) {
  const t = useTexts('balance');
  const { merchant, mode } = useScope();
  const { language } = useLanguage();
  const [timezone, setTimezone] = useState(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const query = new URLSearchParams({ timezone, language, merchant, mode });
  return (
    <Stack align="start">
      <Text size="sm">{t('payout_lines_hint')}</Text>
      <CodeSelect
        type="timezone"
        label={t('payout_timezone')}
        value={timezone}
        onChange={(zone) => zone && setTimezone(zone)}
      />
      <Button
        component="a"
        href={`/dashboard/api/payouts/${encodeURIComponent(id)}/lines.csv?${query}`}
        download
      >
        {t('payout_export')}
      </Button>
    </Stack>
  );
}
