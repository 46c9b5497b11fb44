import { useLocation } from '@tanstack/react-router';
import { type CurrentScope, holds, useMaybeScope } from '../../api/scope.ts';
import { useMe } from '../../api/session.ts';
import { useAddress } from '../../parts/page/links.tsx';
import {
  consoleNavigation,
  isInConsole,
  type NavigationGroup,
  type NavigationItem,
  type NavigationTab,
  navigation,
} from '../navigation.ts';

export interface Navigation {
  readonly isConsole: boolean;
  /** Groups with the entries that the person may see. */
  readonly groups: readonly NavigationGroup[];
  /** Entry of the page. */
  readonly item: NavigationItem | undefined;
  /** Tab of the page; the entry itself if it has no tabs. */
  readonly tab: NavigationTab | undefined;
}

/** The menu for the page's path: the operator's console or the merchant's. */
export function useNavigation(): Navigation {
  const scope = useMaybeScope();
  const address = useAddress();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isConsole = isInConsole(path);
  const groups = isConsole ? consoleNavigation : scope ? allowedGroups(scope) : [];
  const candidates = groups
    .flatMap(({ items }) => items)
    .flatMap((item) => (item.tabs ?? [item]).map((tab) => ({ item, tab })))
    .map((candidate) => ({ ...candidate, match: matchOf(candidate.tab, path, address) }));
  const closest = candidates.toSorted((a, b) => b.match - a.match)[0];
  const current = closest && closest.match > 0 ? closest : undefined;
  return { isConsole, groups, item: current?.item, tab: current?.tab };
}

interface NavigationPage extends NavigationItem {
  /** Text of the group or entry that contains the page. */
  readonly group: NavigationGroup['text'] | NavigationItem['text'];
}

/** Pages of the menu for the command palette, with the group or entry that contains them. */
export function useNavigationPages(): readonly NavigationPage[] {
  const scope = useMaybeScope();
  const { account } = useMe();
  const groups = [
    ...(scope ? allowedGroups(scope) : []),
    ...(account.operator ? consoleNavigation : []),
  ];
  return groups.flatMap(({ text, items }) =>
    items.flatMap((item): readonly NavigationPage[] =>
      item.tabs
        ? item.tabs.map((tab) => ({ ...tab, icon: item.icon, group: item.text }))
        : [{ ...item, group: text }],
    ),
  );
}

/** Length of the longest path of a page that contains `path`; 0 if none does. The start page contains only itself. */
function matchOf(
  { to, covers = [] }: NavigationTab,
  path: string,
  address: (to: string) => string,
): number {
  if (to === '') return path === address(to) ? path.length : 0;
  const addresses = [to, ...covers].map(address).filter((it) => isBelow(path, it));
  return Math.max(0, ...addresses.map(({ length }) => length));
}

const isBelow = (path: string, address: string): boolean =>
  path === address || path.startsWith(`${address}/`);

const allowedGroups = (scope: CurrentScope): readonly NavigationGroup[] =>
  navigation
    .map((group) => ({
      ...group,
      items: group.items.flatMap((item) => allowedItem(item, scope) ?? []),
    }))
    .filter(({ items }) => items.length > 0);

function allowedItem(item: NavigationItem, scope: CurrentScope): NavigationItem | undefined {
  const isAllowed = ({ permission, isAllowed = () => true }: NavigationTab) =>
    holds(scope, permission) && isAllowed(scope);
  if (!item.tabs) return isAllowed(item) ? item : undefined;
  const tabs = item.tabs.filter(isAllowed);
  return tabs[0] && { ...item, to: tabs[0].to, tabs };
}
