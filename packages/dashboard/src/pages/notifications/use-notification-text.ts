import type { MemberNotification } from '@florin/contract/member-notifications.ts';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { useAlertText } from '../../parts/value/alert-text.ts';
import { useAmountText } from '../../parts/value/money.tsx';

/** Returns a function that writes a notification as a sentence. */
export function useNotificationText(): (notification: MemberNotification) => string {
  const t = useTexts('notifications');
  const amountText = useAmountText();
  const alertText = useAlertText();
  const dateFormat = new Intl.DateTimeFormat(useLocale(), { dateStyle: 'medium' });
  const dateOf = (at: string | undefined): string => (at ? dateFormat.format(new Date(at)) : '');
  return ({ kind, facts, more_count }) => {
    const { amount_cents, amount_currency = '', status } = facts;
    const key = kind === 'dispute_decided' ? decided(status) : kind;
    const text = t(key, {
      amount: amount_cents === undefined ? '' : amountText(amount_cents, amount_currency),
      deadline: dateOf(facts.evidence_due_at),
      since: dateOf(facts.failing_since),
      host: facts.host ?? '',
      message: (facts.alert && alertText(facts.alert)) ?? facts.message ?? '',
      author: facts.author ?? '',
    });
    return more_count === 0 ? text : `${text} (${t.count('more', more_count)})`;
  };
}

const decided = (status: string | undefined) => (status === 'won' ? 'dispute_won' : 'dispute_lost');
