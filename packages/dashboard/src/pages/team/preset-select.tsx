import { NativeSelect, Text } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.ts';
import { differenceFrom, type Preset } from './preset.ts';

interface Props {
  readonly preset: Preset;
  readonly offered: readonly Preset[];
  readonly onChange: (preset: Preset) => void;
  /** Permissions that are chosen now. */
  readonly slugs: readonly string[];
  /** Permissions of the preset; undefined without one. */
  readonly before: readonly string[] | undefined;
}

/** Starts a custom role from a role, and counts what was changed since. */
export function PresetSelect({ preset, offered, onChange, slugs, before }: Props) {
  const t = useTexts('team');
  const nameOf = (value: Preset): string =>
    value === 'current' || value === 'none' ? t(`preset_${value}`) : t(`role_${value}`);
  const difference = before && differenceFrom(before, slugs);
  return (
    <>
      <NativeSelect
        label={t('preset')}
        description={t('preset_hint')}
        value={preset}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Preset)}
        data={offered.map((value) => ({ value, label: nameOf(value) }))}
      />
      <Text size="sm" c="dimmed" role="status">
        {difference && difference.added + difference.removed > 0
          ? t('preset_changed', { role: nameOf(preset), ...difference })
          : t.count('permissions', slugs.length)}
      </Text>
    </>
  );
}
