import {
  type PaymentTab,
  paymentTabs,
  type TabCount,
  type TabCounts,
} from '@florin/contract/payment-tabs.ts';
import { numberFormat } from '../../../i18n/format-text.ts';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { ViewChoice } from '../../../parts/table/view-choice.tsx';
import { useMayReadRefunds } from '../../home/use-may-read-refunds.ts';
import classes from './tab-bar.module.css';

/** The shown tab, and a function that opens another one. */
export interface TabProps {
  readonly shown: PaymentTab;
  readonly open: (tab: PaymentTab) => void;
}

/** Tabs of the payments list, with the counts that are known. */
export function TabBar({ shown, open, counts }: TabProps & { readonly counts: TabCounts }) {
  const t = useTexts('payments');
  const mayReadRefunds = useMayReadRefunds();
  const tabs = paymentTabs.filter((tab) => tab !== 'refunded' || mayReadRefunds);
  return (
    <ViewChoice
      label={t('tabs')}
      shown={shown}
      choose={open}
      views={tabs.map((value) => ({
        value,
        label: (
          <>
            {t(`tab_${value}`)} <Count of={counts[value]} />
          </>
        ),
      }))}
    />
  );
}

function Count({ of: count }: { readonly of: TabCount | undefined }) {
  const locale = useLocale();
  if (!count) return null;
  return (
    <span className={classes.count}>
      {numberFormat(locale).format(count.count)}
      {count.is_minimum && '+'}
    </span>
  );
}
