import { useLocalStorage } from '@mantine/hooks';
import type { Parameters } from '../../../api/queries.ts';
import { useScope } from '../../../api/scope.ts';

/** Maximum number of views of a business, and of characters of a name. */
export const VIEWS_MAX = 20;
export const NAME_MAX = 60;

/** Address of the list under a name. */
export interface SavedView {
  readonly name: string;
  readonly search: Parameters;
}

/** Views of the payments list, stored in this browser for the business. A view with a known name replaces the old one. */
export function useSavedViews(search: Parameters) {
  const { merchant } = useScope();
  const [views, store] = useLocalStorage<readonly SavedView[]>({
    key: `florin.views.payments.${merchant}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const without = (name: string) => views.filter((view) => view.name !== name);
  return {
    views,
    /** The view that the address shows. */
    current: views.find((view) => keyOf(view.search) === keyOf(search)),
    save: (name: string) => store([...without(name), { name, search }]),
    remove: (name: string) => store(without(name)),
  };
}

const keyOf = (search: Parameters): string => JSON.stringify(Object.entries(search).toSorted());
