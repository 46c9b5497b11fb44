import {
  type AlertMessageCode,
  alertParameters,
  alertValues,
  type ParameterFormats,
  type StoredAlertMessage,
} from '@florin/contract/alert-messages/alert-messages.ts';
import { type Texts, textsIn } from '../../platform/texts/texts.ts';

const textsOf: (locale: 'en' | 'de' | 'es' | 'fr') => Texts<AlertMessageCode> =
  textsIn<AlertMessageCode>(
    new URL('texts/', import.meta.resolve('@florin/contract/alert-messages/alert-messages.ts')),
  );

/** Returns the message in a language of the dashboard; undefined for a message of a newer process. */
export const alertTextIn = (
  locale: 'en' | 'de' | 'es' | 'fr',
  { code, parameters }: StoredAlertMessage,
  formats: ParameterFormats,
): string | undefined =>
  isAlertMessageCode(code) ? textsOf(locale)(code, alertValues(parameters, formats)) : undefined;

const isAlertMessageCode = (code: string): code is AlertMessageCode =>
  Object.hasOwn(alertParameters, code);
