import { Breadcrumbs, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FetchedRecord, useAction, useRecord } from '../../api/queries.ts';
import { useCan, useScope } from '../../api/scope.ts';
import type { RecordOf, Resource } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { EditDialog } from '../../parts/form/edit-dialog.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { listPath } from '../../parts/page/record-path.ts';
import { useParameter } from '../../parts/page/search.ts';
import { RecordView } from '../../parts/record/record-view.tsx';
import { Section } from '../../parts/record/section.tsx';
import { RelatedTable } from '../../parts/table/related-table.tsx';
import { CopyAction } from '../../parts/value/copyable.tsx';
import { QrCode } from '../../parts/value/qr-code.tsx';
import { SafeLink } from '../../parts/value/safe-link.tsx';
import { usePaymentColumns, usePaymentInclude } from '../payments/payment-columns.tsx';
import { LinkState } from './link-state.tsx';

/** A payment link: its address and its payments. */
export function PaymentLink() {
  const t = useTexts('links');
  const id = useParameter('id');
  const query = useRecord('payment_links', id);
  const reload = () => void query.refetch();
  return (
    <>
      <Breadcrumbs mb="xs">
        <ScopedLink to={listPath('payment_links')}>{t('links')}</ScopedLink>
      </Breadcrumbs>
      {query.data ? (
        <LinkPage key={id} fetched={query.data} reload={reload} />
      ) : (
        <>
          <PageTitle title={t('link')} />
          {query.error ? <ProblemAlert error={query.error} onRetry={reload} /> : <Loading />}
        </>
      )}
    </>
  );
}

/** Attributes shown above the full list. */
const SHOWN = ['url', 'qr_svg_url'];

interface Props {
  readonly fetched: FetchedRecord<'payment_links'>;
  readonly reload: () => void;
}

function LinkPage({ fetched, reload }: Props) {
  const { record } = fetched;
  const can = useCan();
  const { takes_payments } = useScope();
  return (
    <>
      <PageTitle
        title={record.attributes.title ?? ''}
        aside={<LinkState status={record.attributes.status} />}
        actions={
          can('transaction.payment_links.update') && (
            <LinkActions fetched={fetched} reload={reload} />
          )
        }
      />
      <Stack gap="lg">
        <Share link={record} />
        {can('transaction.payment_demands.read') && <Payments id={record.id} />}
        <RecordView
          record={record as Resource}
          without={takes_payments ? SHOWN : [...SHOWN, 'status']}
        />
      </Stack>
    </>
  );
}

function Share({ link: { attributes } }: { readonly link: RecordOf<'payment_links'> }) {
  const t = useTexts('links');
  const { url } = attributes;
  const { takes_payments } = useScope();
  return (
    <Section title={t('share')}>
      <Group align="flex-start">
        <QrCode text={url} label={t('qr', { url })} />
        <Stack gap="xs" flex="1 1 16rem" miw={0}>
          <Text size="sm">{takes_payments ? t('share_hint') : t('closed')}</Text>
          <Group gap="xs" wrap="nowrap">
            <SafeLink href={url} />
            <CopyAction value={url} what={t('address')} />
          </Group>
        </Stack>
      </Group>
    </Section>
  );
}

function Payments({ id }: { readonly id: string }) {
  const t = useTexts('links');
  const columns = usePaymentColumns();
  const include = usePaymentInclude();
  return (
    <RelatedTable
      type="payment_demands"
      title={t('payments')}
      columns={columns}
      fixed={{ 'filter[payment_link]': id, ...(include && { include }) }}
      empty={t('payments_none')}
    />
  );
}

function LinkActions({ fetched, reload }: Props) {
  const t = useTexts('links');
  const records = useTexts('records');
  const notify = useNotify();
  const { record } = fetched;
  const [isEditing, edit] = useDisclosure(false);
  const [isExpiring, expire] = useDisclosure(false);
  const expireAction = useAction('payment_links', record.id, 'expire');
  if (record.attributes.status !== 'active') return null;
  const onSuccess = () => {
    notify(t('done_expire'));
    expire.close();
  };
  return (
    <>
      <ActionButton onClick={edit.open}>{records('edit')}</ActionButton>
      <ActionButton isDestructive onClick={expire.open}>
        {t('do_expire')}
      </ActionButton>
      <EditDialog
        type="payment_links"
        fetched={fetched}
        reload={reload}
        isOpen={isEditing}
        onClose={edit.close}
      />
      <ConfirmDialog
        isOpen={isExpiring}
        onClose={expire.close}
        title={t('do_expire')}
        text={t('effect_expire')}
        confirmText={t('do_expire')}
        danger
        isPending={expireAction.isPending}
        error={expireAction.error}
        onConfirm={() => expireAction.mutate({}, { onSuccess })}
      />
    </>
  );
}
