import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTexts } from '../../i18n/use-texts.ts';
import { useMembers } from '../team/use-team.ts';

export interface Filters {
  /** Part of the action's name. */
  readonly action?: string;
  /** Account id. */
  readonly account?: string;
  /** Record id. */
  readonly record?: string;
}

export function AuditFilters({ onChange }: { readonly onChange: (filters: Filters) => void }) {
  const t = useTexts('team');
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
        <TextInput
          label={t('audit_filter_action')}
          placeholder="refund_demands"
          {...form.getInputProps('action')}
        />
        <NativeSelect
          label={t('audit_filter_person')}
          data={[{ value: '', label: t('audit_all') }, ...people]}
          {...form.getInputProps('account')}
        />
        <TextInput label={t('audit_filter_record')} {...form.getInputProps('record')} />
        <Button type="submit" variant="default">
          {t('audit_apply')}
        </Button>
      </Group>
    </form>
  );
}
