import { Link } from '@tanstack/react-router';
import { useMaybeScope } from '../../api/scope.ts';
import { useMe } from '../../api/session.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useAddress } from '../../parts/page/links.tsx';
import { Icon, type IconName } from '../../parts/value/icon.tsx';
import { CONSOLE_START, type NavigationGroup } from '../navigation.ts';
import classes from './frame.module.css';
import { useNavigation } from './use-navigation.ts';

/** Links to the pages that the person may see. Operators switch between a merchant's menu and their console. */
export function NavigationLinks() {
  const { groups, item, isConsole } = useNavigation();
  return (
    <>
      {groups.map((group) => (
        <Group key={group.text ?? ''} group={group} current={item?.text} />
      ))}
      <ConsoleSwitch isConsole={isConsole} />
    </>
  );
}

/** Leads operators to their console, and back to the merchant. */
function ConsoleSwitch({ isConsole }: { readonly isConsole: boolean }) {
  const t = useTexts('common');
  const { account } = useMe();
  const scope = useMaybeScope();
  if (!account.operator || (isConsole && !scope)) return null;
  return (
    <ul className={classes.switch}>
      {isConsole ? (
        <Entry to="" icon="back" text={t('nav_to_business')} />
      ) : (
        <Entry to={CONSOLE_START} icon="console" text={t('nav_to_console')} />
      )}
    </ul>
  );
}

interface GroupProps {
  readonly group: NavigationGroup;
  /** Text of the page's entry. */
  readonly current: string | undefined;
}

function Group({ group: { text, items }, current }: GroupProps) {
  const t = useTexts('common');
  return (
    <>
      {text && <h2 className={classes.group}>{t(text)}</h2>}
      <ul className={classes.links}>
        {items.map((item) => (
          <Entry
            key={item.text}
            to={item.to}
            icon={item.icon}
            text={t(item.text)}
            isCurrent={item.text === current}
          />
        ))}
      </ul>
    </>
  );
}

interface EntryProps {
  readonly to: string;
  readonly icon: IconName;
  readonly text: string;
  readonly isCurrent?: boolean;
}

function Entry({ to, icon, text, isCurrent = false }: EntryProps) {
  const address = useAddress();
  return (
    <li>
      <Link
        className={classes.link ?? ''}
        to={address(to)}
        activeOptions={{ exact: true, includeSearch: false }}
        {...(isCurrent && { 'aria-current': 'page' as const })}
      >
        <Icon name={icon} />
        {text}
      </Link>
    </li>
  );
}
