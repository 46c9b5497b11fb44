import type { Field } from '@florin/contract/resources/define-resource.ts';
import type { UseFormReturnType } from '@mantine/form';

export type AnyForm = UseFormReturnType<Record<string, unknown>>;

export interface FieldInputProps {
  /** Path of the value in the form: `line_items.0.name`. */
  readonly path: string;
  readonly name: string;
  readonly field: Field;
  readonly form: AnyForm;
  readonly isUpdate?: boolean;
  readonly currency?: string | undefined;
}
