import { useLocation, useNavigate } from '@tanstack/react-router';
import type { CurrentScope } from '../../api/scope.ts';
import type { Mode } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ChoiceBar } from '../../parts/form/choice-bar.tsx';
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
        { value: 'live', label: t(scope.live_takes_payments ? 'mode_live' : 'mode_live_off') },
      ]}
    />
  );
}
