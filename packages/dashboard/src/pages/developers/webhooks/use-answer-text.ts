import { useCallback } from 'react';
import { useTexts } from '../../../i18n/use-texts.ts';
import { answerKey } from './answer-key.ts';

/** Returns a function that names the response of an endpoint: its status, or why there is none. */
export function useAnswerText(): (status: number | null, error: string | null) => string {
  const t = useTexts('developers');
  return useCallback(
    (status, error) => {
      if (status !== null) return String(status);
      const key = answerKey(error ?? '');
      return key ? t(key) : (error ?? '–');
    },
    [t],
  );
}
