import {
  type PaymentTab,
  paymentTabs,
  type TabCount,
  type TabCounts,
} from '@florin/contract/payment-tabs.ts';
import { useDashboard } from '../../../api/queries.ts';
import { numberFormat } from '../../../i18n/format-text.ts';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { ViewChoice } from '../../../parts/table/view-choice.tsx';
import classes from './tab-bar.module.css';
import { useMayReadRefunds } from './use-may-read-refunds.ts';

interface Props {
  readonly shown: PaymentTab;
  /** Whether the list has filters. Counts are of whole tabs, so they would mislead. */
  readonly isFiltered: boolean;
  readonly open: (tab: PaymentTab) => void;
}

/** Tabs of the payments list, with counts up to a limit. */
export function TabBar({ shown, isFiltered, open }: Props) {
  const t = useTexts('payments');
  const mayReadRefunds = useMayReadRefunds();
  const { data } = useDashboard<TabCounts>('payments/counts', { enabled: !isFiltered });
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
            {t(`tab_${value}`)} {!isFiltered && <Count of={data?.[value]} />}
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
