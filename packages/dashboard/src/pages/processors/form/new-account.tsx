import { Breadcrumbs, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useDashboardWrite } from '../../../api/queries.ts';
import type { Mode } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { useNotify } from '../../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { ChoiceBar } from '../../../parts/form/choice-bar.tsx';
import { LinkButton, ScopedLink, useGo } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { Section } from '../../../parts/record/section.tsx';
import type { ProcessorKind } from '../types.ts';
import { MODES, useProcessorKinds } from '../use-processors.ts';
import { bodyOf, type NewAccountBody, valuesOf } from './account-body.ts';
import { CredentialFields, RestrictionFields } from './account-fields.tsx';
import { MerchantSelect } from './merchant-select.tsx';
import { type AccountForm, useProcessorForm } from './use-processor-form.ts';

const WIDTH_PX = 760;

/** Connects an account: choose a processor, then fill in the form that its adapter describes. */
export function NewProcessorAccount() {
  const t = useTexts('processors');
  const kinds = useProcessorKinds();
  const [chosen, choose] = useState<string>();
  const all = kinds.data?.data ?? [];
  const kind = all.find(({ name }) => name === chosen) ?? all[0];
  return (
    <>
      <Breadcrumbs mb="xs">
        <ScopedLink to="/operator/processors">{t('accounts')}</ScopedLink>
      </Breadcrumbs>
      <PageTitle title={t('add')} />
      {kinds.error && <ProblemAlert error={kinds.error} onRetry={() => void kinds.refetch()} />}
      {kinds.isPending && <Loading />}
      {kind && (
        <Stack gap="lg" maw={WIDTH_PX}>
          <Stack gap={4}>
            <Text size="sm" fw={500}>
              {t('processor')}
            </Text>
            <div>
              <ChoiceBar
                label={t('processor')}
                value={kind.name}
                onChange={choose}
                data={all.map(({ name, display_name }) => ({ value: name, label: display_name }))}
              />
            </div>
          </Stack>
          <NewAccountForm key={kind.name} kind={kind} />
        </Stack>
      )}
    </>
  );
}

function NewAccountForm({ kind }: { readonly kind: ProcessorKind }) {
  const t = useTexts('processors');
  const [mode, setMode] = useState<Mode>('sandbox');
  const { create, form, others, send } = useNewAccount(kind, mode);
  return (
    <form onSubmit={form.onSubmit(send)} noValidate>
      <Stack gap="lg">
        {others.length > 0 && <ProblemAlert error={create.error} problems={others} />}
        <IdentityFields mode={mode} setMode={setMode} form={form} />
        <CredentialFields kind={kind} form={form} />
        <RestrictionFields kind={kind} form={form} />
        <Group justify="flex-end">
          <LinkButton to="/operator/processors" variant="default">
            {t('cancel')}
          </LinkButton>
          <Button type="submit" loading={create.isPending}>
            {t('add')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useNewAccount(kind: ProcessorKind, mode: Mode) {
  const t = useTexts('processors');
  const go = useGo();
  const notify = useNotify();
  const create = useDashboardWrite<NewAccountBody, { data: { id: string } }>(
    'operator/processor_accounts',
    'POST',
  );
  const { fields, name: processor } = kind;
  const { form, others } = useProcessorForm({
    mode,
    values: valuesOf(fields),
    fields,
    stored: [],
    error: create.error,
  });
  const send = (values: AccountForm['values']) => {
    const merchant_id = values.merchant_id || null;
    create.mutate(
      { ...bodyOf(values), mode, processor, merchant_id },
      {
        onSuccess: ({ data }) => {
          notify(t('created_done', { name: values.name }));
          go(`/operator/processors/${data.id}`);
        },
      },
    );
  };
  return { create, form, others, send };
}

interface IdentityProps {
  readonly mode: Mode;
  readonly setMode: (mode: Mode) => void;
  readonly form: AccountForm;
}

/** Mode and merchant never change later. */
function IdentityFields({ mode, setMode, form }: IdentityProps) {
  const t = useTexts('processors');
  return (
    <Section title={t('account')}>
      <Stack>
        <Stack gap={4} align="flex-start">
          <Text size="sm" fw={500}>
            {t('mode')}
          </Text>
          <ChoiceBar
            label={t('mode')}
            value={mode}
            onChange={(next) => setMode(next as Mode)}
            data={MODES.map((value) => ({ value, label: t(value) }))}
          />
          <Text size="xs" c="dimmed">
            {t(`mode_help_${mode}`)}
          </Text>
        </Stack>
        <TextInput
          label={t('name')}
          description={t('name_help')}
          required
          maxLength={100}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <MerchantSelect
          label={t('merchant')}
          description={t('merchant_help')}
          value={form.values.merchant_id}
          onChange={(id) => form.setFieldValue('merchant_id', id)}
          error={form.errors.merchant_id}
        />
      </Stack>
    </Section>
  );
}
