import { useNames } from '../../../i18n/use-names.ts';
import { useLanguage, useTexts } from '../../../i18n/use-texts.ts';
import { BANK_REASONS } from '../bank-reasons.ts';

/** Returns why a payment failed, in words: "Declined: insufficient funds", or "Declined by the bank". */
export function useDeclineText(): (code: string | null | undefined) => string {
  const t = useTexts('payments');
  const names = useNames();
  const inSentence = useInSentence();
  return (code) => {
    if (!code || code === 'generic_decline') return names.value('generic_decline');
    const reason = inSentence(names.value(code));
    return t(BANK_REASONS.has(code) ? 'declined_because' : 'not_charged_because', { reason });
  };
}

/** Returns a name as it is written within a sentence. German nouns keep their capital. */
export function useInSentence(): (name: string) => string {
  const { language } = useLanguage();
  return (name) => {
    const isAbbreviation = name.slice(0, 2) === name.slice(0, 2).toUpperCase();
    return language === 'de' || isAbbreviation
      ? name
      : name.charAt(0).toLowerCase() + name.slice(1);
  };
}
