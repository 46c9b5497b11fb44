import { useTexts } from '../../../i18n/use-texts.ts';
import { Instant } from '../../../parts/value/instant.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';

export const isExpired = (expiry: string | null): boolean =>
  expiry !== null && Date.parse(expiry) <= Date.now();

/** When a key ends, or that it has. */
export function ExpiryBadge({ expiry }: { readonly expiry: string | null }) {
  const t = useTexts('developers');
  if (expiry === null) return t('never');
  return isExpired(expiry) ? <StateBadge state="expired" tone="bad" /> : <Instant at={expiry} />;
}
