import { useQuery } from '@tanstack/react-query';
import { type Parameters, pageQuery, useDashboard } from '../../../api/queries.ts';
import { useCan, useScope } from '../../../api/scope.ts';
import type { RecordOf, Resource, ResourceType } from '../../../api/types.ts';
import { includedByKey } from '../../../parts/table/column.ts';
import type { History } from './history.ts';

/** One 3-D Secure authentication of the cardholder. */
export interface Authentication {
  readonly id: string;
  readonly status: string;
  readonly threeds_version: string | null;
  readonly threeds_status: string | null;
  readonly eci: string | null;
  readonly failure_code: string | null;
  readonly created_at: string;
}

/** Details of a payment, limited by the person's permissions. */
export interface Details {
  readonly authentications: readonly Authentication[];
  readonly transfers: readonly RecordOf<'ledger_transfers'>[];
  readonly events: readonly RecordOf<'events'>[];
  readonly deliveries: readonly RecordOf<'webhook_deliveries'>[];
  /** Webhook subscriptions of the deliveries. */
  readonly included: ReadonlyMap<string, Resource>;
}

interface ReadDetails extends Details {
  readonly isPending: boolean;
  readonly error: unknown;
  retry(): void;
}

/** Maximum records per type, far above the usual number. A long dispute shows its first events only. */
const SHOWN_MAX = '200';

const permissions = {
  ledger_transfers: 'transaction.ledger_transfers.read',
  events: 'developer.events.read',
  webhook_deliveries: 'developer.webhook_deliveries.read',
  webhook_subscriptions: 'developer.webhook_subscriptions.read',
} as const satisfies Partial<Record<ResourceType, string>>;

/** Reads a page of records, if the person may read them. */
function usePart<T extends keyof typeof permissions>(
  type: T,
  parameters: Parameters,
  isWanted = true,
) {
  const scope = useScope();
  const can = useCan();
  const query = pageQuery(scope, type, { ...parameters, 'page[size]': SHOWN_MAX });
  return useQuery({ ...query, enabled: isWanted && can(permissions[type]) });
}

/** Reads authentications, ledger transfers and events of a payment, then the deliveries of these events. */
export function useDetails(id: string, history: History): ReadDetails {
  const can = useCan();
  const path = `payments/${encodeURIComponent(id)}/authentications`;
  const authentications = useDashboard<readonly Authentication[]>(path);
  const own = { 'filter[payment_demand]': id, sort: 'created_at' };
  const transfers = usePart('ledger_transfers', own);
  const { captures, refunds, disputes } = history;
  const ids = [id, ...[...captures, ...refunds, ...disputes].map((it) => it.id)].join(',');
  const about = { 'filter[resource_id]': ids, sort: 'created_at' };
  const events = usePart('events', about);
  const emitted = events.data?.data.map((event) => event.id) ?? [];
  const deliveries = usePart(
    'webhook_deliveries',
    {
      'filter[event]': emitted.join(','),
      include: can(permissions.webhook_subscriptions) ? 'webhook_subscription' : '',
    },
    emitted.length > 0,
  );
  const queries = [authentications, transfers, events, deliveries];
  return {
    authentications: authentications.data ?? [],
    transfers: transfers.data?.data ?? [],
    events: events.data?.data ?? [],
    deliveries: deliveries.data?.data ?? [],
    included: includedByKey(deliveries.data?.included ?? []),
    isPending: queries.some(({ isLoading }) => isLoading),
    error: queries.find(({ error }) => error)?.error,
    retry: () => void Promise.all(queries.map(({ refetch }) => refetch())),
  };
}
