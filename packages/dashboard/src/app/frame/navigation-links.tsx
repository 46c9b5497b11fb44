import { Link, useLocation } from '@tanstack/react-router';
import { holds, useMaybeScope } from '../../api/scope.ts';
import { useMe } from '../../api/session.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useAddress } from '../../parts/page/links.tsx';
import { Icon } from '../../parts/value/icon.tsx';
import { type NavigationGroup, navigation } from '../navigation.ts';
import classes from './frame.module.css';

/** Links to the pages that the person may see; operators also see the console. */
export function NavigationLinks() {
  const groups = useGroups();
  const address = useAddress();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const items = groups.flatMap((group) => group.items);
  const covering = items.find(({ covers }) => covers && isBelow(path, address(covers)));
  const addresses = items.map(({ to }) => address(to));
  const current = covering ? address(covering.to) : currentOf(addresses, path);
  return groups.map((group) => <Group key={group.text ?? ''} group={group} current={current} />);
}

const isBelow = (path: string, address: string): boolean =>
  path === address || path.startsWith(`${address}/`);

/** Returns the navigation path that is closest to the page's path. The start page matches only itself. */
function currentOf([start, ...otherPaths]: readonly string[], path: string): string | undefined {
  if (path === start) return start;
  return otherPaths.filter((to) => isBelow(path, to)).toSorted((a, b) => b.length - a.length)[0];
}

function useGroups(): readonly NavigationGroup[] {
  const scope = useMaybeScope();
  const { account } = useMe();
  return navigation
    .filter(({ operator }) => (operator ? account.operator : scope !== undefined))
    .map((group) => ({
      ...group,
      items: group.items.filter(
        ({ permission }) => group.operator || (scope && holds(scope, permission)),
      ),
    }))
    .filter(({ items }) => items.length > 0);
}

interface GroupProps {
  readonly group: NavigationGroup;
  readonly current: string | undefined;
}

function Group({ group: { text, items }, current }: GroupProps) {
  const t = useTexts('common');
  const address = useAddress();
  return (
    <>
      {text && <h2 className={classes.group}>{t(text)}</h2>}
      <ul className={classes.links}>
        {items.map((item) => (
          <li key={item.text}>
            <Link
              className={classes.link ?? ''}
              to={address(item.to)}
              activeOptions={{ exact: true, includeSearch: false }}
              {...(address(item.to) === current && { 'aria-current': 'page' as const })}
            >
              <Icon name={item.icon} />
              {t(item.text)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
