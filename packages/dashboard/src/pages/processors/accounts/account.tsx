import { Breadcrumbs, Stack } from '@mantine/core';
import { useDashboard } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { useParameter } from '../../../parts/page/search.ts';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import type { AccountDetail } from '../types.ts';
import { useProcessorKinds } from '../use-processors.ts';
import { AccountActions } from './account-actions.tsx';
import { AccountAdvice } from './account-advice.tsx';
import { AccountEntries } from './account-entries.tsx';
import { AccountOverview, AccountSettings } from './account-overview.tsx';
import { AccountSecrets } from './account-secrets.tsx';
import { RefusedKey } from './refused-key.tsx';
import { RefusedNotifications } from './refused-notifications.tsx';

/** An account with its settings, secrets and history. */
export function ProcessorAccountPage() {
  const t = useTexts('processors');
  const id = useParameter('id');
  const query = useDashboard<{ data: AccountDetail }>(`operator/processor_accounts/${id}`);
  const kinds = useProcessorKinds();
  // Without the metadata, fields would have technical names at first.
  const account = kinds.isPending ? undefined : query.data?.data;
  return (
    <>
      <Breadcrumbs mb="xs">
        <ScopedLink to="/operator/processors">{t('accounts')}</ScopedLink>
      </Breadcrumbs>
      <PageTitle
        title={account?.name ?? t('account')}
        aside={account && <StateBadge state={account.status} />}
        actions={account && <AccountActions key={account.id} account={account} />}
      />
      {query.error && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {!account && !query.error && <Loading />}
      {account && (
        <Stack gap="lg">
          <RefusedKey account={account} />
          <RefusedNotifications account={account} />
          <AccountAdvice account={account} />
          <AccountOverview account={account} />
          <AccountSettings account={account} />
          <AccountSecrets account={account} />
          <AccountEntries account={account} />
        </Stack>
      )}
    </>
  );
}
