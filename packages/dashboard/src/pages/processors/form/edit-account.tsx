import { Breadcrumbs, Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useDashboard, useDashboardWrite } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { useNotify } from '../../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { isStale, Stale } from '../../../parts/form/stale.tsx';
import { LinkButton, ScopedLink, useGo } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { useParameter } from '../../../parts/page/search.ts';
import { Section } from '../../../parts/record/section.tsx';
import type { AccountDetail, ProcessorKind } from '../types.ts';
import { useProcessorKinds } from '../use-processors.ts';
import { type AccountBody, bodyOf, valuesOf } from './account-body.ts';
import { CredentialFields, RestrictionFields } from './account-fields.tsx';
import { useProcessorForm } from './use-processor-form.ts';

const WIDTH_PX = 760;

/** Changes an account. The processor is asked before credentials in use are replaced. */
export function EditProcessorAccount() {
  const t = useTexts('processors');
  const id = useParameter('id');
  const [version, setVersion] = useState(0);
  const query = useDashboard<{ data: AccountDetail }>(`operator/processor_accounts/${id}`);
  const kinds = useProcessorKinds().data?.data;
  const account = query.data?.data;
  const kind = kinds?.find(({ name }) => name === account?.processor);
  const reload = () => void query.refetch().then(() => setVersion((before) => before + 1));
  return (
    <>
      <Breadcrumbs mb="xs">
        <ScopedLink to="/operator/processors">{t('accounts')}</ScopedLink>
        <ScopedLink to={`/operator/processors/${id}`}>{account?.name ?? t('account')}</ScopedLink>
      </Breadcrumbs>
      <PageTitle title={t('edit_title')} />
      {query.error && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {account && kind && <EditForm key={version} account={account} kind={kind} reload={reload} />}
    </>
  );
}

interface Props {
  readonly account: AccountDetail;
  readonly kind: ProcessorKind;
  /** Reads the account again after another operator changed it. */
  readonly reload: () => void;
}

function EditForm({ account, kind, reload }: Props) {
  const t = useTexts('processors');
  const { edited, save, form, others, send } = useEdit(account, kind);
  const isOutdated = isStale(save.error);
  return (
    <form onSubmit={form.onSubmit(send)} noValidate>
      <Stack gap="lg" maw={WIDTH_PX}>
        {isOutdated && <Stale onReload={reload} />}
        {!isOutdated && others.length > 0 && <ProblemAlert error={save.error} problems={others} />}
        <Section title={t('account')}>
          <TextInput
            label={t('name')}
            description={t('name_help')}
            required
            maxLength={100}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
        </Section>
        <CredentialFields kind={kind} form={form} stored={edited.secrets} />
        <RestrictionFields kind={kind} form={form} />
        <Group justify="flex-end">
          <LinkButton to={`/operator/processors/${edited.id}`} variant="default">
            {t('cancel')}
          </LinkButton>
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The form keeps the version that it began with, whatever is read in the background. */
function useEdit(account: AccountDetail, kind: ProcessorKind) {
  const t = useTexts('processors');
  const go = useGo();
  const notify = useNotify();
  const [edited] = useState(account);
  const save = useDashboardWrite<AccountBody>(`operator/processor_accounts/${edited.id}`, 'PUT', {
    if_match: edited.etag,
  });
  const { form, others } = useProcessorForm({
    mode: edited.mode,
    values: valuesOf(kind.fields, edited),
    fields: kind.fields,
    stored: edited.secrets,
    error: save.error,
  });
  const send = (values: typeof form.values) =>
    save.mutate(bodyOf(values, edited), {
      onSuccess: () => {
        notify(t('saved'));
        go(`/operator/processors/${edited.id}`);
      },
    });
  return { edited, save, form, others, send };
}
