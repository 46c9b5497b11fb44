import type { RecordOf, Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { relatedOf } from '../../../parts/table/column.ts';
import { StateBadge } from '../../../parts/value/state-badge.tsx';

interface Props {
  readonly deliveries: readonly RecordOf<'webhook_deliveries'>[];
  readonly included: ReadonlyMap<string, Resource>;
}

/** Webhook deliveries of an event with their state. */
export function DeliveryList({ deliveries, included }: Props) {
  const t = useTexts('payments');
  return deliveries.map((delivery) => {
    const { status, last_response_status, last_error } = delivery.attributes;
    const to = relatedOf(delivery as Resource, included)('webhook_subscription');
    const answer = last_response_status ?? last_error;
    return (
      <div key={delivery.id}>
        <StateBadge state={status} />{' '}
        <ScopedLink underline="always" to={recordPath('webhook_deliveries', delivery.id)}>
          {t('delivery_to', { url: String(to?.attributes.url ?? t('webhook')) })}
        </ScopedLink>
        {answer !== null && ` · ${answer}`}
      </div>
    );
  });
}
