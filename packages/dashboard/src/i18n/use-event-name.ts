import { useTexts } from './use-texts.ts';

/** Returns the meaning of an event code or wildcard: `Payment succeeded`. Unknown codes stay as they are. */
export function useEventName(): (code: string) => string {
  const t = useTexts('events');
  return (code) => t.find(code) ?? code;
}
