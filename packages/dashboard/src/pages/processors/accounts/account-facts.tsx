import { Text } from '@mantine/core';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { Copyable } from '../../../parts/value/copyable.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import type { ProcessorAccount } from '../types.ts';

interface Props {
  readonly account: ProcessorAccount;
}

/** Result of the last check of the credentials, in words. */
export function CheckResult({ account: { checked_at, check_failure } }: Props) {
  const t = useTexts('processors');
  if (!checked_at) return t('never_checked');
  return (
    <>
      <Text size="sm" {...(check_failure && { c: 'var(--mantine-color-error)' })}>
        {check_failure ?? t('accepted')}
      </Text>
      <Text size="xs" c="dimmed">
        <Instant at={checked_at} />
      </Text>
    </>
  );
}

/** Address that the operator enters at the processor. */
export function NotificationAddress({ account: { name, notification_url } }: Props) {
  const t = useTexts('processors');
  if (!notification_url) return t('no_notifications_of_account');
  return <Copyable value={notification_url} what={`${t('notification_address')}: ${name}`} />;
}

/** Payments that the account may take. */
export function TakenPayments({ account }: Props) {
  const names = useNames();
  const t = useTexts('processors');
  const currencies = account.currencies?.join(', ') ?? t('all_currencies');
  const networks = account.networks?.map(names.value).join(', ') ?? t('all_networks');
  return (
    <>
      <AccountMerchant account={account} />
      <Text size="sm">
        {currencies} · {networks}
      </Text>
    </>
  );
}

/** Merchant whose payments the account takes. */
export function AccountMerchant({ account: { merchant_id, merchant_name } }: Props) {
  const t = useTexts('processors');
  if (!merchant_id) return t('all_merchants');
  return (
    <ScopedLink to={`/operator/merchants/${merchant_id}`}>
      {merchant_name ?? merchant_id}
    </ScopedLink>
  );
}
