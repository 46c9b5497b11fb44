import {
  alertValues,
  type StoredAlertMessage,
} from '@florin/contract/alert-messages/alert-messages.ts';
import { fillIn } from '../../i18n/format-text.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useInstantText } from './instant.tsx';

/** Returns a function that writes an alert in the person's language; undefined for an unknown message. */
export function useAlertText(): (message: StoredAlertMessage) => string | undefined {
  const t = useTexts('alerts');
  const names = useNames();
  const instantText = useInstantText();
  return ({ code, parameters }) => {
    const text = t.find(code);
    const formats = { instant: instantText, violation: names.value };
    return text && fillIn(text, alertValues(parameters, formats));
  };
}
