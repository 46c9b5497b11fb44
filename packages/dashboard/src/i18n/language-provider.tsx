import { type ReactNode, startTransition, useEffect, useMemo, useState } from 'react';
import { chooseLanguage, type Language } from './languages.ts';
import { LanguageContext } from './use-texts.ts';

const KEPT_AS = 'florin.language';

const firstLanguage = (): Language =>
  chooseLanguage([localStorage.getItem(KEPT_AS) ?? '', ...navigator.languages]);

/** Keeps the language that the person has chosen, in this browser. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choice = useMemo(
    () => ({
      language,
      choose(next: Language) {
        localStorage.setItem(KEPT_AS, next);
        startTransition(() => setLanguage(next));
      },
    }),
    [language],
  );
  return <LanguageContext value={choice}>{children}</LanguageContext>;
}
