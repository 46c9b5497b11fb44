import { amountText } from '@florin/contract/money.ts';
import { useLocale } from '../../i18n/use-texts.ts';
import classes from './value.module.css';

interface Props {
  /** Amount in minor units. */
  readonly cents: number | string;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Shows a plus sign before amounts above 0. */
  readonly isSigned?: boolean;
}

/** An amount in the person's locale. */
export function Money({ cents, currency, isSigned = false }: Props) {
  const textOf = useAmountText();
  const sign = isSigned && Number(cents) > 0 ? '+' : '';
  return <span className={classes.number}>{`${sign}${textOf(cents, currency)}`}</span>;
}

/** Returns a formatter of amounts for headings and sentences. */
export function useAmountText(): (cents: Props['cents'], currency: string) => string {
  const locale = useLocale();
  return (cents, currency) => amountText(String(cents), currency.toUpperCase(), locale);
}
