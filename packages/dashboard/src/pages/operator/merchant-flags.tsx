import { triggersFrom } from '@florin/contract/machines/define-machine.ts';
import { redFlagMachine } from '@florin/contract/machines/red-flag.ts';
import { Button, Card, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useRegistry } from '../../api/registry.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Section } from '../../parts/record/section.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import { OrderDialog } from './order-dialog.tsx';
import type { Flag, MerchantDetail } from './types.ts';
import { useActionDialog } from './use-action-dialog.ts';

interface Props {
  readonly merchant: MerchantDetail;
}

/** Red flags of a merchant, with actions to resolve them. */
export function MerchantFlags({ merchant }: Props) {
  const t = useTexts('operator');
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Section
      title={t('red_flags')}
      actions={
        <Button size="xs" variant="default" onClick={open}>
          {t('raise_flag')}
        </Button>
      }
    >
      <RaiseDialog merchant={merchant} isOpen={isOpen} onClose={close} />
      {merchant.red_flags.length === 0 && <Text c="dimmed">{t('no_flags')}</Text>}
      <Stack gap="sm">
        {merchant.red_flags.map((flag) => (
          <FlagCard key={flag.id} merchant={merchant} flag={flag} />
        ))}
      </Stack>
    </Section>
  );
}

type Change = 'warn' | 'penalize' | 'clear';

function FlagCard({ merchant, flag }: Props & { readonly flag: Flag }) {
  const t = useTexts('operator');
  const names = useNames();
  const { subject, isOpen, ask, close } = useActionDialog<Change>();
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between">
        <Group gap="sm">
          <Text fw={600}>{names.value(flag.violation)}</Text>
          <StateBadge state={flag.status} />
          <Text size="sm" c="dimmed">
            {t(flag.mode)} · <Instant at={flag.created_at} />
          </Text>
        </Group>
        <Group gap="xs">
          {(triggersFrom(redFlagMachine, flag.status) as readonly Change[]).map((change) => (
            <Button key={change} size="xs" variant="default" onClick={() => ask(change)}>
              {t(`${change}_flag`)}
            </Button>
          ))}
        </Group>
      </Group>
      <Text size="sm">{flag.comment}</Text>
      {subject && (
        <OrderDialog
          isOpen={isOpen}
          onClose={close}
          title={t(`${subject}_flag`)}
          text={t(`${subject}_flag_text`)}
          path={`merchants/${merchant.id}/red_flags/${flag.id}`}
          method="PATCH"
          body={{ change: subject }}
        />
      )}
    </Card>
  );
}

function RaiseDialog({
  merchant,
  isOpen,
  onClose,
}: Props & { readonly isOpen: boolean; readonly onClose: () => void }) {
  const t = useTexts('operator');
  const names = useNames();
  const violations = useRegistry().red_flags.fields.violation?.values ?? [];
  const [violation, setViolation] = useState(violations[0] ?? '');
  const [mode, setMode] = useState('live');
  return (
    <OrderDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('raise_flag')}
      text={t('raise_flag_text')}
      path={`merchants/${merchant.id}/red_flags`}
      body={{ violation, mode }}
    >
      <NativeSelect
        label={t('violation')}
        value={violation}
        onChange={({ currentTarget }) => setViolation(currentTarget.value)}
        data={violations.map((value) => ({ value, label: names.value(value) }))}
      />
      <NativeSelect
        label={t('mode')}
        value={mode}
        onChange={({ currentTarget }) => setMode(currentTarget.value)}
        data={[
          { value: 'live', label: t('live') },
          { value: 'sandbox', label: t('sandbox') },
        ]}
      />
    </OrderDialog>
  );
}
