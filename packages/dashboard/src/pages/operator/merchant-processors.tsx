import { Button, NativeSelect, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useRegistry } from '../../api/registry.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Section } from '../../parts/record/section.tsx';
import { OrderDialog } from './order-dialog.tsx';
import type { MerchantDetail, ProcessorDetail } from './types.ts';
import { useActionDialog } from './use-action-dialog.ts';
import { WideTable } from './wide-table.tsx';

interface Props {
  readonly merchant: MerchantDetail;
}

const NARROWEST_PX = 520;

export function MerchantProcessors({ merchant }: Props) {
  const t = useTexts('operator');
  const names = useNames();
  const { subject, isOpen, ask, close } = useActionDialog<ProcessorDetail>();
  return (
    <Section title={t('processors')}>
      {merchant.processors.length === 0 && <Text c="dimmed">{t('no_processors')}</Text>}
      {merchant.processors.length > 0 && (
        <WideTable
          label={t('processors')}
          minWidth={NARROWEST_PX}
          columns={[
            ...[t('processor'), t('mode'), t('onboarding_state'), t('processing_state')],
            t('actions'),
          ]}
        >
          {merchant.processors.map((processor) => (
            <Table.Tr key={processor.id}>
              <Table.Td>{names.value(processor.kind)}</Table.Td>
              <Table.Td>{t(processor.mode)}</Table.Td>
              <Table.Td>{names.value(processor.onboarding_state ?? '–')}</Table.Td>
              <Table.Td>{names.value(processor.processing_state ?? '–')}</Table.Td>
              <Table.Td>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`${t('change')}: ${names.value(processor.kind)}, ${t(processor.mode)}`}
                  onClick={() => ask(processor)}
                >
                  {t('change')}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </WideTable>
      )}
      {subject && (
        <ChangeDialog
          key={subject.id}
          merchant={merchant}
          processor={subject}
          isOpen={isOpen}
          onClose={close}
        />
      )}
    </Section>
  );
}

interface DialogProps extends Props {
  readonly processor: ProcessorDetail;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function ChangeDialog({ merchant, processor, isOpen, onClose }: DialogProps) {
  const t = useTexts('operator');
  const names = useNames();
  const { fields } = useRegistry().processor_details;
  const [onboarding_state, setOnboarding] = useState(processor.onboarding_state ?? 'pending');
  const [processing_state, setProcessing] = useState(processor.processing_state ?? 'disabled');
  const optionsOf = (values: readonly string[] = []) =>
    values.map((value) => ({ value, label: names.value(value) }));
  return (
    <OrderDialog
      isOpen={isOpen}
      isPlain
      onClose={onClose}
      title={t('change')}
      text={t('change_processor_text')}
      path={`merchants/${merchant.id}/${processor.mode}/processor_details/${processor.id}`}
      method="PATCH"
      body={{ onboarding_state, processing_state }}
    >
      <NativeSelect
        label={t('onboarding_state')}
        value={onboarding_state}
        onChange={({ currentTarget }) => setOnboarding(currentTarget.value)}
        data={optionsOf(fields.onboarding_state?.values)}
      />
      <NativeSelect
        label={t('processing_state')}
        value={processing_state}
        onChange={({ currentTarget }) => setProcessing(currentTarget.value)}
        data={optionsOf(fields.processing_state?.values)}
      />
    </OrderDialog>
  );
}
