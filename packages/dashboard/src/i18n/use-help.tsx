import { type ReactNode, useEffect } from 'react';
import { loadTexts } from './texts.ts';
import { useLanguage, useTexts } from './use-texts.ts';

/** Returns a definition's description for people: without backticks, and translated if a translation exists. */
export type HelpText = (text: string | undefined) => ReactNode;

/**
 * Returns explanations of fields and actions. The English text of the definition is the key, so a changed text loses
 * its translations.
 * Text without a translation is marked as English for screen readers.
 */
export function useHelp(): HelpText {
  const { language } = useLanguage();
  const t = useTexts('help');
  return (text) => {
    if (text === undefined) return undefined;
    const translation = t.find(text);
    const words = (translation ?? text).replaceAll('`', '');
    return translation || language === 'en' ? words : <span lang="en">{words}</span>;
  };
}

/** Loads the explanations before a form needs them. */
export function usePreloadedHelp(): void {
  const { language } = useLanguage();
  useEffect(() => {
    void loadTexts(language, 'help');
  }, [language]);
}
