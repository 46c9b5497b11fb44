import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useSameEmail } from './use-same-email.ts';

interface Props {
  readonly email: string;
  /** Way to the other customer. */
  readonly children: (found: RecordOf<'customers'>) => ReactNode;
}

/** Warns that another customer has the email address. Customers may share one, so the form still works. */
export function SameEmail({ email, children }: Props) {
  const t = useTexts('customers');
  const found = useSameEmail(email);
  return (
    <div role="status">
      {found && (
        <Alert color="yellow" variant="light" p="xs">
          <Text size="sm" component="div">
            {t('same_email', { email: found.attributes.email })} {children(found)}
          </Text>
        </Alert>
      )}
    </div>
  );
}
