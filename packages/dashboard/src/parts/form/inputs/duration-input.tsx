import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../i18n/use-texts.ts';
import { type DurationUnit, durationUnits, unitOf } from '../../value/quantity.ts';
import type { FieldInputProps } from './types.ts';
import { useInputProps } from './use-input-props.tsx';

const units: readonly DurationUnit[] = ['second', 'minute', 'hour', 'day'];

/** Input for seconds, typed as a number and a unit. A text that is no number stays, and the form reports it. */
export function DurationInput(props: FieldInputProps) {
  const { form, path, field } = props;
  const t = useTexts('records');
  const { label, ...shared } = useInputProps(props);
  const { value, error } = form.getInputProps(path);
  const initial = Number(value);
  const [unit, setUnit] = useState<DurationUnit>(() => (initial ? unitOf(initial) : 'hour'));
  const [text, setText] = useState(() => (initial ? String(initial / durationUnits[unit]) : ''));
  const write = (nextText: string, nextUnit: DurationUnit): void => {
    setText(nextText);
    setUnit(nextUnit);
    form.setFieldValue(path, secondsOf(nextText, nextUnit));
  };
  const isShort = field.max !== undefined && field.max < durationUnits.day;
  const choices = isShort ? units.filter((it) => it !== 'day') : units;
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        {...shared}
        label={label}
        flex={1}
        error={error}
        data-path={path}
        inputMode="decimal"
        value={text}
        onChange={({ currentTarget }) => write(currentTarget.value, unit)}
      />
      <NativeSelect
        aria-label={t('unit_of', { name: label })}
        value={unit}
        onChange={({ currentTarget }) => write(text, currentTarget.value as DurationUnit)}
        data={choices.map((it) => ({ value: it, label: t(`unit_${it}`) }))}
      />
    </Group>
  );
}

function secondsOf(text: string, unit: DurationUnit): string {
  const count = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || Number.isNaN(count) ? text : String(count * durationUnits[unit]);
}
