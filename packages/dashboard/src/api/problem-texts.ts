import { firstLanguage } from '../i18n/languages.ts';
import type { Texts } from '../i18n/texts.ts';
import type { ApiProblem } from './errors.ts';

/**
 * Adds a sentence in the person's language to each problem. English has none, because the details of the server are
 * English. Never rejects: without the texts the details must do.
 */
export async function withTexts(problems: readonly ApiProblem[]): Promise<readonly ApiProblem[]> {
  const language = firstLanguage();
  if (language === 'en' || problems.length === 0) return problems;
  // Loaded here, because tests of the client run without a bundler.
  const loading = import('../i18n/texts.ts').then(({ loadTexts }) =>
    loadTexts(language, 'problems'),
  );
  return addTexts(problems, await loading.catch((): Texts => ({})));
}

/** Codes whose text says all that the English detail says. */
const COMPLETE: ReadonlySet<string> = new Set([
  'blank',
  'not_found',
  'password_too_common',
  'stale_record',
  'wrong_code',
  'wrong_credentials',
]);

/** Adds the text of its code to each problem that has one. The detail stays if it says more. */
export const addTexts = (problems: readonly ApiProblem[], texts: Texts): readonly ApiProblem[] =>
  problems.map((problem) => {
    const text = texts[problem.code];
    if (text === undefined) return problem;
    const { detail, ...rest } = problem;
    return { ...rest, text, ...(detail && !COMPLETE.has(problem.code) && { detail }) };
  });
