import { useLocation, useNavigate } from '@tanstack/react-router';
import { useMaybeScope } from '../../api/scope.ts';
import { useMe } from '../../api/session.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { storedMode } from '../start.ts';
import { HeaderMenu, MenuItem, MenuLabel } from './header-menu.tsx';
import classes from './merchant-switch.module.css';
import { pathInScope } from './switch-path.ts';

/** Shows the current merchant and lets the person switch to another. */
export function MerchantSwitch() {
  const t = useTexts('common');
  const { merchants } = useMe();
  const scope = useMaybeScope();
  const navigate = useNavigate();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const nameOf = (name: string | null | undefined) => name || t('merchant_unnamed');
  const current = scope ? nameOf(scope.business_name) : t('merchant_choose');
  if (!scope && merchants.length === 0) return null;
  const goToMerchant = (merchant: string) =>
    void navigate({
      to: scope ? pathInScope(path, { ...scope, merchant }) : `/${merchant}/${storedMode()}`,
    });
  return (
    <HeaderMenu
      label={`${t('merchant')}: ${current}`}
      target={<span className={classes.current}>{current}</span>}
    >
      <MenuLabel>{t('merchant')}</MenuLabel>
      {merchants.map(({ id, business_name }) => (
        <MenuItem key={id} isCurrent={id === scope?.merchant} onClick={() => goToMerchant(id)}>
          {nameOf(business_name)}
        </MenuItem>
      ))}
      <MenuItem onClick={() => void navigate({ to: '/new-business' })}>
        {t('merchant_add')}
      </MenuItem>
    </HeaderMenu>
  );
}
