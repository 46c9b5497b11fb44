import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useMembers } from '../team/use-team.ts';

export interface Filters {
  /** Part of the action's route. */
  readonly action?: string;
  /** Account id. */
  readonly account?: string;
  /** Record id. */
  readonly record?: string;
}

/** Types of the records that members change most, in the order of the navigation. */
const TYPES = [
  'payment_demands',
  'refund_demands',
  'customers',
  'payment_subscriptions',
  'payment_links',
  'disputes',
  'merchant_tokens',
  'webhook_subscriptions',
  'merchants',
  'memberships',
] as const;

export function AuditFilters({ onChange }: { readonly onChange: (filters: Filters) => void }) {
  const t = useTexts('audit');
  const topics = useTopics();
  const members = useMembers({ former: true }).data ?? [];
  const form = useForm({ initialValues: { action: '', account: '', record: '' } });
  const names = members.flatMap(({ account_id, name, email }): [string, string][] =>
    account_id ? [[account_id, name ?? email]] : [],
  );
  // A person who was removed and invited again has two memberships, but is listed once.
  const people = [...new Map(names)].map(([value, label]) => ({ value, label }));
  return (
    <form onSubmit={form.onSubmit((filters) => onChange(filters))}>
      <Group align="end" mb="md">
        <NativeSelect label={t('filter_topic')} data={topics} {...form.getInputProps('action')} />
        <NativeSelect
          label={t('filter_person')}
          data={[{ value: '', label: t('all') }, ...people]}
          {...form.getInputProps('account')}
        />
        <TextInput label={t('filter_record')} {...form.getInputProps('record')} />
        <Button type="submit" variant="default">
          {t('apply')}
        </Button>
      </Group>
    </form>
  );
}

/** Topics by the part of the route that their actions have in common. */
function useTopics(): { readonly value: string; readonly label: string }[] {
  const t = useTexts('audit');
  const names = useNames();
  return [
    { value: '', label: t('topic_all') },
    ...TYPES.map((type) => ({ value: `/v2/${type}`, label: names.type(type) })),
    { value: '/dashboard/api/session', label: t('topic_sign_in') },
    { value: '/dashboard/api/account', label: t('topic_account') },
  ];
}
