import type { CustomerFigures } from '@florin/contract/customer-figures.ts';
import { useMemo } from 'react';
import { useDashboard } from '../../api/queries.ts';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import type { Column } from '../../parts/table/column.ts';
import { RelatedTable } from '../../parts/table/related-table.tsx';
import { addressText } from '../../parts/value/address-text.ts';
import { Instant } from '../../parts/value/instant.tsx';
import { useCardText } from '../../parts/value/use-card-text.ts';
import { useDisputeColumns } from '../disputes/dispute-columns.tsx';
import {
  usePaymentColumns,
  usePaymentInclude,
  usePaymentRowName,
} from '../payments/payment-columns.tsx';
import { useSubscriptionColumns } from '../subscriptions/subscriptions.tsx';
import { isCurrent } from '../terminal/payer/use-payer.ts';

/** Cards and addresses that are still in use. */
const IN_USE = { 'filter[discarded_at]': 'null' };

const isOfOthers = ({ key }: { readonly key: string }): boolean => key !== 'payer';

/** Related records of a customer that the person may read. */
export function CustomerTables({ id }: { readonly id: string }) {
  const t = useTexts('customers');
  const include = usePaymentInclude();
  const payments = usePaymentColumns().filter(isOfOthers);
  const subscriptions = useSubscriptionColumns().filter(isOfOthers);
  const payerFilter = { 'filter[payer]': id };
  const parameters = { 'filter[customer]': id, ...IN_USE };
  return (
    <>
      <RelatedTable
        type="payment_demands"
        title={t('payments')}
        columns={payments}
        rowName={usePaymentRowName()}
        fixed={{ ...payerFilter, ...(include && { include }) }}
        empty={t('payments_none')}
      />
      <CustomerDisputes id={id} />
      <RelatedTable
        type="payment_subscriptions"
        title={t('subscriptions')}
        columns={subscriptions}
        fixed={payerFilter}
        empty={t('subscriptions_none')}
      />
      <RelatedTable
        type="payment_methods"
        title={t('cards')}
        columns={useCardColumns()}
        fixed={parameters}
        empty={t('cards_none')}
      />
      <RelatedTable
        type="consumer_addresses"
        title={t('addresses')}
        columns={useAddressColumns()}
        fixed={parameters}
        empty={t('addresses_none')}
      />
    </>
  );
}

/** Disputes of the customer's payments, if there are any. */
function CustomerDisputes({ id }: { readonly id: string }) {
  const t = useTexts('customers');
  const columns = useDisputeColumns().filter(isOfOthers);
  const { data } = useDashboard<CustomerFigures>(`customers/${id}/figures`);
  if (!data?.disputes?.count) return null;
  return (
    <RelatedTable
      type="disputes"
      title={t('disputes_list')}
      columns={columns}
      fixed={{ 'filter[payment_demand.payer]': id }}
    />
  );
}

function useCardColumns(): Column<'payment_methods'>[] {
  const t = useTexts('customers');
  const cardText = useCardText();
  return useMemo(
    () => [
      {
        key: 'last_four',
        title: t('card'),
        cell: (card) =>
          isCurrent(card) ? cardText(card) : t('card_expired', { card: cardText(card) }),
      },
      addedColumn(t('added')),
    ],
    [t, cardText],
  );
}

function useAddressColumns(): Column<'consumer_addresses'>[] {
  const t = useTexts('customers');
  const locale = useLocale();
  return useMemo(
    () => [
      { key: 'city', title: t('address'), cell: (address) => addressText(address, locale) },
      addedColumn(t('added')),
    ],
    [t, locale],
  );
}

const addedColumn = <T extends 'payment_methods' | 'consumer_addresses'>(
  title: string,
): Column<T> => ({
  key: 'created_at',
  title,
  cell: ({ attributes: { created_at } }) => (created_at ? <Instant at={created_at} day /> : '–'),
});
