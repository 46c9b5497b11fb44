import { useTexts } from '../../../i18n/use-texts.ts';
import { RelatedTable } from '../../../parts/table/related-table.tsx';
import { DeliveriesNone, useDeliveryColumns, useDeliveryRowName } from './delivery-columns.tsx';

interface Props {
  readonly relation: 'event' | 'webhook_subscription';
  readonly id: string;
}

/** Deliveries of an event or of a subscription. */
export function DeliveriesOf({ relation, id }: Props) {
  const t = useTexts('developers');
  const columns = useDeliveryColumns();
  return (
    <RelatedTable
      type="webhook_deliveries"
      title={t('deliveries')}
      columns={columns}
      rowName={useDeliveryRowName()}
      fixed={{ [`filter[${relation}]`]: id, include: 'event' }}
      empty={<DeliveriesNone />}
    />
  );
}
