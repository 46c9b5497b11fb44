import { useLocalStorage } from '@mantine/hooks';
import { useScope } from '../../../api/scope.ts';

/** The publishable key that was made last in this browser, for the merchant and mode: such keys are public. */
export function usePublishableKey(): [string, (key: string) => void] {
  const { merchant, mode } = useScope();
  const [key, keep] = useLocalStorage({
    key: `florin.publishable.${merchant}.${mode}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  return [key, keep];
}
