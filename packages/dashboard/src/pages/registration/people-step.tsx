import type { Field } from '@florin/contract/resources/define-resource.ts';
import { legalAddresses } from '@florin/contract/resources/legal-addresses.ts';
import { personalIdentifications } from '@florin/contract/resources/personal-identifications.ts';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { RecordForm } from '../../parts/form/record-form.tsx';
import { PeopleList } from './people-list.tsx';
import type { StepProps } from './types.ts';
import { useAddPerson } from './use-add-person.ts';

const { full_name, dob, nationality, email, phone_number, id_number } =
  personalIdentifications.fields;
const { line_1, line_2, city, state, zip, country } = legalAddresses.fields;

const fields: Readonly<Record<string, Field>> = {
  full_name,
  dob: { ...dob, create: 'required' },
  nationality,
  email,
  phone_number,
  id_number,
  line_1,
  line_2,
  city,
  state,
  zip,
  country,
  role: { type: 'string', create: 'optional', max: 100 },
  ownership_percentage: { type: 'integer', create: 'optional', min: 1, max: 100 },
};

/** Form for officials and owners of the business, one person at a time. */
export function PeopleStep({ application, form, onDone }: StepProps) {
  const t = useTexts('registration');
  const notify = useNotify();
  const add = useAddPerson();
  const [count, setCount] = useState(0);
  const { officials, owners } = application;
  return (
    <Stack>
      <Text size="sm">{t('people_hint')}</Text>
      {(officials > 0 || owners > 0) && (
        <Alert color="blue" role="status">
          {t('people_there', { officials, owners })}
          <PeopleList />
        </Alert>
      )}
      <RecordForm
        key={count}
        handle={form}
        fields={fields}
        submitText={t('people_add')}
        error={add.error}
        isPending={add.isPending}
        onSubmit={({ attributes }) =>
          add.mutate(attributes ?? {}, {
            onSuccess: () => {
              notify(t('people_added'));
              setCount(count + 1);
            },
          })
        }
      />
      <Button variant="default" onClick={onDone} disabled={officials === 0 || owners === 0}>
        {t('go_on')}
      </Button>
    </Stack>
  );
}
