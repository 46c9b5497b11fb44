import { Alert } from '@mantine/core';
import { useScope } from '../../api/scope.ts';
import { useMe } from '../../api/session.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';

/** Link to an incomplete registration, shown on every live page. */
export function SetUpNote() {
  const t = useTexts('common');
  const { merchant, mode } = useScope();
  const ownMerchant = useMe().merchants.find(({ id }) => id === merchant);
  if (mode === 'live' || !ownMerchant || ownMerchant.submitted || ownMerchant.approved) return null;
  return (
    <Alert color="blue" mb="md" role="note">
      {t('merchant_status_unapproved')}{' '}
      <ScopedLink to="setup" underline="always">
        {t('merchant_status_set_up')}
      </ScopedLink>
    </Alert>
  );
}
