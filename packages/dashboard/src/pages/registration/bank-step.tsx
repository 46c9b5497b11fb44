import type { Field } from '@florin/contract/resources/define-resource.ts';
import { Alert, Button, Stack } from '@mantine/core';
import { useDashboardWrite } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { RecordForm } from '../../parts/form/record-form.tsx';
import type { StepProps } from './types.ts';

const fields: Readonly<Record<string, Field>> = {
  name: { type: 'string', create: 'required', max: 200, description: 'Of the bank.' },
  holder_name: { type: 'string', create: 'required', max: 200 },
  account_number: {
    type: 'string',
    create: 'required',
    max: 60,
    description: 'An IBAN, or a national account number.',
  },
  routing_number: {
    type: 'string',
    create: 'required',
    max: 60,
    description: 'A BIC, or a routing number of nine digits.',
  },
};

/** Bank account for payouts. */
export function BankStep({ application, form, onDone }: StepProps) {
  const t = useTexts('registration');
  const save = useDashboardWrite<object>('financial_institutions', 'POST');
  return (
    <Stack>
      {application.banks > 0 && (
        <>
          <Alert color="blue">{t('bank_there')}</Alert>
          <Button variant="default" onClick={onDone}>
            {t('go_on')}
          </Button>
        </>
      )}
      <RecordForm
        handle={form}
        fields={fields}
        submitText={application.banks > 0 ? t('bank_another') : t('save')}
        error={save.error}
        isPending={save.isPending}
        onSubmit={({ attributes }) => save.mutate(attributes ?? {}, { onSuccess: onDone })}
      />
    </Stack>
  );
}
