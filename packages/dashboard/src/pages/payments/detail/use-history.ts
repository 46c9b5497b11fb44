import { useQuery } from '@tanstack/react-query';
import { type Parameters, pageQuery, useDashboard } from '../../../api/queries.ts';
import { useCan, useScope } from '../../../api/scope.ts';
import type { RecordOf, Resource, ResourceType } from '../../../api/types.ts';
import { includedByKey } from '../../../parts/table/column.ts';

/** A message to the network, as the server reports it. */
export interface Attempt {
  readonly id: string;
  readonly processor: string;
  readonly operation: string;
  readonly status: string;
  /** Minor units, as text. */
  readonly amount_cents: string;
  readonly amount_currency: string;
  readonly decline_code: string | null;
  readonly authorisation_code: string | null;
  readonly network_transaction_id: string | null;
  readonly inquiries: string | number;
  readonly unknown_since: string | null;
  readonly created_at: string;
}

/** An authentication of the cardholder. */
export interface Authentication {
  readonly id: string;
  readonly status: string;
  readonly threeds_version: string | null;
  readonly threeds_status: string | null;
  readonly eci: string | null;
  readonly failure_code: string | null;
  readonly created_at: string;
}

interface NetworkHistory {
  readonly attempts: readonly Attempt[];
  readonly authentications: readonly Authentication[];
}

/** Everything that happened to a payment, limited to what the person may read. */
export interface History extends NetworkHistory {
  readonly refunds: readonly RecordOf<'refund_demands'>[];
  readonly captures: readonly RecordOf<'capture_demands'>[];
  readonly disputes: readonly RecordOf<'disputes'>[];
  readonly transfers: readonly RecordOf<'ledger_transfers'>[];
  readonly events: readonly RecordOf<'events'>[];
  readonly deliveries: readonly RecordOf<'webhook_deliveries'>[];
  /** The deliveries' webhook subscriptions. */
  readonly included: ReadonlyMap<string, Resource>;
  readonly isPending: boolean;
  readonly error: unknown;
  retry(): void;
}

/** Payments have far fewer of each; only long disputes have more events, and the page shows the first ones. */
const SHOWN_MAX = '200';

const permissions = {
  refund_demands: 'transaction.refund_demands.read',
  capture_demands: 'transaction.capture_demands.read',
  disputes: 'transaction.disputes.read',
  ledger_transfers: 'transaction.ledger_transfers.read',
  events: 'developer.events.read',
  webhook_deliveries: 'developer.webhook_deliveries.read',
  webhook_subscriptions: 'developer.webhook_subscriptions.read',
} as const satisfies Partial<Record<ResourceType, string>>;

type Part = keyof typeof permissions;

/** Query for a part of the history; disabled without permission, and while `ids` are unknown. */
function usePart<T extends Part>(type: T, parameters: Parameters, isKnown = true) {
  const scope = useScope();
  const can = useCan();
  const query = pageQuery(scope, type, { ...parameters, 'page[size]': SHOWN_MAX });
  return useQuery({ ...query, enabled: isKnown && can(permissions[type]) });
}

/** Reads the payment's records, then their events, then the deliveries. */
export function useHistory(id: string): History {
  const can = useCan();
  const network = useDashboard<NetworkHistory>(`payments/${encodeURIComponent(id)}/history`);
  const own = { 'filter[payment_demand]': id, sort: 'created_at' };
  const refunds = usePart('refund_demands', own);
  const captures = usePart('capture_demands', own);
  const disputes = usePart('disputes', own);
  const transfers = usePart('ledger_transfers', own);
  const followUps = [refunds, captures, disputes];
  const ids = [id, ...followUps.flatMap(({ data }) => data?.data.map((it) => it.id) ?? [])];
  const areKnown = followUps.every(({ isLoading }) => !isLoading);
  const events = usePart(
    'events',
    { 'filter[resource_id]': ids.join(','), sort: 'created_at' },
    areKnown,
  );
  const told = events.data?.data.map((event) => event.id) ?? [];
  const deliveries = usePart(
    'webhook_deliveries',
    {
      'filter[event]': told.join(','),
      include: can(permissions.webhook_subscriptions) ? 'webhook_subscription' : '',
    },
    told.length > 0,
  );
  const all = [network, ...followUps, transfers, events, deliveries];
  return {
    attempts: network.data?.attempts ?? [],
    authentications: network.data?.authentications ?? [],
    refunds: refunds.data?.data ?? [],
    captures: captures.data?.data ?? [],
    disputes: disputes.data?.data ?? [],
    transfers: transfers.data?.data ?? [],
    events: events.data?.data ?? [],
    deliveries: deliveries.data?.data ?? [],
    included: includedByKey(deliveries.data?.included ?? []),
    isPending: network.isLoading || followUps.some(({ isLoading }) => isLoading),
    error: all.find(({ error }) => error)?.error,
    retry: () => void Promise.all(all.map(({ refetch }) => refetch())),
  };
}
