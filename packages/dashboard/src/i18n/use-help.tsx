import { type ReactNode, useEffect } from 'react';
import { loadTexts } from './texts.ts';
import { useLanguage, useTexts } from './use-texts.ts';

/** Returns a definition's description for people: without backticks, and translated where possible. */
export type Help = (text: string | undefined) => ReactNode;

/**
 * Explanations of fields and actions, which definitions hold in English. The English text is the key, so a changed text
 * loses its translations. Untranslated text is marked as English for screen readers.
 */
export function useHelp(): Help {
  const { language } = useLanguage();
  const t = useTexts('help');
  return (text) => {
    if (text === undefined) return undefined;
    const known = t.find(text);
    const words = (known ?? text).replaceAll('`', '');
    return known || language === 'en' ? words : <span lang="en">{words}</span>;
  };
}

/** Loads the explanations before a form needs them. */
export function useHelpAhead(): void {
  const { language } = useLanguage();
  useEffect(() => {
    void loadTexts(language, 'help');
  }, [language]);
}
