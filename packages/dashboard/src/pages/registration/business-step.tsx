import type { Field } from '@florin/contract/resources/define-resource.ts';
import { merchants } from '@florin/contract/resources/merchants.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { recordQuery, useUpdate } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { RecordForm } from '../../parts/form/record-form.tsx';

import type { StepProps } from './types.ts';

const REGISTRATION_FIELDS: readonly string[] = [
  'business_name',
  'business_description',
  'business_email',
  'business_support_email',
  'business_website',
  'phone_number',
  'business_zip_code',
];

const fields = Object.fromEntries(
  Object.entries<Field>(merchants.fields).filter(([name]) => REGISTRATION_FIELDS.includes(name)),
);

export function BusinessStep({ form, onDone }: StepProps) {
  const t = useTexts('registration');
  const scope = useScope();
  const queries = useQueryClient();
  const { data, error } = useQuery(recordQuery(scope, 'merchants', scope.merchant));
  const update = useUpdate('merchants', scope.merchant);
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading />;
  const save = async () => {
    await queries.invalidateQueries({ queryKey: ['dashboard'] });
    await queries.invalidateQueries({ queryKey: ['me'] });
    onDone();
  };
  return (
    <RecordForm
      handle={form}
      fields={fields}
      attributes={data.record.attributes}
      submitText={t('save')}
      error={update.error}
      isPending={update.isPending}
      onSubmit={(draft) =>
        Object.keys(draft.attributes ?? {}).length === 0
          ? onDone()
          : update.mutate(draft, { onSuccess: save })
      }
    />
  );
}
