import { Alert, Anchor, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ScopeContext, useMaybeScope } from '../../api/scope.ts';
import { useMe } from '../../api/session.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { ConfirmDialogs } from '../confirm-dialogs.tsx';
import { LiveFactorSoon } from '../live-factor.tsx';
import { isInConsole } from '../navigation.ts';
import { PhonePaletteButton } from '../palette/palette-button.tsx';
import { ScopeProvider, useLastingScope } from '../scope-provider.tsx';
import { useIdleLimit } from '../use-idle-limit.ts';
import classes from './frame.module.css';
import { Header } from './header.tsx';
import { NavigationLinks } from './navigation-links.tsx';
import { PhoneNotifications } from './notification-bell.tsx';
import { SectionTabs } from './section-tabs.tsx';

/** Header and navigation around every page behind the sign-in. */
export function Frame() {
  useIdleLimit();
  return (
    <ScopeProvider>
      <ConfirmDialogs />
      <Shell />
    </ScopeProvider>
  );
}

function Shell() {
  const t = useTexts('common');
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const path = useLocation({ select: ({ pathname }) => pathname });
  const lastingScope = useLastingScope();
  // The operator's console belongs to no merchant.
  const shownScope = isInConsole(path) ? undefined : lastingScope;
  const isSandbox = shownScope?.mode === 'sandbox';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes after each navigation.
  useEffect(close, [path]);
  return (
    <>
      <a href="#content" className={classes.skip}>
        {t('skip')}
      </a>
      <header className={classes.header}>
        {isSandbox && <div className={classes.sandbox}>{t('sandbox_bar')}</div>}
        <ScopeContext value={shownScope}>
          <Header isOpen={isOpen} toggle={toggle} />
        </ScopeContext>
      </header>
      <div className={classes.body} data-sandbox={isSandbox}>
        <nav className={classes.navigation} data-open={isOpen} aria-label={t('navigation')}>
          <ScopeContext value={lastingScope}>
            <PhonePaletteButton />
            <PhoneNotifications />
            <NavigationLinks />
          </ScopeContext>
        </nav>
        <main id="content" tabIndex={-1} className={classes.main}>
          <FactorNeeded />
          <LiveFactorSoon />
          <NoProcessor />
          <MerchantStatus />
          <SectionTabs />
          <Outlet />
        </main>
      </div>
    </>
  );
}

/** Tells an operator without a second factor why the console is closed. */
function FactorNeeded() {
  const t = useTexts('common');
  if (!useMe().account.needs_factor) return null;
  return (
    <Alert color="orange" mb="md" role="note">
      {t('needs_factor')}{' '}
      <Anchor component={Link} to="/account" fz="inherit" underline="always">
        {t('needs_factor_link')}
      </Anchor>
    </Alert>
  );
}

/** Warns on every live page that no processor takes cards, and links to the sandbox. */
function NoProcessor() {
  const t = useTexts('common');
  const scope = useMaybeScope();
  if (!scope || scope.takes_payments) return null;
  return (
    <Alert color="orange" mb="md" role="note">
      <Text fw={600} fz="inherit">
        {t('no_processor_title')}
      </Text>
      <NextStep merchant={scope.merchant} />{' '}
      <Anchor component={Link} to={`/${scope.merchant}/sandbox`} fz="inherit" underline="always">
        {t('no_processor_sandbox')}
      </Anchor>
    </Alert>
  );
}

/** Says what live payments lack. After the approval it is only the processor account, which operators connect. */
function NextStep({ merchant }: { readonly merchant: string }) {
  const t = useTexts('common');
  const { account, merchants } = useMe();
  if (account.operator) {
    return (
      <>
        {t('no_processor_operator')}{' '}
        <ScopedLink to="/operator/processors" underline="always">
          {t('no_processor_connect')}
        </ScopedLink>
      </>
    );
  }
  const isApproved = merchants.find(({ id }) => id === merchant)?.approved;
  return t(isApproved ? 'no_processor_ask' : 'no_processor_text');
}

/** Warnings about the merchant, shown above each of its pages. */
function MerchantStatus() {
  const t = useTexts('common');
  const scope = useMaybeScope();
  const text = scope?.is_visit ? t('visit_bar') : t.find(`merchant_status_${scope?.standing}`);
  if (!scope || !text) return null;
  const isHeld = !scope.is_visit && scope.standing !== 'unapproved';
  return (
    <Alert color={isHeld ? 'red' : 'blue'} mb="md" role="note">
      {text} {scope.standing === 'unapproved' && <SetUpLink merchant={scope.merchant} />}
    </Alert>
  );
}

/** Link to the registration, shown until the business has completed it. */
function SetUpLink({ merchant }: { readonly merchant: string }) {
  const t = useTexts('common');
  const ownMerchant = useMe().merchants.find(({ id }) => id === merchant);
  return ownMerchant && !ownMerchant.submitted ? (
    <ScopedLink to="setup" underline="always">
      {t('merchant_status_set_up')}
    </ScopedLink>
  ) : null;
}
