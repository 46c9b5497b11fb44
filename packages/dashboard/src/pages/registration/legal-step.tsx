import type { Field } from '@florin/contract/resources/define-resource.ts';
import { useDashboardWrite } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { RecordForm } from '../../parts/form/record-form.tsx';
import type { StepProps } from './types.ts';

const fields = {
  entity_type: {
    type: 'enum',
    create: 'required',
    values: [
      'sole_proprietorship',
      'private_partnership',
      'private_corporation',
      'public_corporation',
      'llc',
      'non_profit',
      'government',
    ],
  },
  category_code: {
    type: 'string',
    create: 'required',
    max: 4,
    description: 'Four digits (ISO 18245), such as `5812` for restaurants.',
  },
  tax_id_type: { type: 'enum', create: 'required', values: ['ein', 'ssn', 'vat', 'other'] },
  prior_bankruptcies: { type: 'boolean', create: 'optional' },
} as const satisfies Readonly<Record<string, Field>>;

export function LegalStep({ application, form, onDone }: StepProps) {
  const t = useTexts('registration');
  const { category_code, entity_type, prior_bankruptcies, tax_id_type } = application;
  const preset = { category_code, entity_type, prior_bankruptcies, tax_id_type };
  const save = useDashboardWrite<object>('application', 'PATCH');
  return (
    <RecordForm
      handle={form}
      fields={fields}
      preset={preset}
      submitText={t('save')}
      error={save.error}
      isPending={save.isPending}
      onSubmit={({ attributes }) =>
        save.mutate({ ...preset, prior_bankruptcies: false, ...attributes }, { onSuccess: onDone })
      }
    />
  );
}
