import { type ReactNode, useEffect } from 'react';
import { loadTexts } from './texts.ts';
import { useLanguage, useTexts } from './use-texts.ts';

/** A definition's words for people: without the marks of `code`, in their language where it has been translated. */
export type Help = (text: string | undefined) => ReactNode;

/**
 * The explanations of fields and actions, which definitions have in English. Their translations are found by the English
 * text itself, so that none outlives a change of it; what has none is marked as English for who hears the page.
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

/** Fetches the explanations for a form that may be opened: it then opens at once. */
export function useHelpAhead(): void {
  const { language } = useLanguage();
  useEffect(() => {
    void loadTexts(language, 'help');
  }, [language]);
}
