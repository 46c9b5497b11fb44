import { useDebouncedValue } from '@mantine/hooks';
import { useCan } from '../../../api/scope.ts';
import type { RecordOf } from '../../../api/types.ts';
import { useCustomersByEmail } from '../use-customers-by-email.ts';

const WAIT_MS = 300;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Returns a customer of this merchant and mode that has the typed email address, if there is one. */
export function useSameEmail(typed: string): RecordOf<'customers'> | undefined {
  const can = useCan();
  const [email] = useDebouncedValue(typed.trim(), WAIT_MS);
  const isEnabled = EMAIL.test(email) && can('consumer.customers.read');
  const [customer] = useCustomersByEmail(email, { isEnabled });
  return email === typed.trim() ? customer : undefined;
}
