import { TextInput } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import classes from './colour-input.module.css';
import type { FieldInputProps } from './types.ts';
import { useInputProps } from './use-input-props.tsx';

const COLOUR = /^#[0-9a-f]{6}$/i;
const CHARS = '#rrggbb'.length;

/** Input for a colour: typed, such as `#7c3aed`, or chosen in the browser's own picker. */
export function ColourInput(props: FieldInputProps) {
  const { form, path } = props;
  const t = useTexts('records');
  const shared = useInputProps(props);
  const input = form.getInputProps(path);
  const typed = String(input.value ?? '');
  return (
    <TextInput
      {...shared}
      {...input}
      maxLength={CHARS}
      spellCheck={false}
      rightSection={
        <input
          type="color"
          className={classes.picker}
          aria-label={t('colour_choose', { field: shared.label })}
          value={COLOUR.test(typed) ? typed.toLowerCase() : '#ffffff'}
          onChange={({ currentTarget }) => form.setFieldValue(path, currentTarget.value)}
        />
      }
    />
  );
}
