import { Button, Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useLocale, useTexts } from '../../../../i18n/use-texts.ts';
import { FilterChip } from '../../../../parts/table/filter/filter-chip.tsx';
import { useSpanText } from '../../../home/span-text.ts';
import { BEFORE, datePresets, FROM, PRESET, presetOf } from '../dates.ts';
import { dayOf, fromDay, untilDay } from '../days.ts';
import type { ChipProps } from './types.ts';

/** Query parameter that shows the period before for comparison. */
export const COMPARE = 'compare';
const CUSTOM = 'custom';

interface DateProps extends ChipProps {
  /** Whether the form offers the comparison with the period before. */
  readonly isComparable?: boolean;
}

/** Filter by the day of a record, with a comparison. */
export function DateChip({ search, change, isComparable = true }: DateProps) {
  const t = useTexts('payments');
  return (
    <FilterChip
      label={t('date')}
      value={useDateText(search)}
      onRemove={() => change({ [PRESET]: '', [FROM]: '', [BEFORE]: '', [COMPARE]: '' })}
    >
      {(close) => (
        <DateForm
          isComparable={isComparable}
          search={search}
          change={(changes) => {
            close();
            change(changes);
          }}
        />
      )}
    </FilterChip>
  );
}

function useDateText(search: ChipProps['search']): string | undefined {
  const t = useTexts('payments');
  const spanText = useSpanText();
  const preset = presetOf(search);
  if (preset) return t(`date_${preset}`);
  const [from, to] = [dayOf(search[FROM]), dayOf(search[BEFORE], -1)];
  if (from && to) return spanText({ from, to });
  if (from) return t('date_since', { day: spanText({ from, to: from }) });
  return to ? t('date_until', { day: spanText({ from: to, to }) }) : undefined;
}

function DateForm({ search, change, isComparable = true }: DateProps) {
  const t = useTexts('payments');
  const records = useTexts('records');
  const zone = new Intl.DateTimeFormat(useLocale()).resolvedOptions().timeZone;
  const form = useDateForm({ search, change });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm">
        <NativeSelect
          label={t('period')}
          description={records('timezone_note', { zone })}
          value={form.period}
          onChange={({ currentTarget }) => form.setPeriod(currentTarget.value)}
          data={[...datePresets, CUSTOM].map((value) => ({
            value,
            label: t(`date_${value as typeof CUSTOM}`),
          }))}
        />
        {form.period === CUSTOM && (
          <>
            <TextInput type="date" label={t('from')} {...form.from} />
            <TextInput type="date" label={t('until')} {...form.until} />
          </>
        )}
        {isComparable && (
          <Checkbox
            label={t('compare')}
            checked={form.isCompared}
            onChange={({ currentTarget }) => form.setIsCompared(currentTarget.checked)}
          />
        )}
        <Button type="submit">{records('filter_apply')}</Button>
      </Stack>
    </form>
  );
}

function useDateForm({ search, change }: ChipProps) {
  const isCustom = search[FROM] !== undefined || search[BEFORE] !== undefined;
  const [period, setPeriod] = useState<string>(
    presetOf(search) ?? (isCustom ? CUSTOM : datePresets[0]),
  );
  const [from, setFrom] = useState(dayOf(search[FROM]));
  const [until, setUntil] = useState(dayOf(search[BEFORE], -1));
  const [isCompared, setIsCompared] = useState(search[COMPARE] !== undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isOwn = period === CUSTOM;
    change({
      [PRESET]: isOwn ? '' : period,
      [FROM]: isOwn ? fromDay(from) : '',
      [BEFORE]: isOwn ? untilDay(until) : '',
      [COMPARE]: isCompared ? '1' : '',
    });
  };
  const inputOf = (value: string, set: (value: string) => void) => ({
    value,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => set(currentTarget.value),
  });
  return {
    ...{ period, setPeriod, isCompared, setIsCompared, submit },
    from: inputOf(from, setFrom),
    until: inputOf(until, setUntil),
  };
}
