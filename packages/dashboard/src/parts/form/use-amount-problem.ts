import { exponentOf } from '@florin/contract/money.ts';
import type { AmountProblem } from '@florin/contract/typed-amounts.ts';
import { useTexts } from '../../i18n/use-texts.ts';

export function useAmountProblem(): (problem: AmountProblem, currency: string) => string {
  const t = useTexts('records');
  return (problem, currency) => {
    if (problem === 'not_an_amount') return t('not_an_amount');
    const digits = exponentOf(currency.toUpperCase());
    if (digits === 0) return t('no_digits', { currency });
    return t('too_many_digits', { currency, count: digits });
  };
}
