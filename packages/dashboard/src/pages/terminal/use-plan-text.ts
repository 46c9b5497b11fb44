import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { useAmountText } from '../../parts/value/money.tsx';
import type { SubscriptionValues } from './subscription-draft.ts';

/** Returns in words what is charged when; empty while a day is missing. */
export function usePlanText(): (
  values: SubscriptionValues,
  cents: number,
  currency: string,
) => string {
  const t = useTexts('terminal');
  const locale = useLocale();
  const amountText = useAmountText();
  const dayText = (day: string) =>
    day && new Date(`${day}T12:00`).toLocaleDateString(locale, { dateStyle: 'medium' });
  return ({ period, start, startDay, chargesMax, endDay }, cents, currency) => {
    if (start !== 'now' && startDay === '') return '';
    const amount = amountText(cents, currency);
    const every = t(`every_${period}` as 'every_one_month');
    const texts = [
      t(`plan_${start}`, { amount, every, date: dayText(startDay) }),
      chargesMax !== '' && t.count('plan_charges', Number(chargesMax) || 0),
      endDay !== '' && t('plan_ends', { date: dayText(endDay) }),
    ];
    return texts.filter(Boolean).join(' ');
  };
}
