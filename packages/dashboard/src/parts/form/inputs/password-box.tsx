import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';

interface Props extends PasswordInputProps {
  readonly label: string;
}

/** Input for a password or another secret. Tab reaches the button that shows what is typed. */
export function PasswordBox(props: Props) {
  const t = useTexts('common');
  return (
    <PasswordInput
      {...props}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': t('show_typed', { label: props.label }) }}
    />
  );
}
