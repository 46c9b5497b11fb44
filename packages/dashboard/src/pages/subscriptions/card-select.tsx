import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { pageQuery } from '../../api/queries.ts';
import { useCan, useScope } from '../../api/scope.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';

interface Props {
  readonly customer: string;
  /** Id of the selected card; empty for the current card. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Active cards of a customer. */
export function CardSelect({ customer, value, onChange }: Props) {
  const t = useTexts('subscriptions');
  const names = useNames();
  const scope = useScope();
  const may = useCan()('consumer.payment_methods.read');
  const parameters = { 'filter[customer]': customer, 'filter[discarded_at]': 'null' };
  const { data } = useQuery({
    ...pageQuery(scope, 'payment_methods', parameters),
    enabled: may,
  });
  const cards = data?.data.map(({ id, attributes: { kind, last_four } }) => ({
    value: id,
    label: `${names.value(kind)} •••• ${last_four}`,
  }));
  return (
    <NativeSelect
      label={names.field('payment_method')}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[{ value: '', label: t('same_card') }, ...(cards ?? [])]}
    />
  );
}
