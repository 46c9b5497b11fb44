import { Alert, Breadcrumbs, Stack, Text } from '@mantine/core';
import { useDashboard } from '../../api/queries.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { LinkButton, ScopedLink } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { useParameter } from '../../parts/page/search.ts';
import { DefinitionPairs } from '../../parts/record/definition-pairs.tsx';
import { Section } from '../../parts/record/section.tsx';
import { Id } from '../../parts/value/copyable.tsx';
import { SafeLink } from '../../parts/value/safe-link.tsx';
import { MerchantActions } from './merchant-actions.tsx';
import { MerchantFlags } from './merchant-flags.tsx';
import { MerchantEnforcement, MerchantLog } from './merchant-log.tsx';
import { MerchantProcessors } from './merchant-processors.tsx';
import { Moment, StatusBadges } from './merchant-table.tsx';
import type { MerchantDetail } from './types.ts';

export function OperatorMerchant() {
  const t = useTexts('operator');
  const id = useParameter('id');
  const query = useDashboard<MerchantDetail>(`operator/merchants/${id}`);
  const merchant = query.data;
  return (
    <>
      <Breadcrumbs mb="xs">
        <ScopedLink to="/operator/merchants">{t('merchants')}</ScopedLink>
      </Breadcrumbs>
      <PageTitle
        title={merchant ? merchant.business_name || t('unnamed') : t('business')}
        aside={merchant && <StatusBadges standing={merchant.standing} />}
        actions={
          <LinkButton to={`/${id}/live`} variant="default">
            {t('visit')}
          </LinkButton>
        }
      />
      {query.error && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {merchant && (
        <Stack gap="lg">
          {!merchant.processing.live && (
            <Alert color="orange" role="note">
              {t('live_closed')}
            </Alert>
          )}
          <MerchantActions merchant={merchant} />
          <Profile merchant={merchant} />
          <MerchantProcessors merchant={merchant} />
          <MerchantFlags merchant={merchant} />
          <MerchantEnforcement merchant={merchant} />
          <MerchantLog merchant={merchant} />
        </Stack>
      )}
    </>
  );
}

const plainAttributes = [
  'business_description',
  'business_email',
  'business_support_email',
  'phone_number',
  'category_code',
  'owner_name',
  'owner_email',
] as const;

const instants = [
  'created_at',
  'submitted_at',
  'active_at',
  'reviewed_at',
  'review_due_at',
] as const;

function Profile({ merchant }: { readonly merchant: MerchantDetail }) {
  const t = useTexts('operator');
  const names = useNames();
  const website = merchant.business_website;
  const entityType = merchant.entity_type ? names.value(merchant.entity_type) : '–';
  return (
    <Section title={t('profile')}>
      <DefinitionPairs
        pairs={[
          { key: 'id', term: t('id'), value: <Id value={merchant.id} /> },
          ...plainAttributes.map((key) => ({ key, term: t(key), value: merchant[key] ?? '–' })),
          { key: 'entity_type', term: t('entity_type'), value: entityType },
          {
            key: 'website',
            term: t('website'),
            value: website ? <SafeLink href={website} /> : '–',
          },
          { key: 'bankrupt', term: t('bankrupt'), value: useYesNo(merchant.prior_bankruptcies) },
          ...instants.map((key) => ({ key, term: t(key), value: <Moment at={merchant[key]} /> })),
        ]}
      />
      <Counts merchant={merchant} />
    </Section>
  );
}

function useYesNo(value: boolean | null): string {
  const t = useTexts('common');
  if (value === null) return '–';
  return value ? t('yes') : t('no');
}

function Counts({ merchant: { counts, counted_max } }: { readonly merchant: MerchantDetail }) {
  const t = useTexts('operator');
  const locale = useLocale();
  const number = new Intl.NumberFormat(locale);
  return (
    <Text size="sm" mt="md">
      {Object.entries(counts)
        .map(([name, count]) => {
          const countText = count < counted_max ? number.format(count) : `${number.format(count)}+`;
          return `${t.find(`count_${name}`) ?? name}: ${countText}`;
        })
        .join(' · ')}
    </Text>
  );
}
