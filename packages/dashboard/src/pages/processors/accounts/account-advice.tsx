import { Alert } from '@mantine/core';
import { useDashboard } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import type { RulesDocument } from '../routing/rules.ts';
import type { AccountDetail } from '../types.ts';

/** Says what the account does now, and what the operator does next. */
export function AccountAdvice({ account }: { readonly account: AccountDetail }) {
  const t = useTexts('processors');
  const { id, status, mode, check_failure } = account;
  const rules = useDashboard<RulesDocument>(`operator/routing/${mode}`).data?.data;
  const isNamed = rules?.some(({ accounts }) => accounts.includes(id)) ?? true;
  if (status === 'removed') return <RemovedAdvice account={account} />;
  if (check_failure)
    return (
      <Alert color="red" role="alert" title={t('advice_failed')}>
        {check_failure}
      </Alert>
    );
  if (status !== 'enabled')
    return (
      <Alert color="orange" role="note">
        {t(status === 'paused' ? 'advice_paused' : 'advice_untested')}
      </Alert>
    );
  if (mode === 'live' || isNamed) return undefined;
  return (
    <Alert color="orange" role="note">
      {t('advice_no_rule')}{' '}
      <ScopedLink to="/operator/routing" search={{ mode }} underline="always">
        {t('open_routing')}
      </ScopedLink>
    </Alert>
  );
}

/** Open disputes of a removed account wait for an operator. */
function RemovedAdvice({ account }: { readonly account: AccountDetail }) {
  const t = useTexts('processors');
  const count = account.obligations?.open_disputes ?? 0;
  return (
    <Alert color={count > 0 ? 'orange' : 'gray'} role="note">
      {t('advice_removed')}
      {count > 0 && (
        <>
          {' '}
          {t.count('removed_disputes', count)}{' '}
          <ScopedLink to="/operator/disputes" underline="always">
            {t('open_disputes_link')}
          </ScopedLink>
        </>
      )}
    </Alert>
  );
}
