import { useLocalStorage } from '@mantine/hooks';
import { useScope } from '../../../api/scope.ts';

/**
 * Returns the latest publishable key created in this browser for the scope, and its setter. Publishable keys are no
 * secrets.
 */
export function usePublishableKey(): [string, (key: string) => void] {
  const { merchant, mode } = useScope();
  const [key, keep] = useLocalStorage({
    key: `florin.publishable.${merchant}.${mode}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  return [key, keep];
}
