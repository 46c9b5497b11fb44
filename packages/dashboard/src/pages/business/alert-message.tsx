import type { RecordOf } from '../../api/types.ts';
import { useAlertText } from '../../parts/value/alert-text.ts';

/** Message of an alert in the person's language. Alerts of earlier versions have only the English one. */
export function AlertMessage({ alert }: { readonly alert: RecordOf<'account_alerts'> }) {
  const alertText = useAlertText();
  const { message, message_code: code, message_parameters } = alert.attributes;
  if (!code) return message;
  const parameters = message_parameters as Readonly<Record<string, string>> | null;
  return alertText({ code, parameters: parameters ?? {} }) ?? message;
}
