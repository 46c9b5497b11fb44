import { useLocalStorage } from '@mantine/hooks';
import { useScope } from '../../../api/scope.ts';

/** The latest publishable key made in this browser for the scope. These keys are public. */
export function usePublishableKey(): [string, (key: string) => void] {
  const { merchant, mode } = useScope();
  const [key, keep] = useLocalStorage({
    key: `florin.publishable.${merchant}.${mode}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  return [key, keep];
}
