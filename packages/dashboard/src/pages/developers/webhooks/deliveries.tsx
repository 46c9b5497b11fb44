import { useTexts } from '../../../i18n/use-texts.ts';
import { EmptyState } from '../../../parts/feedback/empty-state.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { ResourceTable } from '../../../parts/table/resource-table.tsx';
import { useDeliveryColumns } from './delivery-columns.tsx';

/** Deliveries to all subscriptions. */
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
        fixed={{ include: 'event' }}
        empty={<EmptyState title={t('deliveries_none')} hint={t('deliveries_none_hint')} />}
      />
    </>
  );
}
