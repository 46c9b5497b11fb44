import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/use-texts.ts';
import { useAddress } from '../../parts/page/links.tsx';
import classes from './section-tabs.module.css';
import { useNavigation } from './use-navigation.ts';

/** Links to the pages of the same entry of the menu, above each of them. */
export function SectionTabs() {
  const t = useTexts('common');
  const address = useAddress();
  const { item, tab } = useNavigation();
  if (!item?.tabs || item.tabs.length < 2) return null;
  return (
    <nav aria-label={t(item.text)} className={classes.tabs}>
      {item.tabs.map(({ text, to }) => (
        <Link
          key={to}
          className={classes.tab ?? ''}
          to={address(to)}
          activeOptions={{ exact: true, includeSearch: false }}
          {...(to === tab?.to && { 'aria-current': 'page' as const })}
        >
          {t(text)}
        </Link>
      ))}
    </nav>
  );
}
