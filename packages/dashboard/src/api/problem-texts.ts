import type { DetailText } from '../i18n/detail-text.ts';
import { firstLanguage, type Language } from '../i18n/languages.ts';
import type { Texts } from '../i18n/texts.ts';
import type { ApiProblem } from './errors.ts';

/** Texts of problems in the person's language: by code, and by detail. */
interface ProblemTexts {
  readonly byCode: Texts;
  readonly ofDetail: DetailText;
}

/**
 * Adds a sentence in the person's language to each problem. Never rejects: without the texts the details of the server
 * must do.
 */
export async function withTexts(problems: readonly ApiProblem[]): Promise<readonly ApiProblem[]> {
  if (problems.length === 0) return problems;
  const texts = await loadProblemTexts(firstLanguage()).catch(() => undefined);
  return texts ? addTexts(problems, texts) : problems;
}

/** Imports only here, because tests of the client run without a bundler. */
async function loadProblemTexts(language: Language): Promise<ProblemTexts> {
  const [{ loadTexts }, { createDetailText }] = await Promise.all([
    import('../i18n/texts.ts'),
    import('../i18n/detail-text.ts'),
  ]);
  const [byCode, details, names] = await Promise.all([
    loadTexts(language, 'problems'),
    loadTexts(language, 'details'),
    loadTexts(language, 'names'),
  ]);
  return { byCode, ofDetail: createDetailText(language, { details, names }) };
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

/** Adds a sentence to each problem: that of its detail, or else that of its code with the detail if it says more. */
export const addTexts = (
  problems: readonly ApiProblem[],
  { byCode, ofDetail }: ProblemTexts,
): readonly ApiProblem[] =>
  problems.map((problem) => {
    const { detail, ...rest } = problem;
    const sentence = detail && ofDetail(detail);
    if (sentence) return { ...rest, text: sentence };
    const text = byCode[problem.code];
    if (text === undefined) return problem;
    return { ...rest, text, ...(detail && !COMPLETE.has(problem.code) && { detail }) };
  });
