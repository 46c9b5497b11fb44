import { type ReactNode, startTransition, useEffect, useMemo, useState } from 'react';
import { firstLanguage, type Language, storeLanguage } from './languages.ts';
import { LanguageContext } from './use-texts.ts';

/** Provides the chosen language and stores it in the browser. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choice = useMemo(
    () => ({
      language,
      choose(next: Language) {
        storeLanguage(next);
        startTransition(() => setLanguage(next));
      },
    }),
    [language],
  );
  return <LanguageContext value={choice}>{children}</LanguageContext>;
}
