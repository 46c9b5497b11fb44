import { Checkbox } from '@mantine/core';
import { useEventName } from '../../../i18n/use-event-name.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { NarrowedChoices } from './narrowed-choices.tsx';
import type { FieldInputProps } from './types.ts';
import { useInputProps } from './use-input-props.tsx';

const LIST_MAX_PX = 240;

/** Input for several values of a closed set. */
export function ChoicesInput(props: FieldInputProps) {
  const { path, name, field, form } = props;
  const names = useNames();
  const eventName = useEventName();
  const shared = useInputProps(props);
  return (
    <Checkbox.Group {...shared} {...form.getInputProps(path)}>
      <NarrowedChoices
        height={LIST_MAX_PX}
        choices={wildcardsFirst(field.values ?? []).map((value) =>
          name === 'events'
            ? { value, label: eventName(value), description: value }
            : { value, label: names.value(value) },
        )}
      />
    </Checkbox.Group>
  );
}

const isWildcard = (value: string): boolean => value.endsWith('*');

/** Most people want all events, or all of a kind. */
const wildcardsFirst = (values: readonly string[]): readonly string[] => [
  ...values.filter(isWildcard).toSorted((a, b) => a.length - b.length),
  ...values.filter((value) => !isWildcard(value)),
];
