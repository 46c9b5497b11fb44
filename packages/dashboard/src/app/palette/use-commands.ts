import { useMantineColorScheme } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { holds, useMaybeScope } from '../../api/scope.ts';
import { useMe } from '../../api/session.ts';
import type { Mode } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useAddress } from '../../parts/page/links.tsx';
import type { IconName } from '../../parts/value/icon.tsx';
import { useSignOut } from '../frame/account-menu.tsx';
import { pathInScope } from '../frame/switch-path.ts';
import { useNavigationPages } from '../frame/use-navigation.ts';
import { storedMode } from '../start.ts';
import type { PaletteItem } from './item.ts';

/** Returns other words that people may type for a page or action. */
function useSynonyms(): (name: string) => Pick<PaletteItem, 'also'> {
  const t = useTexts('palette');
  return (name) => {
    const also = t.find(`also_${name}`);
    return also === undefined ? {} : { also };
  };
}

/** Pages of the navigation that the person may open. */
export function usePageItems(): readonly PaletteItem[] {
  const t = useTexts('common');
  const alsoOf = useSynonyms();
  const address = useAddress();
  const navigate = useNavigate();
  return useNavigationPages().map(({ text, to, icon, group }) => ({
    id: `page ${to}`,
    icon,
    text: t(text),
    ...alsoOf(text),
    ...(group && { detail: t(group) }),
    opens_page: true,
    run: () => void navigate({ to: address(to) }),
  }));
}

const creations = [
  ['new_payment', 'payments/new', 'payments', 'transaction.payment_demands.create'],
  ['new_subscription', 'subscriptions/new', 'repeat', 'transaction.payment_subscriptions.create'],
  ['new_customer', 'records/customers', 'customers', 'consumer.customers.create'],
  ['new_link', 'payment-links', 'link', 'transaction.payment_links.create'],
  ['new_key', 'developers/keys', 'key', 'user.merchant_tokens.create'],
] as const;
/** Forms of what needs a payment processor. */
const PAID: ReadonlySet<string> = new Set(['new_payment', 'new_subscription', 'new_link']);

/** Forms that the person may use. Their pages open them. */
export function useCreations(): readonly PaletteItem[] {
  const t = useTexts('palette');
  const alsoOf = useSynonyms();
  const scope = useMaybeScope();
  const address = useAddress();
  const navigate = useNavigate();
  if (!scope) return [];
  return creations
    .filter(([, , , permission]) => holds(scope, permission))
    .filter(([key]) => scope.takes_payments || !PAID.has(key))
    .map(([key, to, icon]) => ({
      id: key,
      icon,
      text: t(key),
      ...alsoOf(key),
      opens_page: true,
      run: () => void navigate({ to: address(to), state: { opens: 'new' } }),
    }));
}

/** Switches of mode, business and theme, and the end of the session. */
export function useSwitches(): readonly PaletteItem[] {
  const t = useTexts('palette');
  const common = useTexts('common');
  const alsoOf = useSynonyms();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const theme = colorScheme === 'dark' ? 'light' : 'dark';
  const item = (id: string, icon: IconName, text: string, run: () => void): PaletteItem => ({
    id,
    icon,
    text,
    ...alsoOf(id),
    opens_page: id !== 'theme',
    run,
  });
  return [
    ...useScopeSwitches(),
    item('theme', 'sun', t(`theme_${theme}`), () => setColorScheme(theme)),
    item('account', 'person', common('account'), () => void navigate({ to: '/account' })),
    item('sign_out', 'close', common('sign_out'), signOut),
  ];
}

function useScopeSwitches(): PaletteItem[] {
  const t = useTexts('palette');
  const common = useTexts('common');
  const alsoOf = useSynonyms();
  const { merchants } = useMe();
  const scope = useMaybeScope();
  const navigate = useNavigate();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const otherMode: Mode = scope?.mode === 'live' ? 'sandbox' : 'live';
  const goTo = (merchant: string, mode: Mode) => () =>
    void navigate({ to: scope ? pathInScope(path, { merchant, mode }) : `/${merchant}/${mode}` });
  const ofMode: PaletteItem[] = scope
    ? [
        {
          id: 'mode',
          icon: 'flask',
          text: t(`switch_${otherMode}`),
          ...alsoOf('mode'),
          opens_page: true,
          run: goTo(scope.merchant, otherMode),
        },
      ]
    : [];
  const ofMerchants = merchants
    .filter(({ id }) => id !== scope?.merchant)
    .map(({ id, business_name }) => ({
      id: `business ${id}`,
      icon: 'building' as const,
      text: t('switch_business', { name: business_name || common('merchant_unnamed') }),
      opens_page: true,
      run: goTo(id, scope?.mode ?? storedMode()),
    }));
  return [...ofMode, ...ofMerchants];
}
