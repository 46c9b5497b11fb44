import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { recordQuery } from '../../../api/queries.ts';
import { useCan, useScope } from '../../../api/scope.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Icon } from '../../../parts/value/icon.tsx';
import { SameEmail } from '../../customers/new-customer/same-email.tsx';
import { payerText } from './payer-text.ts';
import { NEW, withCustomer } from './payer-values.ts';
import type { PayerInputProps } from './types.ts';
import { useCustomerSearch } from './use-customer-search.ts';

/** Chooses a customer by part of the name or email, or takes the name and email of a new one. */
export function CustomerInput(props: PayerInputProps) {
  return props.values.customer === NEW ? <NewCustomer {...props} /> : <KnownCustomer {...props} />;
}

function KnownCustomer({ values, set, errors }: PayerInputProps) {
  const t = useTexts('terminal');
  const scope = useScope();
  const mayCreate = useCan()('consumer.customers.create');
  const { customer } = values;
  const chosen = useQuery({
    ...recordQuery(scope, 'customers', customer),
    enabled: customer !== '',
  }).data?.record;
  const [typed, setTyped] = useState('');
  const isChosenText = chosen !== undefined && typed === payerText(chosen);
  const found = useCustomerSearch(isChosenText ? '' : typed);
  const isSearched = typed !== '' && !isChosenText;
  const known = chosen && !isSearched ? [...found, chosen] : found;
  const choices = [...new Map(known.map((it) => [it.id, it])).values()].map((it) => ({
    value: it.id,
    label: payerText(it),
    disabled: it.attributes.blocked_at !== null,
  }));
  const added = mayCreate ? [{ value: NEW, label: t('customer_new') }] : [];
  const startNew = () => set({ ...withCustomer(NEW), ...(isSearched && startOf(typed)) });
  return (
    <Stack gap={6}>
      <Select
        label={t('customer')}
        placeholder={t('customer_search')}
        required
        searchable
        clearable
        allowDeselect={false}
        clearButtonProps={{ 'aria-label': t('customer_clear') }}
        openOnFocus={false}
        selectFirstOptionOnChange
        autoComplete="off"
        nothingFoundMessage={t('customer_none')}
        data={isSearched ? [...choices, ...added] : [...added, ...choices]}
        filter={({ options }) => options}
        value={customer || null}
        onChange={(id) => (id === NEW ? startNew() : set(withCustomer(id ?? '')))}
        // Typing replaces the chosen customer, and does not add to the name.
        onClick={({ currentTarget }) => isChosenText && currentTarget.select()}
        searchValue={typed}
        onSearchChange={setTyped}
        // A person who still types has not left the field empty.
        error={isSearched ? undefined : errors.customer}
      />
      {mayCreate && (
        <Group>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<Icon name="plus" size={14} />}
            onClick={startNew}
          >
            {t('customer_new')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Values of a new customer from the text that found none. */
const startOf = (typed: string) => (typed.includes('@') ? { email: typed } : { name: typed });

function NewCustomer({ values, set, errors }: PayerInputProps) {
  const t = useTexts('terminal');
  return (
    <Stack gap={6}>
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <TextInput
          label={t('name')}
          value={values.name}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          error={errors.name}
          autoComplete="off"
          miw="12rem"
        />
        <TextInput
          label={t('email')}
          type="email"
          required
          value={values.email}
          onChange={({ currentTarget }) => set({ email: currentTarget.value })}
          error={errors.email}
          autoComplete="off"
          miw="12rem"
        />
      </Group>
      <SameEmail email={values.email}>
        {({ id, attributes: { name, email, blocked_at } }) =>
          blocked_at === null && (
            <Button size="compact-sm" variant="default" onClick={() => set(withCustomer(id))}>
              {t('customer_choose', { name: name || email })}
            </Button>
          )
        }
      </SameEmail>
      <Group>
        <Button size="compact-sm" variant="subtle" onClick={() => set(withCustomer(''))}>
          {t('customer_existing')}
        </Button>
      </Group>
    </Stack>
  );
}
