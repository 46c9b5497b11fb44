import { Checkbox, Group, NumberInput } from '@mantine/core';
import { useState } from 'react';
import type { Mode } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { OrderDialog } from './order-dialog.tsx';
import type { MerchantDetail } from './types.ts';
import { useActionDialog } from './use-action-dialog.ts';

const REVIEW_DAYS = 365;
const REVIEW_DAYS_MAX = 1095;
const MODES = ['live', 'sandbox'] as const;

interface Props {
  readonly merchant: MerchantDetail;
}

type Kind = 'approve' | 'start_review' | 'finish_review' | 'quarantine' | 'ban' | 'lift' | 'note';

/** Actions that an operator can take on a merchant in its current status. */
export function MerchantActions({ merchant }: Props) {
  const t = useTexts('operator');
  const { subject, isOpen, ask, close } = useActionDialog<Kind>();
  return (
    <>
      <Group gap="xs">
        {possibleActions(merchant).map((kind) => (
          <ActionButton
            key={kind}
            isDestructive={isDestructive(kind)}
            {...(kind === 'approve' && { variant: 'filled' })}
            onClick={() => ask(kind)}
          >
            {t(kind)}
          </ActionButton>
        ))}
      </Group>
      {subject && (
        <Dialog key={subject} kind={subject} merchant={merchant} isOpen={isOpen} onClose={close} />
      )}
    </>
  );
}

const isDestructive = (kind: Kind): boolean => kind === 'quarantine' || kind === 'ban';

function possibleActions({
  active_at,
  submitted_at,
  review_started_at,
  standing,
}: MerchantDetail): Kind[] {
  const statuses = Object.values(standing);
  const kinds: readonly (readonly [Kind, boolean])[] = [
    ['approve', !active_at && submitted_at !== null],
    ['start_review', !review_started_at],
    ['finish_review', review_started_at !== null],
    ['lift', statuses.some((status) => status === 'quarantined' || status === 'banned')],
    ['note', true],
    ['quarantine', statuses.some((status) => status !== 'quarantined' && status !== 'banned')],
    ['ban', statuses.some((status) => status !== 'banned')],
  ];
  return kinds.flatMap(([kind, isPossible]) => (isPossible ? [kind] : []));
}

const paths: Readonly<Record<Kind, string>> = {
  approve: 'approval',
  start_review: 'review',
  finish_review: 'review/finish',
  quarantine: 'measures',
  ban: 'measures',
  lift: 'measures/lift',
  note: 'notes',
};

interface DialogProps extends Props {
  readonly kind: Kind;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function Dialog({ kind, merchant, isOpen, onClose }: DialogProps) {
  const t = useTexts('operator');
  const takesLive = merchant.processing.live;
  const [modes, setModes] = useState<readonly Mode[]>(kind === 'quarantine' ? ['live'] : MODES);
  const [days, setDays] = useState<number | string>(REVIEW_DAYS);
  const body: Partial<Record<Kind, object>> = {
    quarantine: { action: 'quarantine', modes },
    ban: { action: 'ban', modes: MODES },
    lift: { modes },
    finish_review: { next_in_days: Number(days) },
  };
  return (
    <OrderDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t(kind)}
      text={kind === 'approve' && !takesLive ? t('approve_text_closed') : t(`${kind}_text`)}
      path={`merchants/${merchant.id}/${paths[kind]}`}
      body={body[kind] ?? {}}
      danger={isDestructive(kind)}
    >
      {(kind === 'quarantine' || kind === 'lift') && (
        <ModesInput modes={modes} onChange={setModes} />
      )}
      {kind === 'finish_review' && (
        <NumberInput
          label={t('next_in_days')}
          min={1}
          max={REVIEW_DAYS_MAX}
          value={days}
          onChange={setDays}
        />
      )}
    </OrderDialog>
  );
}

function ModesInput({
  modes,
  onChange,
}: {
  readonly modes: readonly Mode[];
  readonly onChange: (modes: readonly Mode[]) => void;
}) {
  const t = useTexts('operator');
  return (
    <Checkbox.Group
      label={t('modes')}
      value={[...modes]}
      onChange={(values) => onChange(MODES.filter((mode) => values.includes(mode)))}
    >
      <Group mt="xs">
        {MODES.map((mode) => (
          <Checkbox key={mode} value={mode} label={t(mode)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
