import { type RoleName, roleNames, roleOf, roleSlugs } from '@florin/contract/roles.ts';
import { Alert, NativeSelect, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { holds, useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { PermissionGrid } from './permission-grid.tsx';
import { comparedSlugs, type Preset, presetSlugs, presets } from './preset.ts';
import { PresetSelect } from './preset-select.tsx';

const CUSTOM = 'custom';

interface Props {
  readonly slugs: readonly string[];
  readonly onChange: (slugs: readonly string[]) => void;
  /** Selects the weakest role first, for a new member. */
  readonly begins?: boolean;
}

/** Chooses a role or a custom set of permissions. People can grant only permissions that they hold. */
export function RolePicker({ slugs, onChange, begins }: Props) {
  const t = useTexts('team');
  const scope = useScope();
  const [first] = useState({ slugs, role: begins ? ('read_only' as const) : roleOf(slugs) });
  const [choice, setChoice] = useState<string>(first.role ?? CUSTOM);
  const [preset, setPreset] = useState<Preset>(first.role ?? 'current');
  const isHeld = (slug: string) => holds(scope, slug);
  const grantableSlugs = (role: RoleName) => presetSlugs(role, [], isHeld);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, for the initial value.
  useEffect(() => {
    if (begins) onChange(grantableSlugs('read_only'));
  }, []);
  const choose = (name: string) => {
    setChoice(name);
    if (name === CUSTOM) return;
    onChange(grantableSlugs(name as RoleName));
    setPreset(name as RoleName);
  };
  const startFrom = (chosen: Preset) => {
    setPreset(chosen);
    onChange(presetSlugs(chosen, first.slugs, isHeld));
  };
  const role = roleNames.find((name) => name === choice);
  const before = comparedSlugs(preset, first.slugs);
  return (
    <Stack>
      <NativeSelect
        label={t('role')}
        description={role ? t(`role_${role}_hint`) : t('role_custom_hint')}
        value={choice}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[...roleNames, CUSTOM].map((name) => ({
          value: name,
          label: t(`role_${name as RoleName | 'custom'}`),
        }))}
      />
      {role && grantableSlugs(role).length < roleSlugs(role).length && (
        <Alert color="yellow">{t('role_less')}</Alert>
      )}
      {choice === CUSTOM && (
        <>
          <PresetSelect
            preset={preset}
            offered={presets.filter((name) => name !== 'current' || !first.role)}
            onChange={startFrom}
            slugs={slugs}
            before={before}
          />
          <PermissionGrid slugs={slugs} before={before} onChange={onChange} />
        </>
      )}
    </Stack>
  );
}
