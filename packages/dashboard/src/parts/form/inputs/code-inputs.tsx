import type { CodeType } from '../../value/codes.ts';
import { linesOf } from '../form-values.ts';
import { CodeSelect, CodesSelect } from './code-select.tsx';
import type { FieldInputProps } from './types.ts';
import { useInputProps } from './use-input-props.tsx';

/** Input for one country, currency or time zone. */
export function CodeInput(props: FieldInputProps) {
  const { field, form, path } = props;
  const { value, onChange, error } = form.getInputProps(path);
  return (
    <CodeSelect
      {...useInputProps(props)}
      type={field.type as CodeType}
      value={String(value ?? '')}
      onChange={onChange}
      error={error}
    />
  );
}

/** Input for several codes of one type. */
export function CodesInput(props: FieldInputProps & { readonly each: CodeType }) {
  const { each, form, path } = props;
  const { value, onChange, error } = form.getInputProps(path);
  return (
    <CodesSelect
      {...useInputProps(props)}
      type={each}
      values={linesOf(String(value ?? ''))}
      onChange={(codes) => onChange(codes.join('\n'))}
      error={error}
    />
  );
}
