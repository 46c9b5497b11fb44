import { Stack, Text, Title } from '@mantine/core';
import type { Mode } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { EmptyState } from '../../../parts/feedback/empty-state.tsx';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { LinkButton } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import type { ProcessorAccount } from '../types.ts';
import { MODES, useProcessorAccounts, useProcessorKinds } from '../use-processors.ts';
import { AccountCard } from './account-card.tsx';

/** All accounts at processors, by mode. */
export function ProcessorAccounts() {
  const t = useTexts('processors');
  const list = useProcessorAccounts();
  const isPending = useProcessorKinds().isPending || list.isPending;
  const accounts = (isPending ? [] : (list.data?.data ?? [])).filter(
    ({ status }) => status !== 'removed',
  );
  const isEmpty = !isPending && list.isSuccess && accounts.length === 0;
  const add = <LinkButton to="/operator/processors/new">{t('add')}</LinkButton>;
  return (
    <>
      <PageTitle title={t('accounts')} actions={isEmpty ? undefined : add} />
      {list.error && <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />}
      {isPending && <Loading />}
      {isEmpty && <EmptyState title={t('no_accounts')} hint={t('no_accounts_hint')} action={add} />}
      {accounts.length > 0 && (
        <Stack gap="xl">
          {MODES.map((mode) => (
            <ModeAccounts key={mode} mode={mode} accounts={accounts} />
          ))}
        </Stack>
      )}
    </>
  );
}

interface Props {
  readonly mode: Mode;
  readonly accounts: readonly ProcessorAccount[];
}

function ModeAccounts({ mode, accounts }: Props) {
  const t = useTexts('processors');
  const ofMode = accounts.filter((account) => account.mode === mode);
  return (
    <Stack gap="sm" component="section">
      <Title order={2} size="h4">
        {t(mode)}
      </Title>
      {ofMode.length === 0 && <Text c="dimmed">{t(`no_accounts_${mode}`)}</Text>}
      {ofMode.map((account) => (
        <AccountCard key={account.id} account={account} />
      ))}
    </Stack>
  );
}
