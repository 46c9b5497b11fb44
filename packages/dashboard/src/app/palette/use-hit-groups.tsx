import {
  isListedHit,
  type SearchHit,
  type SearchResults,
  type SearchTotal,
} from '@florin/contract/search.ts';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ResourceType } from '../../api/types.ts';
import { numberFormat } from '../../i18n/format-text.ts';
import { useEventName } from '../../i18n/use-event-name.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { useAddress } from '../../parts/page/links.tsx';
import { listPath, recordPath } from '../../parts/page/record-path.ts';
import type { IconName } from '../../parts/value/icon.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { useAmountText } from '../../parts/value/money.tsx';
import { PaymentBadge } from '../../parts/value/payment-badge.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import type { PaletteGroup, PaletteItem } from './item.ts';

const icons: Readonly<Record<string, IconName>> = {
  customers: 'customers',
  payment_demands: 'payments',
  payment_subscriptions: 'repeat',
  payment_links: 'link',
  merchant_tokens: 'key',
  events: 'pulse',
};

/** Types whose lists search by the same text. */
const searchedLists: Readonly<Record<string, 'payment_demands' | 'customers'>> = {
  payment_demands: 'payment_demands',
  customers: 'customers',
};

/** Returns a function that shows found records, grouped by type. */
export function useHitGroups(): (found: SearchResults, text: string) => readonly PaletteGroup[] {
  const t = useTexts('palette');
  const itemOf = useHitItem();
  const wholeOf = useWholeList();
  return ({ hits, totals }, text) => {
    const groups = Map.groupBy(hits, ({ type }) => (icons[type] ? type : 'others'));
    return [...groups].map(([type, ofType]) => {
      const shown = ofType.filter(isListedHit).length;
      const whole = wholeOf({ type, text, shown, total: totals[type] });
      return {
        id: type,
        title: t.find(`group_${type}`) ?? type,
        items: ofType.map(itemOf),
        ...(whole && { whole }),
      };
    });
  };
}

interface FoundType {
  readonly type: string;
  readonly text: string;
  readonly shown: number;
  readonly total: SearchTotal | undefined;
}

/** Returns a function that makes the item which leads from a few results to the list of all. */
function useWholeList(): (found: FoundType) => PaletteItem | undefined {
  const t = useTexts('palette');
  const format = numberFormat(useLocale());
  const address = useAddress();
  const navigate = useNavigate();
  return ({ type, text, shown, total }) => {
    const listed = searchedLists[type];
    if (!listed || !total || (total.count <= shown && !total.is_minimum)) return undefined;
    const count = `${format.format(total.count)}${total.is_minimum ? '+' : ''}`;
    return {
      id: `all ${type}`,
      icon: 'search',
      text: t(`show_all_${listed}`, { shown: format.format(shown), total: count }),
      opens_page: true,
      run: () => void navigate({ to: address(listPath(listed)), search: { q: text } }),
    };
  };
}

function useHitItem(): (hit: SearchHit) => PaletteItem {
  const address = useAddress();
  const navigate = useNavigate();
  const textOf = useHitText();
  const names = useNames();
  return (hit) => {
    const path = address(recordPath(hit.type as ResourceType, hit.id));
    return {
      id: path,
      icon: icons[hit.type] ?? 'list',
      text: textOf(hit),
      detail: <Detail hit={hit} kind={names.value(hit.detail ?? '')} />,
      ...(hit.status && { aside: <HitState hit={hit} status={hit.status} /> }),
      opens_page: true,
      recent_path: path,
      run: () => void navigate({ to: path }),
    };
  };
}

function HitState({ hit, status }: { readonly hit: SearchHit; readonly status: string }) {
  const { payment, amount_currency } = hit;
  if (!payment || !amount_currency) return <StateBadge state={status} />;
  return <PaymentBadge payment={{ ...payment, amount_currency }} />;
}

/** Returns a function that names a record: a payment by its amount and payer. */
function useHitText(): (hit: SearchHit) => string {
  const amountText = useAmountText();
  const names = useNames();
  const eventName = useEventName();
  return ({ type, id, title, detail, amount_cents, amount_currency }) => {
    if (type === 'events') return eventName(title ?? '');
    if (!icons[type]) return `${names.type(type)} ${id}`;
    const name = title ?? detail ?? id;
    return amount_cents && amount_currency
      ? `${amountText(amount_cents, amount_currency)} · ${name}`
      : name;
  };
}

/** Facts that tell a record from others with the same name. */
function Detail({ hit, kind }: { readonly hit: SearchHit; readonly kind: string }): ReactNode {
  const { type, detail, title, last_four, created_at } = hit;
  if (type === 'customers') return detail === title ? null : detail;
  if (type === 'merchant_tokens') return kind;
  return (
    <>
      {title && detail && `${detail} · `}
      {last_four && `•••• ${last_four} · `}
      {created_at && <Instant at={created_at} />}
    </>
  );
}
