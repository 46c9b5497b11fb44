import { useTexts } from '../i18n/use-texts.ts';
import { Invitations } from '../pages/account/invitations.tsx';
import { EmptyState } from '../parts/feedback/empty-state.tsx';
import { LinkButton } from '../parts/page/links.tsx';
import { PageTitle } from '../parts/page/page-title.tsx';

/** Page for people without a membership. */
export function NoMerchant() {
  const t = useTexts('home');
  const common = useTexts('common');
  return (
    <>
      <PageTitle title={t('title')} />
      <Invitations />
      <EmptyState
        title={t('no_merchants')}
        hint={t('no_merchants_hint')}
        action={<LinkButton to="/new-business">{common('merchant_add')}</LinkButton>}
      />
    </>
  );
}
