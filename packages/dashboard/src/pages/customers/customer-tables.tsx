import { useTexts } from '../../i18n/use-texts.ts';
import { RelatedTable } from '../../parts/table/related-table.tsx';
import { usePaymentColumns, usePaymentInclude } from '../payments/payment-columns.tsx';

/** Related records of a customer that the person may read. */
export function CustomerTables({ id }: { readonly id: string }) {
  const t = useTexts('customers');
  const include = usePaymentInclude();
  const payments = usePaymentColumns();
  const payerFilter = { 'filter[payer]': id };
  const parameters = { 'filter[customer]': id };
  return (
    <>
      <RelatedTable
        type="payment_demands"
        title={t('payments')}
        columns={payments}
        fixed={{ ...payerFilter, ...(include && { include }) }}
      />
      <RelatedTable type="payment_subscriptions" title={t('subscriptions')} fixed={payerFilter} />
      <RelatedTable type="payment_methods" title={t('cards')} fixed={parameters} />
      <RelatedTable type="consumer_addresses" title={t('addresses')} fixed={parameters} />
    </>
  );
}
