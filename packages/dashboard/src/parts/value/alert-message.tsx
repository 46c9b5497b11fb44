import type { AnyAttributes } from '../../api/types.ts';
import { useAlertText } from './alert-text.ts';

/** Message of an alert in the person's language. Alerts of earlier versions have only the English one. */
export function AlertMessage({ attributes }: { readonly attributes: AnyAttributes }) {
  const alertText = useAlertText();
  const { message, message_code: code, message_parameters } = attributes;
  const english = String(message);
  if (typeof code !== 'string') return english;
  const parameters = message_parameters as Readonly<Record<string, string>> | null;
  return alertText({ code, parameters: parameters ?? {} }) ?? english;
}
