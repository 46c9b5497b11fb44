import type { Resource } from '@florin/contract/resources/define-resource.ts';
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

/** Returns the summary of a type for people. The key of its translations is `summary_<type>`. */
export function useSummary(): (definition: Pick<Resource, 'type' | 'summary'>) => ReactNode {
  const t = useTexts('help');
  const help = useHelp();
  return ({ type, summary }) => t.find(`summary_${type}`) ?? help(summary);
}

/** Loads the explanations before a form needs them. */
export function usePreloadedHelp(): void {
  const { language } = useLanguage();
  useEffect(() => {
    void loadTexts(language, 'help');
  }, [language]);
}
