import { useTexts } from '../../../i18n/use-texts.ts';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { ResourceTable } from '../../../parts/table/resource-table.tsx';
import { DeliveriesNone, useDeliveryColumns, useDeliveryRowName } from './delivery-columns.tsx';

export function Deliveries() {
  const t = useTexts('developers');
  const columns = useDeliveryColumns();
  return (
    <>
      <PageTitle title={t('deliveries')} />
      <ResourceTable
        type="webhook_deliveries"
        label={t('deliveries')}
        columns={columns}
        rowName={useDeliveryRowName()}
        fixed={{ include: 'event' }}
        empty={<DeliveriesNone />}
      />
    </>
  );
}
