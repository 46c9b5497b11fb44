import { cardNetworks } from '@florin/contract/card/networks.ts';
import { walletKinds } from '@florin/contract/protocol/vault.ts';
import { minorUnitsOf } from '@florin/contract/typed-amounts.ts';
import { Button, Checkbox, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useDashboardWrite } from '../../../api/queries.ts';
import type { Mode } from '../../../api/types.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { CodeSelect } from '../../../parts/form/inputs/code-select.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { MerchantSelect } from '../form/merchant-select.tsx';
import type { ProcessorAccount } from '../types.ts';
import { alpha2Of } from './country-codes.ts';
import { type Route, RouteResult } from './route-result.tsx';

interface Props {
  readonly mode: Mode;
  readonly accounts: readonly ProcessorAccount[];
}

/** Merchant of a preview for all merchants. No rule or account of one merchant matches this id. */
const ANY_MERCHANT = '00000000-0000-0000-0000-000000000000';

const noFacts = {
  currency: 'EUR',
  amount: '10',
  network: '',
  country: '',
  wallet: '',
  network_token: false,
  initiator: '',
  merchant_id: '',
};
type Facts = typeof noFacts;

/** Says which account would take a payment by the stored rules, and why. */
export function Preview({ mode, accounts }: Props) {
  const t = useTexts('processors');
  const locale = useLocale();
  const [facts, setFacts] = useState(noFacts);
  const preview = useDashboardWrite<object, { data: Route }>(
    `operator/routing/${mode}/preview`,
    'POST',
  );
  const cents = minorUnitsOf(facts.amount, facts.currency, locale);
  const set = (change: Partial<Facts>) => {
    preview.reset();
    setFacts((before) => ({ ...before, ...change }));
  };
  return (
    <Section title={t('preview')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (cents !== undefined) preview.mutate(factsBody(facts, cents));
        }}
      >
        <Stack align="flex-start">
          <Text size="sm" c="dimmed">
            {t('preview_text')}
          </Text>
          <FactInputs facts={facts} set={set} isAmountWrong={cents === undefined} />
          <Button type="submit" variant="default" loading={preview.isPending}>
            {t('run_preview')}
          </Button>
        </Stack>
      </form>
      <div role="status">
        {preview.error && <ProblemAlert error={preview.error} />}
        {preview.data && <RouteResult route={preview.data.data} accounts={accounts} />}
      </div>
    </Section>
  );
}

const factsBody = (facts: Facts, amount: number) => ({
  merchant_id: facts.merchant_id || ANY_MERCHANT,
  currency: facts.currency,
  amount,
  ...(facts.network && { network: facts.network }),
  ...(facts.country && { issuer_country: alpha2Of(facts.country) }),
  ...(facts.wallet && { wallet: facts.wallet }),
  ...(facts.network_token && { network_token: true }),
  ...(facts.initiator && { initiator: facts.initiator }),
});

interface FactProps {
  readonly facts: Facts;
  readonly set: (change: Partial<Facts>) => void;
  readonly isAmountWrong: boolean;
}

function FactInputs({ facts, set, isAmountWrong }: FactProps) {
  const t = useTexts('processors');
  const names = useNames();
  const optionsOf = (values: readonly string[]) => [
    { value: '', label: t('not_known') },
    ...values.map((value) => ({ value, label: names.value(value) })),
  ];
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} w="100%">
      <CodeSelect
        type="currency"
        label={t('currency')}
        value={facts.currency}
        onChange={(currency) => set({ currency })}
      />
      <TextInput
        label={t('amount')}
        inputMode="decimal"
        value={facts.amount}
        onChange={({ currentTarget }) => set({ amount: currentTarget.value })}
        error={isAmountWrong && t('wrong_amount')}
      />
      <NativeSelect
        label={t('network_of_card')}
        value={facts.network}
        onChange={({ currentTarget }) => set({ network: currentTarget.value })}
        data={optionsOf(cardNetworks.map(({ brand }) => brand))}
      />
      <CodeSelect
        type="country"
        label={t('issuer_country')}
        value={facts.country}
        onChange={(country) => set({ country })}
      />
      <NativeSelect
        label={t('wallet')}
        value={facts.wallet}
        onChange={({ currentTarget }) => set({ wallet: currentTarget.value })}
        data={optionsOf(walletKinds)}
      />
      <Checkbox
        label={t('network_token')}
        checked={facts.network_token}
        onChange={({ currentTarget }) => set({ network_token: currentTarget.checked })}
      />
      <NativeSelect
        label={t('initiator')}
        value={facts.initiator}
        onChange={({ currentTarget }) => set({ initiator: currentTarget.value })}
        data={[
          { value: '', label: t('not_known') },
          { value: 'payer', label: t('by_payer') },
          { value: 'merchant', label: t('by_merchant') },
        ]}
      />
      <MerchantSelect
        label={t('merchant')}
        value={facts.merchant_id}
        onChange={(merchant_id) => set({ merchant_id })}
      />
    </SimpleGrid>
  );
}
