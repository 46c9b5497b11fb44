import { useLocation, useNavigate } from '@tanstack/react-router';
import type { CurrentScope } from '../../api/scope.ts';
import type { Mode } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ChoiceBar } from '../../parts/form/choice-bar.tsx';
import classes from './mode-switch.module.css';
import { pathInScope } from './switch-path.ts';

/** The only control that switches between live and sandbox. */
export function ModeSwitch({ scope }: { readonly scope: CurrentScope }) {
  const t = useTexts('common');
  const navigate = useNavigate();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const goToMode = (mode: string) =>
    void navigate({ to: pathInScope(path, { merchant: scope.merchant, mode: mode as Mode }) });
  return (
    <ChoiceBar
      isSmall
      label={t('mode')}
      value={scope.mode}
      onChange={goToMode}
      data={[
        { value: 'sandbox', label: t('mode_sandbox') },
        { value: 'live', label: <LiveLabel isOff={!scope.live_takes_payments} /> },
      ]}
    />
  );
}

/** Phones have no room for the part in brackets, which screen readers read on all windows. */
function LiveLabel({ isOff }: { readonly isOff: boolean }) {
  const t = useTexts('common');
  const name = t('mode_live');
  if (!isOff) return name;
  return (
    <>
      {name}
      <span className={classes.off}>{t('mode_live_off').slice(name.length)}</span>
    </>
  );
}
