import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { LinkButton } from '../../../parts/page/links.tsx';
import { DefinitionPairs } from '../../../parts/record/definition-pairs.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { Id } from '../../../parts/value/copyable.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import type { ProcessorAccount } from '../types.ts';
import { useProcessorKinds, useProcessorName } from '../use-processors.ts';
import { isYesOrNo, isYesOrNoValue } from '../yes-or-no.ts';
import { AccountMerchant, CheckResult, NotificationAddress } from './account-facts.tsx';

interface Props {
  readonly account: ProcessorAccount;
}

export function AccountOverview({ account }: Props) {
  const t = useTexts('processors');
  const processorName = useProcessorName();
  return (
    <Section title={t('overview')}>
      <DefinitionPairs
        pairs={[
          { key: 'processor', term: t('processor'), value: processorName(account.processor) },
          { key: 'mode', term: t('mode'), value: t(account.mode) },
          { key: 'merchant', term: t('merchant'), value: <AccountMerchant account={account} /> },
          ...(account.status === 'removed'
            ? []
            : [{ key: 'check', term: t('last_check'), value: <CheckResult account={account} /> }]),
          {
            key: 'address',
            term: t('notification_address'),
            value: <NotificationAddress account={account} />,
          },
          { key: 'created', term: t('created'), value: <Instant at={account.created_at} /> },
          { key: 'id', term: t('id'), value: <Id value={account.id} /> },
        ]}
      />
    </Section>
  );
}

/** Settings of the processor, and restrictions. */
export function AccountSettings({ account }: Props) {
  const t = useTexts('processors');
  const common = useTexts('common');
  const names = useNames();
  const kinds = useProcessorKinds().data?.data ?? [];
  const fields = kinds.find(({ name }) => name === account.processor)?.fields ?? [];
  const fieldOf = (name: string) => fields.find((field) => field.name === name);
  const shownValue = (name: string, value: string) =>
    isYesOrNo(fieldOf(name)) && isYesOrNoValue(value) ? common(value) : value;
  return (
    <Section
      title={t('settings')}
      actions={
        account.status !== 'removed' && (
          <LinkButton to={`/operator/processors/${account.id}/edit`} variant="default" size="xs">
            {t('edit')}
          </LinkButton>
        )
      }
    >
      <DefinitionPairs
        pairs={[
          ...Object.entries(account.settings).map(([name, value]) => ({
            key: name,
            term: fieldOf(name)?.label ?? name,
            value: shownValue(name, value),
          })),
          {
            key: 'currencies',
            term: t('currencies'),
            value: account.currencies?.join(', ') ?? t('all_currencies'),
          },
          {
            key: 'networks',
            term: t('networks'),
            value: account.networks?.map(names.value).join(', ') ?? t('all_networks'),
          },
          {
            key: 'descriptor',
            term: t('descriptor'),
            value: account.descriptor ?? t('default_descriptor'),
          },
        ]}
      />
    </Section>
  );
}
