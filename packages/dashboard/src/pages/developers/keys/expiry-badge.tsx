import { useTexts } from '../../../i18n/use-texts.ts';
import { Instant } from '../../../parts/value/instant.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';

export const isExpired = (expiry: string | null): boolean =>
  expiry !== null && Date.parse(expiry) <= Date.now();

/** Expiry time of a key, or the reason of its end. */
export function ExpiryBadge({
  expiry,
  revoked_at,
}: {
  readonly expiry: string | null;
  readonly revoked_at: string | null;
}) {
  const t = useTexts('developers');
  if (revoked_at !== null) return <StateBadge state="revoked" tone="bad" />;
  if (expiry === null) return t('never');
  return isExpired(expiry) ? <StateBadge state="expired" tone="bad" /> : <Instant at={expiry} />;
}
