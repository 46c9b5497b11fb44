import type { AuditPerson } from '@florin/contract/audit-person.ts';
import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Parameters, useDashboard } from '../../api/queries.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { datePresets } from '../payments/list/dates.ts';
import { hasAuditFilters, noFilters } from './audit-search.ts';

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

interface Props {
  /** Query parameters of the address. */
  readonly search: Parameters;
  readonly change: (changes: Parameters) => void;
}

/** Filters of the log. A choice takes effect at once; a record's id with Enter. */
export function AuditFilters({ search, change }: Props) {
  const t = useTexts('audit');
  const records = useTexts('records');
  const topics = useTopics();
  const people = usePeople();
  return (
    <Group align="end" mb="md">
      <NativeSelect
        label={t('filter_person')}
        value={search.account ?? ''}
        onChange={({ currentTarget }) => change({ account: currentTarget.value })}
        data={[{ value: '', label: t('all') }, ...people]}
      />
      <NativeSelect
        label={t('filter_topic')}
        value={search.action ?? ''}
        onChange={({ currentTarget }) => change({ action: currentTarget.value })}
        data={topics}
      />
      <PeriodFilter search={search} change={change} />
      <RecordFilter key={search.record ?? ''} search={search} change={change} />
      {hasAuditFilters(search) && (
        <Button variant="subtle" onClick={() => change(noFilters)}>
          {records('filter_clear')}
        </Button>
      )}
    </Group>
  );
}

const CUSTOM = 'custom';

/** A named period, or first and last day. */
function PeriodFilter({ search, change }: Props) {
  const t = useTexts('audit');
  const hasDays = Boolean(search.from || search.until);
  const [isCustom, setCustom] = useState(hasDays);
  const period = isCustom || hasDays ? CUSTOM : (search.date ?? '');
  const choose = (value: string) => {
    setCustom(value === CUSTOM);
    change({ date: value === CUSTOM ? '' : value, from: '', until: '' });
  };
  const day = (name: 'from' | 'until') => (
    <TextInput
      type="date"
      label={t(name)}
      value={search[name] ?? ''}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    />
  );
  return (
    <>
      <NativeSelect
        label={t('period')}
        value={period}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          { value: '', label: t('period_all') },
          ...[...datePresets, CUSTOM].map((value) => ({
            value,
            label: t(`period_${value as typeof CUSTOM}`),
          })),
        ]}
      />
      {period === CUSTOM && (
        <>
          {day('from')}
          {day('until')}
        </>
      )}
    </>
  );
}

/** A pasted id is whole: the list is filtered at once. */
const WHOLE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function RecordFilter({ search, change }: Props) {
  const t = useTexts('audit');
  const [typed, setTyped] = useState(search.record ?? '');
  const type = (text: string) => {
    setTyped(text);
    if (text.trim() === '' || WHOLE_ID.test(text.trim())) change({ record: text.trim() });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change({ record: typed.trim() });
      }}
    >
      <TextInput
        label={t('filter_record')}
        enterKeyHint="search"
        value={typed}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onBlur={() => change({ record: typed.trim() })}
      />
    </form>
  );
}

/** Members and former members. */
function usePeople(): { readonly value: string; readonly label: string }[] {
  const t = useTexts('audit');
  const people = useDashboard<readonly AuditPerson[]>('audit_people').data ?? [];
  return people.map(({ id, name, email, is_member }) => {
    const person = name ?? email;
    return { value: id, label: is_member ? person : t('former', { person }) };
  });
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
