import type { Parameters } from '../../api/queries.ts';
import { useCan } from '../../api/scope.ts';
import type { ResourceType } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Section } from '../../parts/record/section.tsx';
import type { Column } from '../../parts/table/column.ts';
import { ResourceTable } from '../../parts/table/resource-table.tsx';
import { usePaymentColumns, usePaymentInclude } from '../payments/payment-columns.tsx';

/** What there is of a customer, as far as the person may read it. */
export function CustomerTables({ id }: { readonly id: string }) {
  const t = useTexts('customers');
  const include = usePaymentInclude();
  const payments = usePaymentColumns();
  const paid = { 'filter[payer]': id };
  const own = { 'filter[customer]': id };
  return (
    <>
      <Of
        type="payment_demands"
        permission="transaction.payment_demands.read"
        title={t('payments')}
        columns={payments}
        fixed={{ ...paid, ...(include && { include }) }}
      />
      <Of
        type="payment_subscriptions"
        permission="transaction.payment_subscriptions.read"
        title={t('subscriptions')}
        fixed={paid}
      />
      <Of
        type="payment_methods"
        permission="consumer.payment_methods.read"
        title={t('cards')}
        fixed={own}
      />
      <Of
        type="consumer_addresses"
        permission="consumer.consumer_addresses.read"
        title={t('addresses')}
        fixed={own}
      />
    </>
  );
}

interface Props<T extends ResourceType> {
  readonly type: T;
  readonly permission: string;
  readonly title: string;
  readonly fixed: Parameters;
  readonly columns?: readonly Column<T>[];
}

function Of<T extends ResourceType>({ type, permission, title, fixed, columns }: Props<T>) {
  const t = useTexts('common');
  const can = useCan();
  if (!can(permission)) return null;
  return (
    <Section title={title}>
      <ResourceTable
        type={type}
        label={title}
        fixed={fixed}
        {...(columns && { columns })}
        empty={t('none')}
        plain
      />
    </Section>
  );
}
