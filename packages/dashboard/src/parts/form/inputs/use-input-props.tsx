import { useHelp } from '../../../i18n/use-help.tsx';
import { useNames } from '../../../i18n/use-names.ts';
import { isAmount } from '../../value/currency-of.ts';
import type { FieldInputProps } from './types.ts';

/** Returns label, explanation and required mark for a field's input. */
export function useInputProps({ name, field, isUpdate = false }: FieldInputProps) {
  const names = useNames();
  const help = useHelp();
  return {
    label: names.field(name),
    // Amounts get no description: descriptions use minor units, but people type major units.
    description: isAmount(name) ? undefined : help(field.description),
    withAsterisk: !isUpdate && field.create === 'required',
  };
}
