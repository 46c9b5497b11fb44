import { useHelp } from '../../../i18n/use-help.tsx';
import { useNames } from '../../../i18n/use-names.ts';
import { isAmount } from '../../value/currency-of.ts';
import type { FieldInputProps } from './types.ts';

/** Label, explanation and required mark of a field's input. */
export function useInputProps({ name, field, isUpdate = false }: FieldInputProps) {
  const names = useNames();
  const help = useHelp();
  return {
    label: names.field(name),
    // Descriptions speak of minor units; people type whole units.
    description: isAmount(name) ? undefined : help(field.description),
    withAsterisk: !isUpdate && field.create === 'required',
  };
}
