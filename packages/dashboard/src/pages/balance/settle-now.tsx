import type { SettledOnRequest } from '@florin/contract/settled-on-request.ts';
import { Box, Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/errors.ts';
import { useDashboardWrite } from '../../api/queries.ts';
import { useCan, useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { recordPath } from '../../parts/page/record-path.ts';
import { useAmountText } from '../../parts/value/money.tsx';

/** Permissions that the button needs. */
export const SETTLE_PERMISSIONS = [
  'transaction.payouts.read',
  'transaction.balances.read',
  'transaction.settlement_exceptions.update',
] as const;

/** Settles the sandbox and pays it out at the press of a button. Nothing in live mode, and without the permissions. */
export function SettleNow() {
  const { mode } = useScope();
  const can = useCan();
  return mode === 'sandbox' && SETTLE_PERMISSIONS.every(can) && <SettleButton />;
}

function SettleButton() {
  const t = useTexts('balance');
  const queries = useQueryClient();
  const settle = useDashboardWrite<object, SettledOnRequest>('sandbox/settlement', 'POST');
  const run = () =>
    settle.mutate({}, { onSuccess: () => queries.invalidateQueries({ queryKey: ['v2'] }) });
  return (
    <Box mb="md">
      <Button variant="default" size="xs" loading={settle.isPending} onClick={run}>
        {t('settle_now')}
      </Button>
      <Text size="sm" c="dimmed" mt={4}>
        {t('settle_now_hint')}
      </Text>
      {settle.error && <SettleProblem error={settle.error} />}
      <Box role="status">{settle.data && <Settled result={settle.data} />}</Box>
    </Box>
  );
}

/** Names the wait in the person's language if settlements are limited now. */
function SettleProblem({ error }: { readonly error: unknown }) {
  const t = useTexts('balance');
  const problems = error instanceof ApiError ? error.problems : [];
  const shown = problems.map((problem) =>
    problem.code === 'rate_limited' && problem.meta?.retry_after_seconds !== undefined
      ? {
          ...problem,
          text: t('settle_limited', { seconds: String(problem.meta.retry_after_seconds) }),
          detail: '',
        }
      : problem,
  );
  return <ProblemAlert error={error} problems={shown} />;
}

/** Says what was settled, and leads to the payouts. */
function Settled({ result }: { readonly result: SettledOnRequest }) {
  const t = useTexts('balance');
  const textOf = useAmountText();
  const { settled_count, payouts, has_more } = result;
  return (
    <Text size="sm" mt="xs">
      {t.count('settle_done', settled_count)}{' '}
      {payouts.length === 0 && !has_more && t('settle_no_payout')}
      {payouts.map(({ id, amount_cents, amount_currency }) => (
        <ScopedLink key={id} to={recordPath('payouts', id)}>
          {t('payout_of', { amount: textOf(amount_cents, amount_currency) })}
        </ScopedLink>
      ))}
      {has_more && t('settle_more')}
    </Text>
  );
}
