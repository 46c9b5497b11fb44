import { useNavigate } from '@tanstack/react-router';
import { useMaybeScope } from '../../api/scope.ts';
import { useMe } from '../../api/session.ts';
import { useTexts } from '../../i18n/use-texts.ts';

import { matchingItems, type PaletteGroup, type PaletteItem } from './item.ts';
import { readRecent } from './recent.ts';
import { useCreations, usePageItems, useSwitches } from './use-commands.ts';

/** Owner of recent records: the account, with the merchant and mode of the page. */
export function useRecentOwner(): string {
  const scope = useMaybeScope();
  return [useMe().account.id, scope?.merchant, scope?.mode].join(' ');
}

/** Recent records, actions and pages that match the text; all of them without a text. */
export function useCommandGroups(text: string): readonly PaletteGroup[] {
  const t = useTexts('palette');
  const actions = [...useCreations(), ...useSwitches()];
  const groups = [
    { id: 'recent', title: t('group_recent'), items: useRecentItems() },
    { id: 'actions', title: t('group_actions'), items: actions },
    { id: 'pages', title: t('group_pages'), items: usePageItems() },
  ];
  return groups
    .map((group) => ({ ...group, items: matchingItems(group.items, text) }))
    .filter(({ items }) => items.length > 0);
}

function useRecentItems(): readonly PaletteItem[] {
  const owner = useRecentOwner();
  const navigate = useNavigate();
  return readRecent(owner).map(({ path, ...shown }) => ({
    ...shown,
    id: `recent ${path}`,
    opens_page: true,
    recent_path: path,
    run: () => void navigate({ to: path }),
  }));
}
