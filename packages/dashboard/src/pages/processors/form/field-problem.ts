import type { Mode } from '../../../api/types.ts';
import type { Translate } from '../../../i18n/use-texts.ts';
import type { ProcessorField } from '../types.ts';

/** Returns what is wrong with a typed value, or undefined. The server checks again. */
export function fieldProblem(
  t: Translate<'processors'>,
  { required, example, ...field }: ProcessorField,
  value: string,
  mode: Mode,
): string | undefined {
  const pattern = field.mode_patterns?.[mode] ?? field.pattern;
  if (value.trim() === '') return required ? t('required') : undefined;
  if (pattern === undefined || fits(pattern, value)) return undefined;
  return example === undefined ? t('wrong_form_plain') : t('wrong_form', { example });
}

/** Whether a value fits a pattern. The server decides about a pattern that the browser cannot read. */
function fits(pattern: string, value: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`).test(value.trim());
  } catch {
    return true;
  }
}
