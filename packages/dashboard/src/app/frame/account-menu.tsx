import { useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { callDashboard } from '../../api/client.ts';
import { isStatus } from '../../api/errors.ts';
import { useMaybeScope } from '../../api/scope.ts';
import { useMe } from '../../api/session.ts';
import { type Language, languageNames, languages } from '../../i18n/languages.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ChoiceBar } from '../../parts/form/choice-bar.tsx';
import { useGo } from '../../parts/page/links.tsx';
import { Icon } from '../../parts/value/icon.tsx';
import { HeaderMenu, MenuItem, MenuLabel, MenuLink } from './header-menu.tsx';

const themes = ['auto', 'light', 'dark'] as const;

/** Account, documentation, theme, language and sign-out. */
export function AccountMenu() {
  const t = useTexts('common');
  const { account, instance } = useMe();
  const scope = useMaybeScope();
  const go = useGo();
  const signOut = useSignOut();
  return (
    <HeaderMenu label={t('account_menu', { email: account.email })} target={<Icon name="person" />}>
      <MenuLabel>{account.email}</MenuLabel>
      <MenuItem onClick={() => go('/account')}>{t('account')}</MenuItem>
      {scope && <MenuItem onClick={() => go('notifications')}>{t('notifications')}</MenuItem>}
      <MenuLink href={`${instance.base_url}/docs`}>{t('documentation')}</MenuLink>
      <ThemeChoice />
      <LanguageChoice />
      <MenuItem onClick={signOut}>{t('sign_out')}</MenuItem>
    </HeaderMenu>
  );
}

function ThemeChoice() {
  const t = useTexts('common');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <MenuLabel>{t('theme')}</MenuLabel>
      <ChoiceBar
        isWide
        isSmall
        label={t('theme')}
        value={colorScheme}
        onChange={(theme) => setColorScheme(theme as (typeof themes)[number])}
        data={themes.map((theme) => ({ value: theme, label: t(`theme_${theme}`) }))}
      />
    </>
  );
}

function LanguageChoice() {
  const t = useTexts('common');
  const { language, choose } = useLanguage();
  return (
    <>
      <MenuLabel>{t('language')}</MenuLabel>
      <ChoiceBar
        isVertical
        isSmall
        label={t('language')}
        value={language}
        onChange={(tag) => choose(tag as Language)}
        data={languages.map((tag) => ({
          value: tag,
          label: <span lang={tag}>{languageNames[tag]}</span>,
        }))}
      />
    </>
  );
}

/** Returns a function that ends the session and leads to the sign-in. */
export function useSignOut(): () => void {
  const t = useTexts('common');
  const notify = useNotify();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const end = useMutation({
    mutationFn: endSession,
    onSuccess: () => {
      queries.clear();
      return navigate({ to: '/sign-in', search: {} });
    },
    onError: () => notify(t('sign_out_failed'), 'problem'),
  });
  return () => end.mutate();
}

/** Ends the session. A session that has already expired counts as signed out. */
async function endSession(): Promise<void> {
  try {
    await callDashboard('session', { method: 'DELETE' });
  } catch (error) {
    if (!isStatus(error, 401)) throw error;
  }
}
