import { StateBadge } from '../../parts/value/state-badge.tsx';

/** State of a dispute. An accepted dispute costs the merchant the money, so its badge is not green. */
export function DisputeBadge({ status }: { readonly status: string }) {
  return <StateBadge state={status} {...(status === 'accepted' && { tone: 'bad' as const })} />;
}
