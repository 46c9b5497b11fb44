import { Burger, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMaybeScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Brand } from '../../parts/page/brand.tsx';
import { PaletteButton } from '../palette/palette-button.tsx';
import { AccountMenu } from './account-menu.tsx';
import classes from './frame.module.css';
import { MerchantSwitch } from './merchant-switch.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { NotificationBell } from './notification-bell.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

export function Header({ isOpen, toggle }: Props) {
  const t = useTexts('common');
  const scope = useMaybeScope();
  return (
    <Group h={60} px="md" justify="space-between" wrap="nowrap" gap="xs">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <Burger
          opened={isOpen}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-expanded={isOpen}
          aria-label={isOpen ? t('close_navigation') : t('open_navigation')}
        />
        <Link to="/" className={classes.brand ?? ''}>
          <Brand yields />
        </Link>
        <MerchantSwitch />
      </Group>
      <Group gap="xs" wrap="nowrap">
        <PaletteButton />
        {scope && <ModeSwitch scope={scope} />}
        <NotificationBell />
        <AccountMenu />
      </Group>
    </Group>
  );
}
