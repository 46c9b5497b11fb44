import { permissionsOf } from '@florin/contract/permissions.ts';
import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import { useRegistry } from '../../../api/registry.ts';
import { useCan } from '../../../api/scope.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { NarrowedChoices } from '../../../parts/form/inputs/narrowed-choices.tsx';
import { type PermissionChoice, permissionChoices } from './permission-choice.ts';

const LIST_MAX_PX = 260;

interface Props {
  readonly choice: PermissionChoice;
  readonly onChoice: (choice: PermissionChoice) => void;
  readonly ticked: readonly string[];
  readonly onTicked: (slugs: readonly string[]) => void;
}

/** Chooses permissions by role or one by one. People can grant only permissions that they hold. */
export function PermissionPicker({ choice, onChoice, ticked, onTicked }: Props) {
  const t = useTexts('developers');
  const can = useCan();
  const permissions = permissionsOf(useRegistry()).filter(({ slug }) => can(slug));
  return (
    <Stack gap="xs">
      <NativeSelect
        label={t('key_permissions')}
        value={choice}
        onChange={({ currentTarget }) => onChoice(currentTarget.value as PermissionChoice)}
        data={permissionChoices.map((value) => ({ value, label: t(`permissions_${value}`) }))}
      />
      {choice === 'custom' && (
        <Checkbox.Group
          label={t('permissions_tick')}
          value={[...ticked]}
          onChange={(slugs) => onTicked(slugs)}
        >
          <NarrowedChoices
            height={LIST_MAX_PX}
            choices={permissions.map(({ slug, description }) => ({
              value: slug,
              label: slug,
              description,
            }))}
          />
        </Checkbox.Group>
      )}
    </Stack>
  );
}
