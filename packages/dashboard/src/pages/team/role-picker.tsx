import { type RoleName, roleNames, roleOf, roleSlugs } from '@florin/contract/roles.ts';
import { Alert, NativeSelect, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { holds, useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { PermissionGrid } from './permission-grid.tsx';

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
  const [choice, setChoice] = useState<string>(begins ? 'read_only' : (roleOf(slugs) ?? CUSTOM));
  const grantableSlugs = (role: RoleName) => roleSlugs(role).filter((slug) => holds(scope, slug));
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, for the initial value.
  useEffect(() => {
    if (begins) onChange(grantableSlugs('read_only'));
  }, []);
  const choose = (name: string) => {
    setChoice(name);
    if (name !== CUSTOM) onChange(grantableSlugs(name as RoleName));
  };
  const role = roleNames.find((name) => name === choice);
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
      {choice === CUSTOM && <PermissionGrid slugs={slugs} onChange={onChange} />}
    </Stack>
  );
}
