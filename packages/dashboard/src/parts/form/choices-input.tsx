import { Checkbox, ScrollArea, Stack } from '@mantine/core';
import { useNames } from '../../i18n/use-names.ts';
import type { FieldInputProps } from './field-input.tsx';

const LIST_MAX_PX = 240;

/** Some of a closed set. */
export function ChoicesInput({ path, name, field, form }: FieldInputProps) {
  const names = useNames();
  return (
    <Checkbox.Group
      label={names.field(name)}
      description={field.description?.replaceAll('`', '')}
      {...form.getInputProps(path)}
    >
      <ScrollArea.Autosize mah={LIST_MAX_PX} mt="xs">
        <Stack gap={6}>
          {field.values?.map((value) => (
            <Checkbox
              key={value}
              value={value}
              label={value.includes('.') ? value : names.value(value)}
            />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Checkbox.Group>
  );
}
